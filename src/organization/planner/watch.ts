import { pluralOf } from '../../base/name.js';
import { addTo, isObject } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import { counted } from '../../output/text.js';
import type { PlanNote } from '../../plans/plan.js';
import {
  type Address,
  type DesiredItem,
  type Field,
  guardsAddress,
  type KindName,
  kindIn,
  type LiveItem,
} from '../model.js';
import {
  comparable,
  isEmptyPart,
  isEntryOf,
  isUnsetEntry,
  parentAddress,
  parentEntry,
  partsOf,
} from '../value.js';
import { goesAlong } from './absent.js';
import { isKeyField } from './compare.js';
import type { Drafting } from './drafting.js';
import type { World } from './world.js';

/**
 * What the files do not name, compared with the last pull or apply: fields of their items, and items that left them.
 * `docs plan drift` has findings for what differs and for what the lock does not tell; other plans have notes.
 */
export function watched(drafting: Drafting): PlanNote[] {
  const { world } = drafting;
  if (world.lock === undefined || world.options.watches !== true) return [];
  const watch = new Watch(world);
  for (const item of world.desired.items.values()) watch.named(item);
  const left = leftItems(world);
  for (const { address, live } of left) watch.left(address, live);
  const { changed, unknown } = watch;
  if (world.options.only !== 'drift') return [...changed.map(noteOf), ...leftNotes(drafting, left)];
  for (const { item, ...rest } of changed) drafting.find(item, { cause: 'drift', code: 'unnamed', ...rest });
  if (unknown.length > 0) drafting.find(lockItem, { cause: 'drift', code: 'unwatched', ...lackOf(unknown) });
  return [...leftNotes(drafting, left), watch.told()];
}

const lockItem = { kind: 'organization', address: 'organization/lock', key: 'docs.lock.json' } as const;

interface Difference {
  item: Pick<DesiredItem, 'kind' | 'address' | 'key'>;
  fields: Record<string, { before: unknown }>;
  message: string;
  hint: string;
}

class Watch {
  readonly changed: Difference[] = [];
  /** Items of which the lock does not tell everything that was last pulled or applied. */
  readonly unknown: Address[] = [];
  readonly #kinds = new Set<KindName>();
  #items = 0;
  #fields = 0;

  constructor(private readonly world: World) {}

  /** An item of the files. What they name differs by a change, drift or conflict, which the plan has. */
  named(item: DesiredItem): void {
    const live = this.world.matched.live.get(item.address);
    if (item.external || live === undefined) return;
    const { names, comes } = this.#compare(item.address, live, item);
    if (names.length === 0) return;
    const { file } = item.at;
    const taking = comes
      ? '"docs pull --only drift" writes it into the file'
      : '"docs pull" takes the present value';
    const message = `Changed on the platform since the last pull or apply, and not named in ${file}: ${names.join(', ')}.`;
    const hint = `${taking}; to revert it, name it in ${file} and apply.`;
    this.#add(item, live, names, message, hint);
  }

  /** An item that the lock knows and no file names. */
  left(address: Address, live: LiveItem | undefined): void {
    if (live === undefined) return void this.unknown.push(address);
    const { names } = this.#compare(address, live, undefined);
    if (names.length === 0) return;
    const item = { kind: live.kind, address, key: this.world.callOf(live) };
    const message = `No longer in the files, and changed on the platform since the last pull or apply: ${names.join(', ')}.`;
    const hint = '"docs pull" takes the present value; to manage it, add it to the files again.';
    this.#add(item, live, names, message, hint);
  }

