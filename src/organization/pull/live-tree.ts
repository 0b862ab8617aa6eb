import { plainNumbers } from '../../api/json-values.js';
import type { TSchema } from '../../api/type.js';
import { conforms } from '../../api/validate.js';
import { addTo, isObject } from '../../base/values.js';
import { plainRole, roleField } from '../files/items.js';
import { markerOf, memberships, teamsKey } from '../files/layout.js';
import { operationOf } from '../files/values.js';
import type { Names } from '../keys.js';
import { kindOf, kinds } from '../kinds/index.js';
import {
  type Address,
  type Field,
  type Kind,
  type KindName,
  kindNames,
  type Live,
  type LiveItem,
  orderIndex,
} from '../model.js';
import { appliedEntries, isEmptyPart } from '../value.js';
import { FileReference, Inline } from './text-edits.js';

/** What the platform has, in the form and the order of the files. */
export class LiveTree {
  readonly #children = new Map<LiveItem | undefined, LiveItem[]>();
  /** Whether values conform to the schemas of their fields, which is asked twice of each. */
  readonly #fitting = new Map<Field, Map<unknown, boolean>>();
  /** Memberships by the id of the person. */
  readonly #teams = new Map<string, LiveItem[]>();
  /** Texts of files of their own, by path. */
  readonly texts = new Map<string, string>();

  constructor(
    readonly live: Live,
    readonly names: Names,
  ) {
    for (const { name } of kinds) {
      for (const item of live.items.get(name) ?? []) {
        if (name === memberships.name) addTo(this.#teams, item.natural ?? '', item);
        else addTo(this.#children, item.parent, item);
      }
    }
  }

  /** Whether a kind was to be read, be it that the platform refused it. */
  wasAsked(name: KindName): boolean {
    return this.live.items.has(name) || this.live.missed.some(({ kind }) => kind === name);
  }

  /** The memberships of a person that are in the files, or come into them. */
  teamsOf(person: LiveItem): readonly LiveItem[] {
    return (this.#teams.get(person.id) ?? []).filter((item) => this.names.of(item) !== undefined);
  }

  /** What stands directly in an item, or at the top, of some kinds, in the order in which files list it. */
  children(parent: LiveItem | undefined, kinds: readonly Kind[]): LiveItem[] {
    return this.unordered(parent, kinds).sort((a, b) => this.compare(a, b));
  }

  /** The same in any order. */
  unordered(parent: LiveItem | undefined, kinds: readonly Kind[]): LiveItem[] {
    const all = this.#children.get(parent);
    if (all === undefined) return [];
    const names = new Set(kinds.map(({ name }) => name));
    return all.filter((item) => names.has(item.kind) && this.names.of(item) !== undefined);
  }

  /** Ordered ones by their place, the others by key; kinds that share no order one after the other. */
  compare(a: LiveItem, b: LiveItem): number {
    const first = this.orderOf(a);
    const second = a.kind === b.kind && a.parent === b.parent ? first : this.orderOf(b);
    if (first !== second) return this.#rank(first ?? a.kind) - this.#rank(second ?? b.kind);
    if (first !== undefined && a.index !== b.index) return orderIndex(a) - orderIndex(b);
    if (a.kind !== b.kind) return this.#rank(a.kind) - this.#rank(b.kind);
    const one = this.names.of(a) ?? '';
    const two = this.names.of(b) ?? '';
    return one < two ? -1 : one > two ? 1 : 0;
  }

  /** The first of the kinds with which an item shares an order; undefined where the platform shows none. */
  orderOf(item: LiveItem): KindName | undefined {
    return this.orderIn(item.kind, item.parent?.kind ?? 'root');
  }

  orderIn(kind: KindName, parent: KindName | 'root'): KindName | undefined {
    const { order } = kindOf(kind);
    const isShown = order?.within === undefined || order.within.includes(parent);
    return order !== undefined && isShown ? (order.with[0] ?? kind) : undefined;
  }

  #rank(name: KindName): number {
    return kindNames.indexOf(name);
  }

  /** The fields of an item that are set, as the platform has them. */
  setFields(item: LiveItem): Record<string, unknown> {
    const kind = kindOf(item.kind);
    const set: Record<string, unknown> = {};
    for (const field of kind.fields) {
      const value = this.#valueOf(item, kind, field);
      if (value !== null) set[field.key] = value;
    }
    return set;
  }

  /** Null where it is not set, or no file could be read with it. */
  #valueOf(item: LiveItem, kind: Kind, field: Field): unknown {
    const value = setValue(field, item.fields[field.key]);
    return value !== null && this.fits(kind, field, value) ? value : null;
  }

  /** Whether a file with the value could be read: the platform may have longer texts than it takes now. */
  fits(kind: Kind, field: Field, value: unknown): boolean {
    if ((value ?? null) === null) return true;
    const known = this.#fitting.get(field)?.get(value);
    if (known !== undefined) return known;
    const { body } = operationOf(kind);
    const schema = (body?.properties as Readonly<Record<string, TSchema>> | undefined)?.[field.key];
    const fits = schema === undefined || conforms(schema, plainNumbers(this.fileValue(value)));
    if (typeof value !== 'object') this.#remember(field, value, fits);
    return fits;
  }

  #remember(field: Field, value: unknown, fits: boolean): void {
    const ofField = this.#fitting.get(field) ?? new Map<unknown, boolean>();
    this.#fitting.set(field, ofField.set(value, fits));
  }

