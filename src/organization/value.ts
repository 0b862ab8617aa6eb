import { formatJson, isJsonObject, RawNumber } from '../api/transport/json-text.js';
import { usageError } from '../base/errors.js';
import { nodeCrypto } from '../base/hash.js';
import { isObject } from '../base/values.js';
import { type FromEnvironment, fingerprintOf, fromEnvironment } from '../jobs/environment.js';
import type { LockChange } from '../plans/plan.js';
import {
  type Address,
  type DesiredItem,
  type EnvironmentReference,
  type Field,
  type Guards,
  guardsAddress,
  type Kind,
  type KindName,
  type LiveItem,
  type Reference,
} from './model.js';

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

/** A value of a field: of a map that of one key. */
export interface FieldPart {
  field: Field;
  /** The key of a map. */
  key?: string;
  /** Its name in the lock and in plans: `title`, `fields.owner`. */
  name: string;
}

/** The values of a field that are named. */
export function namedParts(field: Field, value: unknown): (FieldPart & { value: unknown })[] {
  if (!field.map) return [{ field, name: field.key, value }];
  return partsOf(value).map(([key, part]) => ({ field, key, name: `${field.key}.${key}`, value: part }));
}

/**
 * Three-way: who changed a value since it was last applied, as the lock has it. Values are comparable. Without an entry it
 * is the file; a temporary name of an apply that did not end is no change of the platform.
 */
export function changedBy(
  former: Former,
  entry: string | undefined,
  { wanted, present, field }: { wanted: unknown; present: unknown; field?: Field },
): 'file' | 'platform' | 'both' {
  if (entry === undefined || isEntryOf(former, entry, present, field)) return 'file';
  if (isEntryOf(former, entry, wanted, field)) return 'platform';
  return isDetour(field, entry, present) ? 'file' : 'both';
}

