import { createHash } from 'node:crypto';
import { formatJson } from '../api/transport/json-text.js';
import { isObject } from '../is-object.js';

/** How values of files and of the platform compare. */

/** A value with sorted keys, and without what is not set: null, undefined and an absent key are the same. */
export function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized);
  if (!isObject(value)) return value ?? null;
  const set = Object.entries(value).filter(([, part]) => (part ?? null) !== null);
  return Object.fromEntries(
    set.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, normalized(part)]),
  );
}

/** The hash of a value in the form of the files, with references as addresses; for the lock. */
export function valueHash(value: unknown): string {
  return createHash('sha256')
    .update(formatJson(normalized(value)))
    .digest('base64url')
    .slice(0, 16);
}
