import { usageError } from '../../errors.js';
import { columnValue } from '../cells.js';
import { type Kind, resolveColumns } from '../columns.js';
import { checkFields } from '../fields.js';
import { pathNamed } from '../named-path.js';
import type { View } from '../printer.js';
import { compareValues, type SortValue, sortValue } from './sort-values.js';

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

/** Orders the items of a tree. @throws as `checkedKeys` */
export function treeOrder(typed: string, view: View): (one: unknown, other: unknown) => number {
  const keys = checkedKeys(typed, view);
  return ordering(keys, (item, index) => {
    const key = keys[index];
    return key && valueBy(item, key);
  });
}
