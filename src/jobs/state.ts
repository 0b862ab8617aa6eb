import { formatJson, isJsonObject } from '../api/transport/json-text.js';
import { sha256 } from '../base/hash.js';
import { isObject } from '../base/values.js';

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
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]),
  );
}

/** The state of a resource that a change touches, and how two states compare. */

/** The fields that the change touches, by name; null where the resource does not exist. */
export type State = Readonly<Record<string, unknown>> | null;

/**
 * Whether a state has all fields of the wanted one. An absent field equals null, since the platform
 * leaves out what is not set.
 */
export function matches(state: State, wanted: State): boolean {
  if (state === null || wanted === null) return state === wanted;
  return Object.entries(wanted).every(([field, value]) => same(state[field], value));
}

/** A state reduced to the fields of another. */
export function narrowed(state: State, to: State): State {
  if (state === null || to === null) return state;
  return Object.fromEntries(Object.keys(to).map((field) => [field, state[field]]));
}

export function difference(state: State, wanted: State): string {
  if (state === null) return 'it no longer exists';
  if (wanted === null) return 'it exists';
  return differing('', state, wanted).join('; ');
}

/** One sentence for each field; those of fields that are objects are named by both. */
function differing(name: string, state: unknown, wanted: unknown): string[] {
  if (same(state, wanted)) return [];
  if ((wanted ?? null) === null) return [`${name} is ${shownValue(state)}, and was not set`];
  if (!isObject(state) || !isObject(wanted))
    return [`${name} is ${shownValue(state)}, not ${shownValue(wanted)}`];
  const keys = name === '' ? Object.keys(wanted) : Object.keys({ ...state, ...wanted });
  return keys.flatMap((key) => differing(name === '' ? key : `${name} ${key}`, state[key], wanted[key]));
}

/** A value in a sentence; a long one is cut. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  const text = typeof value === 'string' ? value : formatJson(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Deep equality of JSON values; null, undefined and an absent key are the same. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null);
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => same(item, b[index]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => same(left[key], right[key]));
}

/** An answer without what changes by itself or depends on the caller: links and permissions. */
export function bare(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const { urls: _, permissions: __, ...rest } = answer;
  return rest;
}

/** Fields that name a resource, the first that is there. */
const nameFields = ['title', 'displayName', 'label', 'name', 'subject', 'slug', 'hostname'] as const;

/** What people call a resource, as a state or an answer of it says. */
export function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const named: readonly unknown[] = [
    ...nameFields.map((field) => value[field]),
    isObject(value.user) ? nameIn(value.user) : undefined,
  ];
  return named.find((name): name is string => typeof name === 'string' && name.trim() !== '');
}

const longestTitle = 200;

/** The name that an answer tells and the state before it did not. */
export function titleToKeep(before: unknown, answer: unknown): string | undefined {
  return nameIn(before) === undefined ? nameIn(answer)?.slice(0, longestTitle) : undefined;
}
