/** Which items of a list can stay where they are, so that as few as possible move. */

export interface Ranked {
  /** Where it stands now; undefined where it is not in the list yet, or nothing shows where. */
  now: number | undefined;
  /** Its move can name its own kind only, so it needs one of them to go beside. */
  isNarrow: boolean;
}

/**
 * The longest run of items, in the wanted order, that stand in this order already; the rest moves. Narrow items that
 * move need one of their own that stays, with no other kind that stays between.
 * @param wanted in the wanted order
 * @returns indexes in it
 */
export function kept(wanted: readonly Ranked[]): Set<number> {
  const isMixed = wanted.some(({ isNarrow }) => isNarrow) && wanted.some(({ isNarrow }) => !isNarrow);
  return isMixed ? keptOfMixed(wanted) : longestIncreasing(wanted.map(({ now }) => now));
}

/** Patience sorting: n log n. */
export function longestIncreasing(values: readonly (number | undefined)[]): Set<number> {
  /** By length − 1, the index of the least last value of a run of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, index) => {
    if (value === undefined) return;
    const length = firstNotBelow(ends, values, value);
    previous[index] = ends[length - 1];
    ends[length] = index;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

function firstNotBelow(
  ends: readonly number[],
  values: readonly (number | undefined)[],
  value: number,
): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[ends[middle] as number] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The same for a mixed list: n². Those of the wide kind that stay divide the list; each part with narrow items must
 * keep at least one of them, unless it has none.
 */
function keptOfMixed(wanted: readonly Ranked[]): Set<number> {
  /** Before each index, how many are narrow. */
  const narrow = [0];
  for (const { isNarrow } of wanted) narrow.push((narrow.at(-1) as number) + Number(isNarrow));
  const best: { length: number; previous: number }[] = [];
  const end = wanted.length;
  for (let at = 0; at <= end; at += 1) {
    const own = wanted[at];
    best[at] = { length: Number.NEGATIVE_INFINITY, previous: -1 };
    if (own !== undefined && own.now === undefined) continue;
    for (let before = -1; before < at; before += 1) {
      const length = before < 0 ? 0 : (best[before]?.length ?? 0);
      if (!follows(wanted, narrow, before, at) || length + 1 <= (best[at]?.length ?? 0)) continue;
      best[at] = { length: length + 1, previous: before };
    }
  }
  const found = new Set<number>();
  for (let at = best[end]?.previous ?? -1; at >= 0; at = best[at]?.previous ?? -1) found.add(at);
  return found;
}

/** Whether one that stays can be the next after another; −1 and the length stand for the ends of the list. */
function follows(wanted: readonly Ranked[], narrow: readonly number[], before: number, at: number): boolean {
  const [one, next] = [wanted[before], wanted[at]];
  if (one !== undefined && one.now === undefined) return false;
  if (one?.now !== undefined && next?.now !== undefined && one.now >= next.now) return false;
  const between = (narrow[at] as number) - (narrow[before + 1] as number);
  return between === 0 || one?.isNarrow === true || next?.isNarrow === true;
}
