import { kept, type Ranked } from './kept.js';

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
 * @param wanted all items that shall stand in this order; others in the list stay where they are
 * @returns in the order in which to send them; items that nothing can be placed beside are left out
 */
export function movesFor<T>(wanted: readonly Placed<T>[]): Move<T>[] {
  const stays = kept(wanted);
  const isMixed = wanted.some(({ isNarrow }) => isNarrow) && wanted.some(({ isNarrow }) => !isNarrow);
  const placed = new Set(stays);
  const moves: Move<T>[] = [];
  const move = (index: number, side: Move<T>['side'], of: number) => {
    const [own, other] = [wanted[index], wanted[of]];
    if (own === undefined || other === undefined) return;
    moves.push({ item: own.item, side, of: other.item });
    placed.add(index);
  };
  if (isMixed) placeNarrow(wanted, stays, move);
  for (let index = 0; index < wanted.length; index += 1) {
    if (placed.has(index)) continue;
    const next = nextPlaced(wanted.length, placed, index);
    if (index > 0) move(index, 'after', index - 1);
    else if (next !== undefined) move(index, 'before', next);
    else placed.add(index);
  }
  return moves;
}

function nextPlaced(length: number, placed: ReadonlySet<number>, index: number): number | undefined {
  for (let at = index + 1; at < length; at += 1) if (placed.has(at)) return at;
  return undefined;
}

/** Narrow items go beside their neighbours of the same kind, outward from those that stay. */
function placeNarrow(
  wanted: readonly Ranked[],
  stays: ReadonlySet<number>,
  move: (index: number, side: 'after' | 'before', of: number) => void,
): void {
  for (const part of partsOf(wanted, stays)) {
    const first = part.findIndex((index) => stays.has(index));
    if (first < 0) continue;
    for (let at = first - 1; at >= 0; at -= 1) move(part[at] as number, 'before', part[at + 1] as number);
    for (let at = first + 1; at < part.length; at += 1)
      if (!stays.has(part[at] as number)) move(part[at] as number, 'after', part[at - 1] as number);
  }
}

/** The narrow items between those of the wide kind that stay. */
function partsOf(wanted: readonly Ranked[], stays: ReadonlySet<number>): number[][] {
  const parts: number[][] = [[]];
  wanted.forEach(({ isNarrow }, index) => {
    if (isNarrow) parts.at(-1)?.push(index);
    else if (stays.has(index)) parts.push([]);
  });
  return parts;
}
