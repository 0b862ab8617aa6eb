import { isObject } from '../base/values.js';
import { keyIn, Names, noFiles } from '../organization/keys.js';
import type { Field, Kind } from '../organization/kind.js';
import { allowsNull } from '../organization/kinds/declare.js';
import { kinds } from '../organization/kinds/index.js';
import type {
  Address,
  Desired,
  DesiredItem,
  KindName,
  Live,
  LiveItem,
  LiveReference,
} from '../organization/model.js';
import type { Lock } from '../plans/lock.js';

/** What a backup says, in the form in which files of the organization as code say it. */

export interface Wanted {
  desired: Desired;
  /** Ties each item to the id that it has in the backup, where that is still there. Never written. */
  lock: Lock;
  /** What each item is in the backup. */
  items: ReadonlyMap<Address, LiveItem>;
}

export interface WantedOptions {
  /** Whether an item is to be restored; what is not only gives others their names. */
  isWanted(item: LiveItem): boolean;
  /** Whether a field of it is to be restored. */
  isWantedField(item: LiveItem, field: string): boolean;
  /** What a field of it is to be: in most cases what it is in the backup. */
  valueOf(item: LiveItem, field: string): unknown;
  /** Items that can neither be found nor be made now. */
  leftOut: ReadonlySet<LiveItem>;
  /** The place of an item among its siblings. */
  indexOf(item: LiveItem): number;
  /** Ids that the items of a kind have now, where they are not those of the backup. */
  now(kind: KindName, id: string): string;
}

/**
 * @param saved what the backup shows
 * @param live what the platform shows
 */
export function wantedBy(saved: Live, live: Live, options: WantedOptions): Wanted {
  const names = new Names(kinds, saved, undefined, noFiles);
  const present = idsOf(live);
  const desired = new Map<Address, DesiredItem>();
  const items = new Map<Address, LiveItem>();
  const entries: Record<string, Lock['items'][string]> = {};
  const lost = new Set([...options.leftOut].flatMap((item) => names.of(item) ?? []));
  const shape = { names, lost, ...options };
  for (const kind of kinds) {
    for (const item of saved.items.get(kind.name) ?? []) {
      const address = names.of(item);
      if (address === undefined || lost.has(address)) continue;
      desired.set(address, itemOf(kind, item, address, shape));
      items.set(address, item);
      const id = options.now(kind.name, item.id);
      if (present.has(`${kind.name} ${id}`)) entries[address] = { id, applied: {} };
    }
  }
  const lock: Lock = { version: 1, org: saved.organizationId, origin: '', items: entries };
  return { desired: { items: desired, scopes: [], guards: {} }, lock, items };
}

/** By kind: the id of a member of a team is that of the person. */
function idsOf({ items }: Live): ReadonlySet<string> {
  return new Set([...items].flatMap(([kind, list]) => list.map(({ id }) => `${kind} ${id}`)));
}

interface Shape extends WantedOptions {
  names: Names;
  /** Addresses of what is left out. */
  lost: ReadonlySet<Address>;
}

const place = { file: 'the backup', line: 1, column: 1, path: '' };

function itemOf(kind: Kind, item: LiveItem, address: Address, shape: Shape): DesiredItem {
  const { names } = shape;
  const isExternal = !shape.isWanted(item);
  const parent = item.parent && names.of(item.parent);
  const own = keyIn(address);
  return {
    kind: kind.name,
    address,
    key: kind.scope === undefined ? own : own.slice(own.indexOf('/') + 1),
    ...(parent !== undefined && { parent }),
    index: shape.indexOf(item),
    fields: isExternal ? {} : fieldsOf(kind, item, shape),
    protected: false,
    external: isExternal,
    at: place,
    places: {},
  };
}

/** What is not set in the backup is cleared where an operation can clear it. */
function fieldsOf(kind: Kind, item: LiveItem, shape: Shape): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const field of kind.fields) {
    const value = shape.valueOf(item, field.key);
    if (value === undefined || (value === null && !canClear(field))) continue;
    if (field.oneWay !== undefined && value !== field.oneWay.to) continue;
    if (!shape.isWantedField(item, field.key) || namesLost(value, shape)) continue;
    fields[field.key] = referring(value, shape.names);
  }
  return fields;
}

function namesLost(value: unknown, { names, lost }: Shape): boolean {
  if (!isReference(value)) return false;
  const address = names.ofId(value.kind, value.$id);
  return address !== undefined && lost.has(address);
}

/** A JSON Schema has `$id`, too. */
function isReference(value: unknown): value is LiveReference {
  if (!isObject(value) || typeof value.$id !== 'string' || typeof value.kind !== 'string') return false;
  return Object.keys(value).length === 2;
}

function canClear(field: Field): boolean {
  return field.map !== true && field.setBy === undefined && allowsNull(field.schema);
}

/** A reference as one that names an item by its address. */
function referring(value: unknown, names: Names): unknown {
  if (!isReference(value)) return value;
  return { $ref: names.ofId(value.kind, value.$id) ?? `${value.kind}/id:${value.$id}` };
}