  told(): PlanNote {
    const kinds = [...this.#kinds].map((name) => pluralOf(this.world.kind(name).one));
    const what = `${counted(this.#items, 'item')} and ${counted(this.#fields, 'field')}`;
    const message = `Compared ${what} with the last pull or apply: ${kinds.join(', ') || 'nothing'}.`;
    const hint = '"docs help guide organization-as-code" lists the changes that drift does not show.';
    return { code: 'watched', item: lockItem.key, message, hint, count: this.#items };
  }

  /** @returns the fields that no file names and that differ; whether pull writes all of them into the file */
  #compare(
    address: Address,
    live: LiveItem,
    item: DesiredItem | undefined,
  ): { names: string[]; comes: boolean } {
    const { world } = this;
    this.#kinds.add(live.kind);
    this.#items += 1;
    const entry = item === undefined ? world.lock?.items[address] : world.entry(address);
    const parts = entry?.id === live.id ? partsToWatch(world, live, item, entry.applied) : undefined;
    let isKnown = parts !== undefined;
    const names: string[] = [];
    let comes = true;
    for (const part of parts ?? []) {
      this.#fields += 1;
      if (part.entry === undefined) isKnown = false;
      else if (this.#isAsApplied(part)) continue;
      else if (part.named === undefined) {
        names.push(part.name);
        comes &&= part.field !== undefined && isUnsetEntry(part.field, part.entry);
      }
      // Files and platform agree on something else: the lock is older than that.
      else if (part.named === 'equal') isKnown = false;
    }
    if (!isKnown) this.unknown.push(address);
    return { names, comes };
  }

  #isAsApplied({ entry, value, field }: WatchedEntry): boolean {
    return isEntryOf(this.world.matched.former, entry, value, field);
  }

  #add(item: Difference['item'], { fields }: LiveItem, names: string[], message: string, hint: string): void {
    const shown = names.map((name) => [name, { before: shownValue(fields, name) }]);
    const { kind, address, key } = item;
    this.changed.push({ item: { kind, address, key }, fields: Object.fromEntries(shown), message, hint });
  }
}

/** What the platform has now: of `fields.owner` the part of the map. */
function shownValue(fields: LiveItem['fields'], name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name] ?? null;
  const [map = '', part = ''] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)];
  return (fields[map] as Readonly<Record<string, unknown>> | undefined)?.[part] ?? null;
}

function noteOf({ item, message, hint }: Difference): PlanNote {
  return { code: 'unnamed', item: item.address, message, hint };
}

function lackOf(unknown: readonly Address[]): { message: string; hint: string } {
  const first = unknown.slice(0, 3).join(', ');
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
  return {
    message:
      `docs.lock.json does not have the last pulled or applied state of ${counted(unknown.length, 'item')}, ` +
      `so changes made by hand may go unseen: ${first}${more}.`,
    hint: 'Commit the docs.lock.json of the last apply; if there is none, "docs pull" writes down how things are now.',
  };
}

/** A value that was read, and what the lock has of it. */
interface WatchedEntry {
  field?: Field;
  /** As in the lock: `title`, `fields.owner`, `in`. */
  name: string;
  /** Comparable, as the platform has it. */
  value: unknown;
  entry: string | undefined;
  /** Where the files name it, whether they have the same. */
  named?: 'equal' | 'other';
}

type Entries = Readonly<Record<string, string>>;

/** Everything of an item that was read. @param item undefined where no file names it */
function partsToWatch(
  world: World,
  live: LiveItem,
  item: DesiredItem | undefined,
  applied: Entries,
): WatchedEntry[] {
  const kind = world.kind(live.kind);
  const parts: WatchedEntry[] = [];
  for (const field of kind.fields) {
    if (isKeyField(kind, field) || !(field.key in live.fields) || !isNameable(world, field)) continue;
    const wanted = item?.fields[field.key];
    if (wanted !== undefined && !field.map && isPlanned(world)) continue;
    const present = live.fields[field.key];
    if (field.map) parts.push(...partsOfMap(world, { field, present, wanted, applied }));
    else parts.push(partOf(world, { field, name: field.key, present, wanted, entry: applied[field.key] }));
  }
  if (kind.order === undefined || (item !== undefined && isPlanned(world))) return parts;
  const value = parentAddress(live, world.addressOf);
  const wanted = item === undefined ? undefined : (item.parent ?? null);
  return [...parts, { name: parentEntry, value, entry: applied[parentEntry], ...namedAs(wanted, value) }];
}

/** Whether the plan itself compares what the files name. That of drift says more: which items the lock does not tell. */
function isPlanned({ options }: World): boolean {
  return options.only !== 'drift';
}

/** What a reference names is known by its key only where its kind was read. */
function isNameable({ live }: World, { refers, orElse }: Field): boolean {
  return (refers === undefined || live.items.has(refers)) && (orElse === undefined || live.items.has(orElse));
}

function* partsOfMap(
  world: World,
  map: { field: Field; present: unknown; wanted: unknown; applied: Entries },
): Generator<WatchedEntry> {
  const { field, present, wanted, applied } = map;
  const unset = applied[field.key];
  if (unset === undefined) {
    yield { field, name: field.key, value: present, entry: undefined };
    return;
  }
  const values = new Map(partsOf(present));
  const desired = isObject(wanted) ? wanted : {};
  const prefix = `${field.key}.`;
  const locked = Object.keys(applied).filter((name) => name.startsWith(prefix));
  const keys = new Set([...values.keys(), ...locked.map((name) => name.slice(prefix.length))]);
  for (const key of keys) {
    const [name, value] = [prefix + key, values.get(key)];
    // What was removed as a whole is missed there, and not in each item.
    if (!values.has(key) && field.mapOf !== undefined && !isThere(world, field.mapOf, key)) continue;
    const part = { field, name, present: isEmptyPart(value) ? null : value, wanted: desired[key] };
    yield partOf(world, { ...part, entry: applied[name] ?? unset });
  }
}

