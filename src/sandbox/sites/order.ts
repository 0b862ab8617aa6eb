import { notFound, refusal } from '../refusal.js';

/** One of a list that its users order: the smaller position comes first. */
export interface Placed {
  id: string;
  position: number;
}

/** Where something goes: right before one of the list, right after another, by id. */
export interface Neighbours {
  before?: string | undefined;
  after?: string | undefined;
}

/** Room between two positions, so that a move seldom touches more than what moves. */
const gap = 2 ** 20;

/** The position of the first of a new list (index 0), the second, and so on. */
export function positionAt(index: number): number {
  return gap * (index + 1);
}

/** The position behind all of a list. */
export function lastPosition(list: readonly Placed[]): number {
  return list.reduce((last, { position }) => Math.max(last, position), 0) + gap;
}

/**
 * The positions to write so that something stands next to the neighbours that are given; it stays
 * where it is if none is. Others change only where there is no room left between two.
 * @param list all of the list in their order, with what moves
 * @param what names one of the list in refusals, such as `section`
 * @throws 404 where a neighbour is none of the list; 400 where something is to be its own neighbour,
 *   or where two neighbours do not follow each other
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

/** The positions to write so that `added` come in, together and in their order, at that index. */
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
