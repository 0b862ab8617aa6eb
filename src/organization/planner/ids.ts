import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { isObject } from '../../base/values.js';
import type { Kind } from '../kind.js';
import type { Address, DesiredItem, KindName, LiveItem } from '../model.js';
import { idIn } from '../value.js';
import type { World } from './world.js';

/** What a request is built from: the path or a value, and the items without an id that it would need. */
export interface Resolved<T> {
  value: T;
  missing: readonly Address[];
}

/** The ids of items: those of the platform, and those that operations of the plan make. */
export class Ids {
  readonly #world: World;
  readonly #made = new Map<Address, unknown>();

  constructor(world: World) {
    this.#world = world;
  }

  /** @param id a string, or a reference to what makes it */
  set(address: Address, id: unknown): void {
    this.#made.set(address, id);
  }

  isMade(address: Address): boolean {
    return this.#made.has(address);
  }

  /** undefined where the item is not on the platform and no operation makes it. */
  of(address: Address): unknown {
    return this.#made.get(address) ?? this.#world.liveId(address);
  }

  /** The parameters in the path of an operation on an item, by name (see `Kind`). */
  path(op: AnyOperation, kind: Kind, item: DesiredItem): Resolved<Record<string, unknown>> {
    const missing: Address[] = [];
    const value: Record<string, unknown> = {};
    for (const name of pathParameters(op.path)) {
      const address = this.#named(name, kind, item);
      const id = address === undefined ? this.#world.live.organizationId : this.of(address);
      if (id === undefined && address !== undefined) missing.push(address);
      value[name] = id;
    }
    return { value, missing };
  }

  /** The item whose id a parameter takes; undefined for the organization. */
  #named(parameter: string, kind: Kind, item: DesiredItem): Address | undefined {
    if (parameter === kind.parameter && kind.name !== 'organization') {
      const isNew = this.of(item.address) === undefined;
      return isNew && kind.names !== undefined ? `${kind.names}/${item.key}` : item.address;
    }
    for (let at = item.parent; at !== undefined; at = this.#world.item(at)?.parent) {
      const name = at.slice(0, at.indexOf('/')) as KindName;
      if (this.#world.kinds.get(name)?.parameter === parameter) return at;
    }
    return undefined;
  }

  /** A value in the form in which requests have it: ids for references, seals for variables. */
  sendable(value: unknown): Resolved<unknown> {
    const missing: Address[] = [];
    return { value: this.#sent(this.#world.environment.sealed(value), missing), missing };
  }

  /** Only a whole value names an item: within one, `$id` and `$ref` are those of a JSON Schema. */
  #sent(value: unknown, missing: Address[]): unknown {
    if (!isObject(value)) return value;
    const size = Object.keys(value).length;
    if (typeof value.$id === 'string' && typeof value.kind === 'string' && size === 2) return value.$id;
    if (typeof value.$ref !== 'string' || size !== 1) return value;
    const address = value.$ref as Address;
    const id = this.of(address);
    if (id === undefined) missing.push(address);
    return id;
  }
}

/** The parameters of a path for an item that no file names. */
export function livePath(world: World, op: AnyOperation, live: LiveItem): Record<string, string> {
  const idOf = (name: string): string => {
    for (let at: LiveItem | undefined = live; at !== undefined; at = at.parent)
      if (at.kind !== 'organization' && world.kind(at.kind).parameter === name) return at.id;
    return world.live.organizationId;
  };
  return Object.fromEntries(pathParameters(op.path).map((name) => [name, idOf(name)]));
}

/** The kind of item that a reference names. */
export function kindNamed(value: unknown): KindName | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value.$id === 'string') return value.kind as KindName;
  if (typeof value.$ref !== 'string') return undefined;
  const plain = idIn(value.$ref);
  return plain === undefined ? (value.$ref.slice(0, value.$ref.indexOf('/')) as KindName) : plain.kind;
}

/** A value as files write it: keys for references. */
export function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value ?? null;
  if (typeof value.$ref === 'string') return keyOf(value.$ref);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shown(part)]));
}

/** The last part of an address. */
export function keyOf(address: string): string {
  return address.startsWith('id:') ? address : address.slice(address.lastIndexOf('/') + 1);
}
