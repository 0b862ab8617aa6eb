import { notFound, refusal } from '../refusal.js';

/** An item of a list in a custom order, by ascending position. */
export interface Placed {
  id: string;
  position: number;
}

/** A place in a list: directly before one item, directly after another, by id. */
export interface Neighbours {
  before?: string | undefined;
  after?: string | undefined;
}

/** Gap between positions, so that a move rarely renumbers other items. */
const gap = 2 ** 20;

/** The position of the first of a new list (index 0), the second, and so on. */
export function positionAt(index: number): number {
  return gap * (index + 1);
}

/** The position after the last item. */
export function lastPosition(list: readonly Placed[]): number {
  return list.reduce((last, { position }) => Math.max(last, position), 0) + gap;
}

/**
 * The positions to write to place an item next to its neighbours; none without neighbours. Other items
 * change only if the gap between two is used up.
 * @param list all items in their order, the moved one included
 * @throws 404 for a neighbour outside the list; 400 for the item itself, or neighbours not adjacent
 */
export function reorder(
  list: readonly Placed[],
  moved: string,
  { before, after }: Neighbours,
  what: string,
): Map<string, number> {
  if (before === undefined && after === undefined) return new Map();
  if (before === moved || after === moved) throw refusal(400, `body position names the ${what} itself.`);
  const rest = list.filter(({ id }) => id !== moved);
  const indexOf = (id: string): number => {
    const index = rest.findIndex((placed) => placed.id === id);
    if (index < 0) throw notFound(`neighbouring ${what}`, id);
    return index;
  };
  const upper = before === undefined ? undefined : indexOf(before);
  const lower = after === undefined ? undefined : indexOf(after) + 1;
  if (upper !== undefined && lower !== undefined && upper !== lower) {
    throw refusal(400, 'body position before and after are not next to each other.');
  }
  return arrange(rest, [moved], upper ?? lower ?? rest.length);
}

/** The positions to write to insert `added`, in their order, at that index. */
export function arrange(
  list: readonly Placed[],
  added: readonly string[],
  index: number,
): Map<string, number> {
  const low = list[index - 1]?.position;
  const high = list[index]?.position;
  const steps = added.length + 1;
  const start = low ?? (high === undefined ? 0 : high - gap * steps);
  const step = high === undefined || low === undefined ? gap : Math.floor((high - low) / steps);
  if (step > 0) return new Map(added.map((id, at) => [id, start + step * (at + 1)]));
  const ids = list.map(({ id }) => id);
  const all = [...ids.slice(0, index), ...added, ...ids.slice(index)];
  return new Map(all.map((id, at) => [id, positionAt(at)]));
}
