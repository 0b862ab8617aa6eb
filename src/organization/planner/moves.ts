import { firstNotBelow, longestIncreasing } from '../../base/longest-increasing.js';

/** The moves that bring a list into an order, each item at most once. */

export interface Placed<T> extends Ranked {
  item: T;
}

export interface Move<T> {
  item: T;
  /** Directly after this one, or directly before it. */
  side: 'after' | 'before';
  of: T;
}

/**
 * As few moves as there can be where all items can name all; in mixed lists as few as the items that stay allow.
 * @param wanted all items that shall stand in this order; others in the list stay where they are
 * @returns in the order in which to send them
 */
export function movesFor<T>(wanted: readonly Placed<T>[]): Move<T>[] {
  if (isInOrder(wanted)) return [];
  const steps = isMixed(wanted)
    ? stepsOfMixed(wanted)
    : stepsFrom(wanted.length, longestIncreasing(wanted.map(({ now }) => now)), []);
  return steps.flatMap(({ index, side, of }) => {
    const [own, other] = [wanted[index], wanted[of]];
    return own === undefined || other === undefined ? [] : [{ item: own.item, side, of: other.item }];
  });
}

/** So are most lists, and the rest of this file is for the others. */
function isInOrder(wanted: readonly Ranked[]): boolean {
  let last = -1;
  return wanted.every(({ now = -1 }) => {
    const isNext = now > last;
    last = now;
    return isNext;
  });
}

/** Going beside items that leave later saves moves, but where they wait for each other it is not possible. */
function stepsOfMixed(wanted: readonly Ranked[]): Step[] {
  for (const passing of [true, false]) {
    const stays = keptOfMixed(wanted, passing);
    const first = arrivals(wanted, stays);
    if (first !== undefined) return stepsFrom(wanted.length, stays, narrowSteps(wanted, stays, first));
  }
  return [];
}

/** Narrow items go beside their neighbours of the same kind, outward from those that are in their part. */
function narrowSteps(wanted: readonly Ranked[], stays: ReadonlySet<number>, first: readonly Step[]): Step[] {
  const steps = [...first];
  const placed = new Set([...stays, ...first.map(({ index }) => index)]);
  for (const part of partsOf(wanted, stays)) {
    const start = part.findIndex((index) => placed.has(index));
    if (start < 0) continue;
    const step = (at: number, side: Step['side'], of: number) =>
      steps.push({ index: part[at] as number, side, of: part[of] as number });
    for (let at = start - 1; at >= 0; at -= 1) step(at, 'before', at + 1);
    for (let at = start + 1; at < part.length; at += 1)
      if (!placed.has(part[at] as number)) step(at, 'after', at - 1);
  }
  return steps;
}

/** The steps, and those of all others: each goes after the one before it, which is in its place by then. */
function stepsFrom(length: number, stays: ReadonlySet<number>, before: readonly Step[]): Step[] {
  const steps = [...before];
  const placed = new Set([...stays, ...before.map(({ index }) => index)]);
  const next = Array.from({ length }, (_, index) => index).find((index) => placed.has(index));
  for (let index = 0; index < length; index += 1) {
    if (placed.has(index)) continue;
    if (index > 0) steps.push({ index, side: 'after', of: index - 1 });
    else if (next !== undefined) steps.push({ index, side: 'before', of: next });
  }
  return steps;
}

/** The parts of a mixed list between the wide items that stay. */

/** The narrow items that each part shall have. */
function partsOf(wanted: readonly Ranked[], stays: ReadonlySet<number>): number[][] {
  const parts: number[][] = [[]];
  wanted.forEach(({ isNarrow }, index) => {
    if (isNarrow) parts.at(-1)?.push(index);
    else if (stays.has(index)) parts.push([]);
  });
  return parts;
}

/**
 * The first move into each part in which no narrow item stays: beside one that leaves later.
 * @returns undefined where parts wait for each other
 */
function arrivals(wanted: readonly Ranked[], stays: ReadonlySet<number>): Step[] | undefined {
  const parts = partsOf(wanted, stays);
  const inside = occupants(wanted, stays, parts.length);
  const open = new Set(parts.keys());
  for (const [at, part] of parts.entries())
    if (part.length === 0 || part.some((index) => stays.has(index))) open.delete(at);
  const steps: Step[] = [];
  while (open.size > 0) {
    const step = nextArrival(parts, inside, open);
    if (step === undefined) return undefined;
    for (const some of inside) some.delete(step.index);
    open.delete(parts.findIndex((part) => part.includes(step.index)));
    steps.push(step);
  }
  return steps;
}

/** What goes must not leave a part without any that waits for its own first one. */
function nextArrival(
  parts: readonly (readonly number[])[],
  inside: readonly ReadonlySet<number>[],
  open: ReadonlySet<number>,
): Step | undefined {
  for (const at of open) {
    for (const index of parts[at] ?? []) {
      const of = [...(inside[at] ?? [])].find((one) => one !== index);
      const left = inside.findIndex((some) => some.has(index));
      const strands = left !== at && open.has(left) && inside[left]?.size === 1;
      if (of !== undefined && !strands) return { index, side: 'before', of };
    }
  }
  return undefined;
}

/** The narrow items that stand in each part now and do not stay. */
function occupants(wanted: readonly Ranked[], stays: ReadonlySet<number>, count: number): Set<number>[] {
  const borders = wanted.flatMap(({ now, isNarrow }, index) =>
    !isNarrow && stays.has(index) && now !== undefined ? [now] : [],
  );
  const inside = Array.from({ length: count }, () => new Set<number>());
  wanted.forEach(({ now, isNarrow }, index) => {
    if (!isNarrow || now === undefined || stays.has(index)) return;
    inside[borders.filter((border) => border < now).length]?.add(index);
  });
  return inside;
}

/** Which items of a list can stay where they are, so that as few as possible move. */

interface Ranked {
  /** Where it stands now; undefined where it is not in the list yet, or nothing shows where. */
  now: number | undefined;
  /** Its move can name its own kind only, so it needs one of them to go beside. */
  isNarrow: boolean;
}

/** One move by indexes. */
interface Step {
  index: number;
  side: 'after' | 'before';
  of: number;
}

function isMixed(wanted: readonly Ranked[]): boolean {
  return wanted.some(({ isNarrow }) => isNarrow) && wanted.some(({ isNarrow }) => !isNarrow);
}

/**
 * The longest run of a mixed list, n². Wide items that stay divide it into parts. Narrow items that move into a part
 * need one of their own there to go beside.
 * @param passing whether that may be one that itself leaves the part later
 */
function keptOfMixed(wanted: readonly Ranked[], passing: boolean): Set<number> {
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
