import type { Column } from './columns.js';
import { isRawNumber } from './json.js';

/** Items whose keys become columns; keys that first appear later are in JSON only. */
const sample = 50;

/**
 * The rows of any JSON value: the items of an array or a list envelope (undefined for others), and a column for
 * each of `--fields`, or for each key that holds neither object nor array.
 */
export function viewOfValue(
  value: unknown,
  fields: readonly string[] | undefined,
): { items: readonly unknown[] | undefined; columns: Column[] } {
  const items = itemsOf(value);
  if (fields !== undefined) return { items, columns: fields.map((path) => ({ path })) };
  const keys = new Set<string>();
  for (const item of (items ?? [value]).slice(0, sample)) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, member] of Object.entries(item)) if (!isNested(member)) keys.add(key);
  }
  return { items, columns: [...keys].map((path) => ({ path })) };
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !('items' in value)) return undefined;
  return Array.isArray(value.items) ? value.items : undefined;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}
