import { createHash } from 'node:crypto';
import { formatJson, RawNumber } from '../api/transport/json-text.js';
import { isObject } from '../base/values.js';
import type { State } from './state.js';

/** States as plans hold them: a long value only as its hash. */

/** Longer values are held as hashes, in bytes of JSON. */
export const largestValue = 32 * 1024;

interface LongValue {
  $sha256: string;
}

/** Whether a value of a held state stands for a long one. */
export function isLongValue(value: unknown): value is LongValue {
  return isObject(value) && typeof value.$sha256 === 'string' && Object.keys(value).length === 1;
}

/** A state with the hashes of its long values. */
export function heldState<S extends State | undefined>(state: S): S {
  if (!state) return state;
  const entries = Object.entries(state).map(([field, value]) => [field, held(value)] as const);
  return entries.every(([field, value]) => value === state[field])
    ? state
    : (Object.fromEntries(entries) as S);
}

/** A value; of a longer one its hash. */
export function held(value: unknown): unknown {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
  const text = canonical(value);
  return Buffer.byteLength(text) <= largestValue ? value : { $sha256: sha256(text) };
}

/** A state in the form of another one, whose long values are hashes. */
export function inFormOf(state: State, then: State | undefined): State {
  if (!state || !then) return state;
  const long = Object.keys(then).filter(
    (field) => isLongValue(then[field]) && (state[field] ?? null) !== null,
  );
  if (long.length === 0) return state;
  const hashes = long.map((field) => [field, { $sha256: sha256(canonical(state[field])) }]);
  return { ...state, ...Object.fromEntries(hashes) };
}

/** JSON with sorted keys, without what is undefined; long numbers keep their digits. */
export function canonical(value: unknown): string {
  return formatJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value) || value instanceof RawNumber) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]),
  );
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
