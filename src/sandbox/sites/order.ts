import { type Placed, positionBetween } from '../positions.js';
import { notFound, refusal } from '../refusal.js';

/** A place in a list: directly before one item, directly after another, by id. */
export interface Neighbours {
  before?: string | undefined;
  after?: string | undefined;
}

/**
 * The position to write to place an item next to its neighbours, by id; none without neighbours.
 * @param list all items in their order, the moved one included
 * @throws 404 for a neighbour outside the list; 400 for the item itself, or neighbours not adjacent
 */
export function reorder(
  list: readonly Placed[],
  moved: string,
  { before, after }: Neighbours,
  what: string,
): Map<string, string> {
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
): Map<string, string> {
  let low = list[index - 1]?.position;
  const high = list[index]?.position;
  return new Map(
    added.map((id) => {
      low = positionBetween(low, high);
      return [id, low];
    }),
  );
}