/** Keeps the entries of the lock for a field and its parts: of what was not read, or what files do not name. */
export function keepEntries(
  { applied }: { applied: Record<string, string> },
  entries: Readonly<Record<string, string>>,
  name: string,
): void {
  for (const key in entries) {
    const isOf = key.startsWith(name) && (key.length === name.length || key[name.length] === '.');
    if (isOf) applied[key] = entries[key] as string;
  }
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
function isDetour(field: Field | undefined, entry: string | undefined, present: unknown): boolean {
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

/** How values of files and of the platform compare. */

/** A value with sorted keys, long numbers as their digits, and without what is not set: null, undefined and an absent key are the same. */
function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value === 'bigint') return new RawNumber(String(value));
  if (!isJsonObject(value)) return value ?? null;
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

/** Makes the hashes that comparing items with a lock needs of each, while nothing else is to be done. */
export function prepareHashes(items: Iterable<Pick<DesiredItem, 'fields' | 'parent'>>): void {
  for (const { fields, parent = null } of items) {
    valueHash(parent);
    for (const key in fields) if (typeof fields[key] !== 'object') valueHash(fields[key]);
  }
}

function hashed(value: unknown): string {
  return nodeCrypto()
    .createHash('sha256')
    .update(formatJson(normalized(value)))
    .digest('base64url')
    .slice(0, 16);
}

/** The keys in the lock for the parent of an item, and for what stands before it. */
export const parentEntry = 'in';
export const placeEntry = 'after';

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
  if (!isJsonObject(value)) return value;
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

/** The address of what a live item stands in, `id:<platform id>` where no file names it; null at the top. */
export function parentAddress({ parent }: LiveItem, addressOf: AddressOf): string | null {
  return parent === undefined ? null : (addressOf(parent.kind, parent.id) ?? `id:${parent.id}`);
}

/** The entries of the lock for a live item: its fields, and of kinds with an order its parent. */
export function appliedEntries(
  kind: Pick<Kind, 'fields' | 'key' | 'order'>,
  live: LiveItem,
  addressOf: AddressOf,
): Record<string, string> {
  const entries = readableHashes(kind, live, addressOf);
  if (kind.order !== undefined) entries[parentEntry] = valueHash(parentAddress(live, addressOf));
  return entries;
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

/** Guards that hold where the files do not name others. */
export const usualGuards = { minAdmins: 2, share: 0.25 };

/** Whether guards are looser than the defaults. */
export function isLooser({ minAdmins = usualGuards.minAdmins, requireSelf, maxRemovals }: Guards): boolean {
  const removesMore =
    maxRemovals !== undefined && ('count' in maxRemovals || maxRemovals.share > usualGuards.share);
  return minAdmins < usualGuards.minAdmins || requireSelf === false || removesMore;
}

/** The entry of the lock with which guards of the files count, also where they are looser than the defaults. */
export function entryOfGuards(guards: Guards, organizationId: string): LockChange {
  return { item: guardsAddress, to: { id: organizationId, applied: { guards: valueHash(guards) } } };
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

/** Values of `!env NAME`: compared as they are, never kept but as salted fingerprints. */

type Variables = Readonly<Record<string, string | undefined>>;

/** How entries of the lock for such values begin; the rest is `<salt>:<fingerprint>`. */
const salted = 'env:';

export class Environment {
  readonly #variables: Variables;
  readonly #sealed = new Map<string, FromEnvironment>();

  /** @throws DocsError usage `env_unset`, with all variables of the values that are not set */
  constructor(variables: Variables, values: Iterable<unknown>) {
    this.#variables = variables;
    const missing = new Set<string>();
    for (const value of values)
      for (const name of namesIn(value)) if (variables[name] === undefined) missing.add(name);
    if (missing.size > 0) throw unset([...missing].sort());
  }

  /** The value with those of its variables in place. */
  resolved(value: unknown): unknown {
    return replaced(value, ({ $env }) => this.#variables[$env]);
  }

  /** The value as plans and requests hold it: a reference with a fingerprint, the same all through a plan. */
  sealed(value: unknown): unknown {
    return replaced(value, ({ $env }) => this.#seal($env));
  }

  #seal(name: string): FromEnvironment {
    const known = this.#sealed.get(name);
    if (known !== undefined) return known;
    const sealed = fromEnvironment(this.#variables, name);
    this.#sealed.set(name, sealed);
    return sealed;
  }
}

/** Whether a value holds one of a variable. */
export function isSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null && namesIn(value).length > 0;
}

/** The entry of the lock for a value. @param secret it comes from a variable, so it must not be guessed from the entry */
export function lockHash(value: unknown, secret: boolean): string {
  if (!secret) return valueHash(value);
  const salt = nodeCrypto().randomBytes(16).toString('hex');
  return `${salted}${salt}:${fingerprintOf(valueHash(value), salt)}`;
}

/** Whether an entry of the lock is that of a value. */
export function isHashOf(entry: string | undefined, value: unknown): boolean {
  if (entry === undefined || !entry.startsWith(salted)) return entry === valueHash(value);
  const [salt = '', fingerprint] = entry.slice(salted.length).split(':');
  return fingerprintOf(valueHash(value), salt) === fingerprint;
}

function isReference(value: unknown): value is EnvironmentReference {
  return isObject(value) && typeof value.$env === 'string';
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return isReference(value) ? [value.$env] : Object.values(value).flatMap(namesIn);
}

function replaced(value: unknown, by: (reference: EnvironmentReference) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return by(value);
  if (Array.isArray(value)) return value.map((part) => replaced(part, by));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, by)]));
}

function unset(names: readonly string[]) {
  const what =
    names.length === 1
      ? `variable ${names[0]} is not set, but the files name it`
      : `variables ${names.join(', ')} are not set, but the files name them`;
  const message = `environment ${what}; nothing was changed`;
  return usageError('env_unset', message, {
    hint: `export ${names[0]}=…`,
    details: { variables: [...names] },
  });
}