function isThere({ live }: World, kind: NonNullable<Field['mapOf']>, key: string): boolean {
  return live.items.get(kind)?.some(({ natural, id }) => (natural ?? id) === key) !== false;
}

function partOf(
  world: World,
  part: { field: Field; name: string; present: unknown; wanted: unknown; entry: string | undefined },
): WatchedEntry {
  const { field, name, present, wanted, entry } = part;
  const value = comparable(field, present, world.addressOf);
  const own =
    wanted === undefined ? undefined : world.environment.resolved(comparable(field, wanted, world.addressOf));
  return { field, name, value, entry, ...namedAs(own, value) };
}

function namedAs(wanted: unknown, value: unknown): Pick<WatchedEntry, 'named'> {
  if (wanted === undefined) return {};
  return { named: same(wanted, value) ? 'equal' : 'other' };
}

/** Items that were pulled or applied, and that left the files since. */

export interface LeftItem {
  address: Address;
  /** Undefined where its kind was not read. */
  live: LiveItem | undefined;
}

/** Without those that left the platform, too. */
export function leftItems(world: World): LeftItem[] {
  const found: LeftItem[] = [];
  for (const { name } of world.kinds.values()) {
    for (const live of world.live.items.get(name) ?? []) {
      if (world.matched.named.has(live)) continue;
      const address = world.lockedAs(live);
      if (address !== undefined) found.push({ address, live });
    }
  }
  const former = new Set(world.matched.former.values());
  for (const item in world.lock?.items) {
    const address = item as Address;
    const kind = kindIn(address);
    if (address === guardsAddress || world.live.items.has(kind) || !world.kinds.has(kind)) continue;
    if (!world.desired.items.has(address) && !former.has(address)) found.push({ address, live: undefined });
  }
  return found;
}

/** A note for each kind; what a list that names all no longer has is withheld or deleted, and no note. */
function leftNotes(drafting: Drafting, left: readonly LeftItem[]): PlanNote[] {
  const { world } = drafting;
  const addresses = new Set<string>(left.map(({ address }) => address));
  const byKind = new Map<KindName, Address[]>();
  for (const { address, live } of left) {
    const kind = kindIn(address);
    if (isPart(world, kind, address, addresses)) continue;
    if (live !== undefined && (isTold(drafting, live) || goesAlong(drafting, world.kind(kind), live)))
      continue;
    addTo(byKind, kind, address);
  }
  return [...byKind].map(([kind, items]) => leftNote(world, kind, items));
}

/** Whether the item around it, or the one that it names, left as well, or has a note of its own. */
function isPart(world: World, kind: KindName, address: Address, left: ReadonlySet<string>): boolean {
  const { scope, names } = world.kind(kind);
  const [, around, ...rest] = address.split('/');
  if (scope !== undefined && left.has(`${scope}/${around}`)) return true;
  return names !== undefined && left.has(`${names}/${rest.join('/')}`);
}

/** Whether the plan has it as withheld or deleted, or among the memberships that stay. */
function isTold({ world }: Drafting, live: LiveItem): boolean {
  if (world.options.only !== 'drift' && world.scopeOf(live.kind, live)?.manage === 'exact') return true;
  return world.kind(live.kind).names === 'people';
}

function leftNote(world: World, kind: KindName, items: readonly Address[]): PlanNote {
  const { spot, one } = world.kind(kind);
  const [first = ''] = items;
  const many = items.length > 1;
  const named = items.slice(0, 3).join(', ') + (items.length > 3 ? ` and ${items.length - 3} more` : '');
  const what = many ? `${items.length} ${pluralOf(world.kind(kind).one)} are` : `The ${one} is`;
  return {
    code: 'left',
    item: many ? kind : first,
    message: `${what} no longer in the files, so no plan changes ${many ? `them: ${named}` : 'it'}.`,
    hint: `To manage ${many ? 'them' : 'it'} again, put ${many ? 'them' : 'it'} back into ${spot.file}.`,
    ...(many && { count: items.length }),
  };
}
