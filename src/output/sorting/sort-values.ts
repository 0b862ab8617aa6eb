import { isDateTime } from '../age.js';
import { plainText } from '../cells.js';
import { isRawNumber } from '../json.js';

/** The value of a field by which items are ordered. */
export type SortValue = boolean | number | bigint | string | Moment | undefined;

/** A moment, in milliseconds since the epoch. */
class Moment {
  constructor(readonly ms: number) {}
}

/** The same everywhere, whatever the language of the machine: 2 before 10, `Zoë` after `Zoe`. */
const collator = new Intl.Collator('en', { numeric: true });

/** What a value is ordered by: itself, its moment, or its text. */
export function sortValue(value: unknown): SortValue {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (isRawNumber(value))
    return /^-?\d+$/.test(value.rawJson) ? BigInt(value.rawJson) : Number(value.rawJson);
  if (isDateTime(value)) return new Moment(Date.parse(value));
  return plainText(value);
}

/** Characters that a value holds in memory. */
export function sizeOf(value: SortValue): number {
  return typeof value === 'string' ? value.length : 0;
}

/**
 * Orders two values: no before yes, numbers as numbers, times by their instant, text as people expect it, ids by their
 * characters. Values of different kinds: in this order.
 */
export function compareValues(one: SortValue, other: SortValue, isId: boolean): number {
  if (typeof one === 'string' && typeof other === 'string') {
    if (!isId) return collator.compare(one, other);
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const kinds = kindOf(one) - kindOf(other);
  if (kinds !== 0) return kinds;
  const [own, others] = [numberOf(one), numberOf(other)];
  return own < others ? -1 : own > others ? 1 : 0;
}

function kindOf(value: SortValue): number {
  if (typeof value === 'boolean') return 0;
  if (typeof value === 'string') return 3;
  return value instanceof Moment ? 2 : 1;
}

function numberOf(value: SortValue): number | bigint {
  if (value instanceof Moment) return value.ms;
  return typeof value === 'bigint' ? value : Number(value);
}
