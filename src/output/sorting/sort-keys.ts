import { usageError } from '../../base/errors.js';
import { isDateTime } from '../age.js';
import { columnValue, plainText } from '../cells.js';
import { type Kind, resolveColumns } from '../columns.js';
import { checkFields, pathNamed } from '../fields.js';
import { isRawNumber } from '../json.js';
import type { View } from '../printer.js';

/** A field of `--sort-by`, and its direction. */
export interface SortKey {
  path: string;
  descending: boolean;
  isId: boolean;
  /** What its values mean. */
  as?: Kind;
}

/** `role,joinedAt:desc` as paths and directions. @throws DocsError usage `invalid_sort` */
function parsed(typed: string): { path: string; descending: boolean }[] {
  return typed.split(',').map((part) => {
    const [path = '', direction = 'asc', ...rest] = part.trim().split(':');
    if (path !== '' && rest.length === 0 && (direction === 'asc' || direction === 'desc'))
      return { path, descending: direction === 'desc' };
    const value = JSON.stringify(part);
    const message = `--sort-by: invalid value ${value}; expected <field> or <field>:desc, such as updatedAt:desc.`;
    throw usageError('invalid_sort', message);
  });
}

/** The keys of `--sort-by` for a view. @throws DocsError usage `invalid_sort`, `unknown_field` */
export function checkedKeys(typed: string, view: View): SortKey[] {
  const keys = parsed(typed).map((key) => ({ ...key, path: pathNamed(key.path, view) ?? key.path }));
  const paths = keys.map(({ path }) => path);
  const known = [...new Set([...view.fields, ...view.columns.map(({ path }) => path)])];
  checkFields(paths, known, view.open ?? [], '--sort-by');
  const columns = resolveColumns(view, paths);
  return keys.map((key, index) => {
    const { isId = false, as } = columns[index] ?? {};
    return { ...key, isId, ...(as && { as }) };
  });
}

/** The value of an item by which a key orders it. */
export function valueBy(item: unknown, { path, as }: SortKey): SortValue {
  return sortValue(columnValue(item, { path, ...(as && { as }) }));
}

/** Orders items by keys, one after another. What is missing comes last, whatever the direction. */
export function ordering<T>(
  keys: readonly SortKey[],
  valueAt: (item: T, key: number) => SortValue,
): (one: T, other: T) => number {
  return (one, other) => {
    for (const [index, { descending, isId }] of keys.entries()) {
      const [own, others] = [valueAt(one, index), valueAt(other, index)];
      if (own === undefined || others === undefined) {
        if (own === others) continue;
        return own === undefined ? 1 : -1;
      }
      const order = compareValues(own, others, isId);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** The value of a field by which items are ordered. */
export type SortValue = boolean | number | bigint | string | Moment | undefined;

/** A moment, in milliseconds since the epoch. */
class Moment {
  constructor(readonly ms: number) {}
}

/** The same everywhere, whatever the language of the machine: 2 before 10, `Zoë` after `Zoe`. */
const collator = new Intl.Collator('en', { numeric: true });

/** What a value is ordered by: itself, its moment, or its text. */
function sortValue(value: unknown): SortValue {
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
function compareValues(one: SortValue, other: SortValue, isId: boolean): number {
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
