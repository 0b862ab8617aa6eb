import { createHash } from 'node:crypto';
import { formatJson, RawNumber } from '../api/transport/json-text.js';
import { isObject } from '../base/values.js';
import type { Field, Kind } from './kind.js';
import type { Address, KindName, LiveItem, Reference } from './model.js';

/** How values of files and of the platform compare. */

/** A value with sorted keys, long numbers as their digits, and without what is not set: null, undefined and an absent key are the same. */
export function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value === 'bigint') return new RawNumber(String(value));
  if (!isObject(value) || value instanceof RawNumber) return value ?? null;
  const set = Object.entries(value).filter(([, part]) => (part ?? null) !== null);
  return Object.fromEntries(
    set.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, normalized(part)]),
  );
}

/** Hashes of roles, booleans and short texts, of which large organizations have few: hashing them anew takes most of the time. */
const known = new Map<unknown, string>();
const mostKnown = 10_000;

/** The hash of a value in the form of the files, with references as addresses; for the lock. */
export function valueHash(value: unknown): string {
  const isSmall = typeof value !== 'object' && (typeof value !== 'string' || value.length <= 64);
  if (!isSmall) return hashed(value);
  const found = known.get(value);
  if (found !== undefined) return found;
  const hash = hashed(value);
  if (known.size < mostKnown) known.set(value, hash);
  return hash;
}

function hashed(value: unknown): string {
  return createHash('sha256')
    .update(formatJson(normalized(value)))
    .digest('base64url')
    .slice(0, 16);
}

/** Finds the address of an item of the platform, where files name it. */
export type AddressOf = (kind: KindName, id: string) => Address | undefined;

/**
 * A value of a file or of the platform in the form in which both compare: references name addresses, or
 * `id:<platform id>` where no file names the item; lists without an order are sorted.
 */
export function comparable(field: Field, value: unknown, addressOf: AddressOf): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  // Elsewhere, `$id` and `$ref` are what people wrote: a JSON Schema has both.
  const plain = field.refers === undefined ? value : referring(value, addressOf, field.refers);
  if (field.set !== true || !Array.isArray(plain)) return plain;
  return [...plain].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function sortKey(value: unknown): string {
  return typeof value === 'string' ? value : formatJson(normalized(value));
}

function referring(value: unknown, addressOf: AddressOf, kind: KindName | undefined): unknown {
  if (Array.isArray(value)) return value.map((part) => referring(part, addressOf, kind));
  if (!isObject(value) || value instanceof RawNumber) return value;
  if (typeof value.$ref === 'string') return reference(value.$ref, addressOf, kind);
  if (typeof value.$id === 'string') return byId(value.kind as KindName, value.$id, addressOf);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, referring(part, addressOf, kind)]),
  );
}

/** `id:x` or `teams/id:x`, also with a site between. */
const plainId = /^(?:([a-z-]+)\/)?(?:[^/]+\/)?id:(.+)$/;

/** The platform's id in a reference that names no item of the files. */
export function idIn(ref: string): { kind?: KindName; id: string } | undefined {
  const [, kind, id] = plainId.exec(ref) ?? [];
  if (id === undefined) return undefined;
  return kind === undefined ? { id } : { kind: kind as KindName, id };
}

function reference(ref: string, addressOf: AddressOf, refers: KindName | undefined): Reference {
  const plain = idIn(ref);
  if (plain === undefined) return { $ref: ref as Address };
  const kind = plain.kind ?? refers;
  return kind === undefined ? { $ref: `id:${plain.id}` as Address } : byId(kind, plain.id, addressOf);
}

function byId(kind: KindName, id: string, addressOf: AddressOf): Reference {
  return { $ref: addressOf(kind, id) ?? (`id:${id}` as Address) };
}

/**
 * The entries of the lock for every field of a live item that was read, whether files name it or not. Of a map, those
 * of the parts that are set, and one for the map itself, which says that no other part was.
 */
export function readableHashes(
  kind: Pick<Kind, 'fields' | 'key'>,
  { fields }: Pick<LiveItem, 'fields'>,
  addressOf: AddressOf,
): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const field of kind.fields) {
    const value = fields[field.key];
    if (value === undefined || (kind.key !== 'own' && kind.key.field === field.key)) continue;
    if (field.map) {
      hashes[field.key] = valueHash(null);
      for (const [key, part] of partsOf(value))
        if (!isEmptyPart(part)) hashes[`${field.key}.${key}`] = valueHash(comparable(field, part, addressOf));
    } else hashes[field.key] = valueHash(comparable(field, value, addressOf));
  }
  return hashes;
}

export function partsOf(map: unknown): [string, unknown][] {
  return isObject(map) ? Object.entries(map) : [];
}

/** Parts of maps that are empty are not set. */
export function isEmptyPart(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
