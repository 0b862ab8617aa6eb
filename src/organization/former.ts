import { isObject } from '../base/values.js';
import type { Field } from './kind.js';
import type { Address } from './model.js';
import { isHashOf } from './planner/environment.js';
import { comparable } from './value.js';

/** Items whose keys have changed: what the lock holds names them by their former addresses. */
export type Former = ReadonlyMap<Address, Address>;

/**
 * Whether an entry of the lock is the hash of a value, also where its references had other addresses then.
 * @param value comparable: of a field, or the address of a parent or neighbour
 * @param field where it is a list without an order, which is sorted by what it holds
 */
export function isEntryOf(former: Former, entry: string | undefined, value: unknown, field?: Field): boolean {
  if (isHashOf(entry, value)) return true;
  if (entry === undefined || former.size === 0) return false;
  const then = formerly(former, value);
  return isHashOf(entry, field === undefined ? then : comparable(field, then, () => undefined));
}

/** Whether an entry of the lock says that nothing was set that a file could name. */
export function isUnsetEntry({ oneWay }: Field, entry: string): boolean {
  return isHashOf(entry, null) || (oneWay !== undefined && !isHashOf(entry, oneWay.to));
}

/** What a name ends with that two items change places by. */
const detour = /-tmp\d*$/;

/** The temporary name with which an item gives its own one free. @param count how many of them are taken */
export function detourOf(name: string, most: number, count: number): string {
  const end = `-tmp${count === 0 ? '' : count + 1}`;
  return name.slice(0, most - end.length) + end;
}

/** Whether the platform has the temporary name for what was last applied: an apply that did not end left it. */
export function isDetour(field: Field | undefined, entry: string | undefined, present: unknown): boolean {
  if (field?.unique === undefined || typeof present !== 'string' || !detour.test(present)) return false;
  return isHashOf(entry, present.replace(detour, ''));
}

function formerly(former: Former, value: unknown): unknown {
  if (typeof value === 'string') return former.get(value as Address) ?? value;
  if (Array.isArray(value)) return value.map((part) => (isObject(part) ? formerly(former, part) : part));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return { ...value, $ref: formerly(former, value.$ref) };
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      typeof part === 'object' ? formerly(former, part) : part,
    ]),
  );
}