  /** The entry of the lock for an item that is written as the platform has it. */
  appliedOf(item: LiveItem): Record<string, string> {
    return appliedEntries(kindOf(item.kind), item, this.names.ofId);
  }

  /** Keys and values of an item in a file, without what stands in it. */
  recordOf(item: LiveItem, file: string): Record<string, unknown> {
    const kind = kindOf(item.kind);
    const key = this.keyOf(item);
    const record: Record<string, unknown> = kind.spot.list === undefined ? {} : { [markerOf(kind)]: key };
    for (const field of kind.fields) {
      const value = this.#valueOf(item, kind, field);
      if (value === null) continue;
      record[field.key] =
        field.file === undefined ? this.fileValue(value) : this.inFile(field, key, value, file);
    }
    const teams = kind.name === 'people' ? this.teamsOf(item) : [];
    if (teams.length > 0) record[teamsKey] = this.#teamsValue(teams);
    return record;
  }

  keyOf(item: LiveItem): string {
    return this.keyAt(this.names.of(item) as Address);
  }

  /** What files call the item of an address. */
  readonly keyAt = (address: Address): string => {
    const [kind = ''] = address.split('/', 1);
    const key = address.slice(kind.length + 1);
    const isScoped = kindOf(kind as KindName)?.scope !== undefined;
    return isScoped ? key.slice(key.indexOf('/') + 1) : key;
  };

  /** A value in the form of the files: references are keys. */
  fileValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((part) => this.fileValue(part));
    if (!isObject(value)) return value;
    if (typeof value.$id === 'string') {
      const address = this.names.ofId(value.kind as KindName, value.$id);
      const key = address === undefined ? undefined : this.keyAt(address);
      // `id:` in a key is the id of what the item names; in a value, that of the item.
      return key === undefined || key.startsWith('id:') ? `id:${value.$id}` : key;
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.fileValue(part)]));
  }

  inFile(field: Field, key: string, value: unknown, file: string): FileReference {
    const path = field.file?.({ key }) ?? key;
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : '';
    this.texts.set(folder + path, referredText(value));
    return new FileReference(path);
  }

  #teamsValue(teams: readonly LiveItem[]): Inline {
    const roles = teams.map((item): [string, string] => [this.teamOf(item), String(item.fields[roleField])]);
    return teamsValue(roles.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  teamOf(membership: LiveItem): string {
    const team = membership.parent === undefined ? undefined : this.names.of(membership.parent);
    return team === undefined ? '' : this.keyAt(team);
  }
}

/** The text of a file for a value, with a line break at its end that is not part of it. */
export function referredText(value: unknown): string {
  return `${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`;
}

/** `[writers]`, or `{writers: owner}` where somebody is more than a member. */
export function teamsValue(roles: readonly (readonly [team: string, role: string])[]): Inline {
  const isPlain = roles.every(([, role]) => role === plainRole);
  return new Inline(isPlain ? roles.map(([team]) => team) : Object.fromEntries(roles));
}

/** Null where nothing is set; of maps, parts that are empty are not set; nor is what only ever goes to one value. */
export function setValue(field: Field, value: unknown): unknown {
  if (field.oneWay !== undefined && value !== field.oneWay.to) return null;
  if (!field.map) return value ?? null;
  const parts = Object.entries(isObject(value) ? value : {}).filter(([, part]) => !isEmptyPart(part));
  return parts.length === 0 ? null : Object.fromEntries(parts);
}
