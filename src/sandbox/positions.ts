import { notFound, refusal } from './refusal.js';

/**
 * Positions in a list in a custom order: strings that sort like the items. An insertion finds one between
 * two others, so no other item gets a new one, and a cursor that holds a position stays right. A position
 * is a number of 12 digits, followed by digits of a fraction. What takes the place of the group or
 * collection that held it gets the position of that one, a slash and its own: it sorts as it did inside.
 *
 * Of two positions in one list, neither is the other one followed by a slash.
 */

/** An item of such a list. */
export interface Placed {
  id: string;
  position: string;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const middle = 'V';
/** Digits of the number; the first item gets 5 and zeros, so that there is room before it. */
const width = 12;
const first = 5 * 10 ** (width - 1);

/** The position of the first item of a new list (index 0), the second, and so on. */
export function positionAt(index: number): string {
  return String(first + index).padStart(width, '0');
}

/** The position after the last item. */
export function lastPosition(list: readonly { position: string }[]): string {
  const last = list.reduce((most, { position }) => (position > most ? position : most), '');
  return positionBetween(last === '' ? undefined : last, undefined);
}

/** The position of an item that a list takes over from the group or collection that held it. */
export function positionFrom(holder: string, position: string): string {
  return `${holder}/${position}`;
}

/** A position after one and before another; undefined stands for the ends of the list. */
export function positionBetween(low: string | undefined, high: string | undefined): string {
  if (low === undefined) return high === undefined ? positionAt(0) : neighbour(high, -1);
  if (high === undefined || high <= low) return neighbour(low, 1);
  if (high.startsWith(low)) return low + fractionBelow(high.slice(low.length));
  const next = increased(low);
  const fits = next !== undefined && next < high && !high.startsWith(next);
  return fits ? next : low + middle;
}

/** The whole number after or before a position. */
function neighbour(position: string, step: 1 | -1): string {
  return positionAt(Number(position.slice(0, width)) + step - first);
}

/** The position with its last digit increased, so that many in a row stay short; only within a fraction. */
function increased(position: string): string | undefined {
  const fraction = position.slice(position.lastIndexOf('/') + 1 + width);
  const digit = digits[digits.indexOf(fraction.slice(-1)) + 1];
  return fraction === '' || digit === undefined ? undefined : position.slice(0, -1) + digit;
}

/** Digits that sort before these, about half-way; the last one is never 0, which leaves room below. */
function fractionBelow(high: string): string {
  if (high === '') return middle;
  const digit = digits.indexOf(high.slice(0, 1));
  if (digit > 1) return digits.charAt(Math.floor(digit / 2));
  return `0${digit === 1 ? middle : fractionBelow(high.slice(1))}`;
}

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
  if (before === moved || after === moved) throw refusal(400, `body position names the ${what} itself`);
  const rest = list.filter(({ id }) => id !== moved);
  const indexOf = (id: string): number => {
    const index = rest.findIndex((placed) => placed.id === id);
    if (index < 0) throw notFound(`neighbouring ${what}`, id);
    return index;
  };
  const upper = before === undefined ? undefined : indexOf(before);
  const lower = after === undefined ? undefined : indexOf(after) + 1;
  if (upper !== undefined && lower !== undefined && upper !== lower) {
    throw refusal(400, 'body position before and after are not next to each other');
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
