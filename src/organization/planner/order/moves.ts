import { isMixed, keptOfMixed, longestIncreasing, type Ranked, type Step } from './kept.js';
import { arrivals, partsOf } from './parts.js';

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
  const steps = isMixed(wanted)
    ? stepsOfMixed(wanted)
    : stepsFrom(wanted.length, longestIncreasing(wanted.map(({ now }) => now)), []);
  return steps.flatMap(({ index, side, of }) => {
    const [own, other] = [wanted[index], wanted[of]];
    return own === undefined || other === undefined ? [] : [{ item: own.item, side, of: other.item }];
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
