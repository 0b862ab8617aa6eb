import { isObject } from '../../base/values.js';
import { ListChange } from './list-change.js';
import { settle, settleAll } from './settled.js';

/**
 * What the platform would tell after a change that was made in a copy. The copy knows a part of the organization:
 * it tells what it knew before the change and what it tells after it. Where both are the same, the platform is
 * right; where they differ, the copy is. A number that differs from the copy's own moves by as much, as it counts
 * things that the copy does not hold.
 * @param told by the platform
 * @param before by the part of the copy that is as the platform
 * @param after by the copy
 */
export function merge(told: unknown, before: unknown, after: unknown): unknown {
  if (same(before, after)) return told;
  if (typeof told === 'number' && typeof before === 'number' && typeof after === 'number')
    return told + after - before;
  if (Array.isArray(told) && Array.isArray(before) && Array.isArray(after))
    return new ListChange(before, after, merge).apply(told, { first: true, last: true });
  if (isObject(told) && isObject(before) && isObject(after)) return mergeObjects(told, before, after);
  return settleAll(after);
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

type Json = Record<string, unknown>;

function mergeObjects(told: Json, before: Json, after: Json): Json {
  const merged: Json = {};
  for (const key of new Set([...Object.keys(told), ...Object.keys(after)])) {
    if (same(before[key], after[key])) {
      if (key in told) merged[key] = told[key];
    } else if (key in after) {
      if (key in told) merged[key] = merge(told[key], before[key], after[key]);
      // What this answer does not show of the resource it does not show afterwards either.
      else if (!(key in before)) merged[key] = settleAll(after[key]);
    }
  }
  return settle(merged);
}
