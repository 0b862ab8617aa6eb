/** Which items of a list can stay where they are, so that as few as possible move. */

export interface Ranked {
  /** Where it stands now; undefined where it is not in the list yet, or nothing shows where. */
  now: number | undefined;
  /** Its move can name its own kind only, so it needs one of them to go beside. */
  isNarrow: boolean;
}

/** One move by indexes. */
export interface Step {
  index: number;
  side: 'after' | 'before';
  of: number;
}

export function isMixed(wanted: readonly Ranked[]): boolean {
  return wanted.some(({ isNarrow }) => isNarrow) && wanted.some(({ isNarrow }) => !isNarrow);
}

/** Patience sorting, n log n. @returns indexes of a longest run of increasing values */
export function longestIncreasing(values: readonly (number | undefined)[]): Set<number> {
  /** By length − 1, the index of the least last value of a run of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, index) => {
    if (value === undefined) return;
    const length = firstNotBelow(value, ends.length, (at) => values[ends[at] as number] as number);
    previous[index] = ends[length - 1];
    ends[length] = index;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

/** The first place in a sorted list whose value is not below another. */
function firstNotBelow(value: number, length: number, valueAt: (at: number) => number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The longest run of a mixed list, n². Wide items that stay divide it into parts. Narrow items that move into a part
 * need one of their own there to go beside.
 * @param passing whether that may be one that itself leaves the part later
 */
export function keptOfMixed(wanted: readonly Ranked[], passing: boolean): Set<number> {
  const follows = followsIn(wanted, passing);
  const best: { length: number; previous: number }[] = [];
  for (let at = 0; at <= wanted.length; at += 1) {
    const own = { length: Number.NEGATIVE_INFINITY, previous: -1 };
    best[at] = own;
    if (at < wanted.length && wanted[at]?.now === undefined) continue;
    for (let before = -1; before < at; before += 1) {
      const length = before < 0 ? 0 : (best[before]?.length ?? 0);
      if (length + 1 <= own.length || !follows(before, at)) continue;
      own.length = length + 1;
      own.previous = before;
    }
  }
  const found = new Set<number>();
  for (let at = best[wanted.length]?.previous ?? -1; at >= 0; at = best[at]?.previous ?? -1) found.add(at);
  return found;
}

/** Whether one that stays can be the next after another; −1 and the length stand for the ends of the list. */
function followsIn(wanted: readonly Ranked[], passing: boolean): (before: number, at: number) => boolean {
  /** Before each index, how many are narrow. */
  const narrow = [0];
  for (const { isNarrow } of wanted) narrow.push((narrow.at(-1) as number) + Number(isNarrow));
  const places = wanted.flatMap(({ now, isNarrow }) => (isNarrow && now !== undefined ? [now] : []));
  places.sort((a, b) => a - b);
  const isSomeBetween = (from: number, to: number) => {
    const next = places[firstNotBelow(from, places.length, (at) => places[at] as number)];
    return next !== undefined && next < to;
  };
  return (before, at) => {
    const [one, next] = [wanted[before], wanted[at]];
    if (one !== undefined && one.now === undefined) return false;
    const [from, to] = [one?.now ?? Number.NEGATIVE_INFINITY, next?.now ?? Number.POSITIVE_INFINITY];
    if (from >= to) return false;
    const between = (narrow[at] as number) - (narrow[before + 1] as number);
    if (between === 0 || one?.isNarrow === true || next?.isNarrow === true) return true;
    return passing && isSomeBetween(from, to);
  };
}
