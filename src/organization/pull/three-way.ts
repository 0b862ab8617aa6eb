import { longestIncreasing } from '../../base/longest-increasing.js';
import { isObject } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import type { LockEntry } from '../../plans/plan.js';
import { kindOf, kinds } from '../kinds/index.js';
import type { DesiredItem, Field, Kind, KindName, LiveItem } from '../model.js';
import {
  type AddressOf,
  changedBy,
  comparable,
  type FieldPart,
  type Former,
  isEmptyPart,
  isEntryOf,
  isHashOf,
  isSecret,
  isUnsetEntry,
  keepEntries,
  namedParts,
  parentAddress,
  parentEntry,
  placeEntry,
  readableHashes,
  valueHash,
} from '../value.js';
import type { LiveTree } from './live-tree.js';

/**
 * The order of siblings, three-way like fields: the lock keeps of each the one that stood before it when both sides
 * agreed.
 */

/**
 * Where an item of the files is once they are written: `there`, where the platform has it and the files have it
 * already; `comes`: it goes there; `gone`: it leaves the files; `open`: the platform has it elsewhere, or not at all.
 */
export type ItemPresence = 'there' | 'comes' | 'gone' | 'open';

interface OrderContext {
  tree: LiveTree;
  items: Iterable<DesiredItem>;
  added: Iterable<LiveItem>;
  liveOf(address: DesiredItem['address']): LiveItem | undefined;
  standing(item: DesiredItem): ItemPresence;
  applied(item: DesiredItem): Readonly<Record<string, string>> | undefined;
}

interface Orders {
  /** Those that the platform has elsewhere in their lists, where the files have what was last applied. */
  moves: DesiredItem[];
  /** Those whose places differ, where the files were edited. */
  kept: DesiredItem[];
  /** Entries of the lock, where both sides agree once the files are written. */
  places: Map<LiveItem, string>;
}

/** What stands in one item or at the top, of kinds that share an order. */
interface Siblings {
  /** In the order of the file, without what stands where the platform does not show it. */
  inFile: DesiredItem[];
  /** What the platform has there and the files have or get. */
  live: LiveItem[];
}

/** Compares the orders of files, platform and lock. */
export function ordersOf(context: OrderContext): Orders {
  const { standing, liveOf } = context;
  const orders: Orders = { moves: [], kept: [], places: new Map() };
  for (const { inFile, live } of siblingsOf(context)) {
    live.sort((a, b) => a.index - b.index);
    if (live.some(({ index }, at) => index === live[at - 1]?.index)) continue;
    const there = inFile.filter((item) => standing(item) === 'there');
    const inOrder = longestIncreasing(there.map(({ address }) => liveOf(address)?.index));
    const outside = there.filter((_, at) => !inOrder.has(at));
    if (outside.length > 0 && !isAsApplied(context, inFile)) {
      orders.kept.push(...outside);
      continue;
    }
    orders.moves.push(...outside);
    if (!inFile.some((item) => standing(item) === 'open')) setPlaces(context.tree, live, orders.places);
  }
  return orders;
}

/** The entries of the lock for an organization that is written as the platform has it. */
export function placesOf(tree: LiveTree): ReadonlyMap<LiveItem, string> {
  const ordered = kinds.filter(({ order }) => order !== undefined);
  const added = ordered.flatMap(({ name }) => tree.live.items.get(name) ?? []);
  const noFiles = { items: [], liveOf: () => undefined, applied: () => undefined };
  return ordersOf({ tree, added, ...noFiles, standing: () => 'open' }).places;
}

function siblingsOf(context: OrderContext): Iterable<Siblings> {
  const { tree, liveOf } = context;
  const found = new Map<LiveItem | undefined, Map<KindName, Siblings>>();
  const at = (kind: KindName, parent: LiveItem | undefined): Siblings | undefined => {
    const order = tree.orderIn(kind, parent?.kind ?? 'root');
    if (order === undefined) return undefined;
    const here = found.get(parent) ?? new Map<KindName, Siblings>();
    const siblings = here.get(order) ?? { inFile: [], live: [] };
    found.set(parent, here.set(order, siblings));
    return siblings;
  };
  for (const item of context.items) {
    if (item.external || kindOf(item.kind).order === undefined) continue;
    const live = liveOf(item.address);
    if (live !== undefined && live.index < 0) continue;
    const parent = item.parent && liveOf(item.parent);
    if (item.parent === undefined || parent !== undefined) at(item.kind, parent)?.inFile.push(item);
    const standing = context.standing(item);
    if (live !== undefined && (standing === 'there' || standing === 'comes'))
      at(live.kind, live.parent)?.live.push(live);
  }
  for (const live of context.added)
    if (live.index >= 0 && tree.names.of(live) !== undefined) at(live.kind, live.parent)?.live.push(live);
  return [...found.values()].flatMap((orders) => [...orders.values()]);
}

function isAsApplied({ applied }: OrderContext, inFile: readonly DesiredItem[]): boolean {
  return inFile.every((item, at) => {
    const entry = applied(item)?.[placeEntry];
    return entry !== undefined && isHashOf(entry, inFile[at - 1]?.address ?? null);
  });
}

function setPlaces(tree: LiveTree, live: readonly LiveItem[], places: Map<LiveItem, string>): void {
  for (const [at, item] of live.entries()) {
    const before = live[at - 1];
    places.set(item, valueHash((before && tree.names.of(before)) ?? null));
  }
}

/** Files, platform, and what was last applied: what pull writes of an item that all of them know. */

export interface FieldPull extends FieldPart {
  /** As the platform has it; undefined: not set. */
  value: unknown;
}

export interface ItemPull {
  /** What the platform changed, to write into the file. */
  writes: FieldPull[];
  /** Names of fields that were edited in the file, and of those the ones that the platform changed too. */
  edited: string[];
  conflicts: string[];
  /** Names of fields that the platform has a value for that no file could be read with. */
  unfit: string[];
  /** Names of fields that the platform shows no value of, although no operation takes it away. */
  vanished: string[];
  /** Whether the platform has it under another parent, and the file is to follow. */
  moves: boolean;
  /** Whether something changed on the platform that the file does not name: the lock follows. */
  follows: boolean;
  applied: Record<string, string>;
}

interface PullContext {
  addressOf: AddressOf;
  /** Former addresses of items whose keys have changed in the files. */
  former: Former;
  /** Whether the platform wins whatever the file says. */
  take: boolean;
  entry: LockEntry | undefined;
  fits(field: Field, value: unknown): boolean;
}

export function nothingPulled(): Omit<ItemPull, 'moves' | 'applied'> {
  return { writes: [], edited: [], conflicts: [], unfit: [], vanished: [], follows: false };
}

export function pulledFields(context: PullContext, kind: Kind, item: DesiredItem, live: LiveItem): ItemPull {
  const result: ItemPull = { ...nothingPulled(), moves: false, applied: {} };
  const before = context.entry?.applied ?? {};
  for (const field of kind.fields) {
    const wanted = item.fields[field.key];
    const isGone = wanted !== undefined && live.fields[field.key] === null;
    if (isGone && kind.cannot?.[`clear ${field.key}`] !== undefined && !context.take) {
      keepEntries(result, before, field.key);
      result.vanished.push(field.key);
      continue;
    }
    if (!(field.key in live.fields)) {
      keepEntries(result, before, field.key);
      continue;
    }
    const present = live.fields[field.key];
    pullUnnamed(context, result, kind, { item, field, present });
    if (wanted === undefined) continue;
    for (const { value: own, ...part } of namedParts(field, wanted))
      pullOne(context, result, { ...part, value: field.map ? partOf(present, part.key) : present }, own);
  }
  if (kind.order !== undefined) pullParent(context, result, item, live);
  return result;
}

/** Why fields stay as the file has them, as the rest of sentences. */
export function whyKept({ edited, conflicts, unfit, vanished }: ItemPull): string[] {
  return [
    [conflicts, 'changed both here and on the platform'] as const,
    [unfit, 'has a value on the platform that files cannot have'] as const,
    [vanished, 'is no longer shown by the platform, although the API cannot remove it'] as const,
    [edited, 'edited here and not applied yet'] as const,
  ].flatMap(([fields, why]) => (fields.length === 0 ? [] : [`${fields.join(', ')} ${why}`]));
}

/**
 * What the file does not name: a value that was not set when it was last pulled or applied comes into the file; one
 * that the file leaves to the platform does not.
 */
function pullUnnamed(
  { entry, former, addressOf, fits }: PullContext,
  result: ItemPull,
  kind: Kind,
  { item, field, present }: { item: DesiredItem; field: Field; present: unknown },
): void {
  const { key } = field;
  const wanted = item.fields[key];
  const before = entry?.applied ?? {};
  const now = readableHashes({ ...kind, fields: [field] }, { fields: { [key]: present } }, addressOf);
  const isNamed = (name: string) =>
    field.map ? isObject(wanted) && name.slice(key.length + 1) in wanted : wanted !== undefined;
  for (const name of new Set([...Object.keys(now), ...partNames(field, before)])) {
    if (isNamed(name)) continue;
    const isMap = field.map === true && name === key;
    const part = field.map && !isMap ? name.slice(key.length + 1) : undefined;
    const value = part === undefined ? present : partOf(present, part);
    const known = before[name] ?? (part === undefined ? undefined : before[key]);
    const isSame = isMap || isEntryOf(former, known, comparable(field, value ?? null, addressOf), field);
    if (known !== undefined && isSame) {
      result.applied[name] = known;
      continue;
    }
    if (now[name] !== undefined) result.applied[name] = now[name];
    if (known === undefined || isMap) continue;
    result.follows = true;
    const pull: FieldPull = { field, name, value, key: part };
    const comes = !item.external && isUnsetEntry(field, known) && isValue(pull);
    if (comes && fits(field, whole(pull))) result.writes.push(pull);
  }
}

function partNames({ map, key }: Field, entries: Readonly<Record<string, string>>): string[] {
  return map ? Object.keys(entries).filter((name) => name.startsWith(`${key}.`)) : [];
}

function partOf(map: unknown, key = ''): unknown {
  return isObject(map) ? map[key] : undefined;
}

function isValue({ field: { oneWay }, value, key }: FieldPull): boolean {
  if (oneWay !== undefined) return value === oneWay.to;
  return key === undefined ? (value ?? null) !== null : !isEmptyPart(value);
}

function pullOne(context: PullContext, result: ItemPull, pull: FieldPull, wanted: unknown): void {
  const { name } = pull;
  const before = context.entry?.applied[name];
  // A variable is known where it is set, which need not be here.
  if (isSecret(wanted)) {
    if (before !== undefined) result.applied[name] = before;
    return;
  }
  const inFile = comparable(pull.field, wanted, context.addressOf);
  const isUnset = pull.key !== undefined && isEmptyPart(pull.value);
  const present = comparable(pull.field, pull.value, context.addressOf);
  const choice = chosen(context, before, { wanted: inFile, present, field: pull.field });
  if (choice === 'same') result.applied[name] = valueHash(inFile);
  else if (choice === 'live' && !isUnset && !context.fits(pull.field, whole(pull))) {
    if (before !== undefined) result.applied[name] = before;
    result.unfit.push(name);
  } else if (choice === 'live') {
    result.writes.push(pull);
    if (!isUnset) result.applied[name] = valueHash(present);
  } else {
    if (before !== undefined) result.applied[name] = before;
    result[choice === 'conflict' ? 'conflicts' : 'edited'].push(name);
  }
}

/** The value of the field, of a map with that part alone. */
function whole({ key, value }: FieldPull): unknown {
  return key === undefined ? value : { [key]: value };
}

function chosen(
  { take, former }: PullContext,
  before: string | undefined,
  three: { wanted: unknown; present: unknown; field?: Field },
): 'same' | 'live' | 'file' | 'conflict' {
  if (same(three.wanted, three.present)) return 'same';
  if (take) return 'live';
  return ({ file: 'file', platform: 'live', both: 'conflict' } as const)[changedBy(former, before, three)];
}

function pullParent(context: PullContext, result: ItemPull, item: DesiredItem, live: LiveItem): void {
  const before = context.entry?.applied[parentEntry];
  const inFile = item.parent ?? null;
  const present = parentAddress(live, context.addressOf);
  const isElsewhere = present?.startsWith('id:') === true;
  const found = chosen(context, before, { wanted: inFile, present });
  // There is no place in the files for what stands in something that no file names.
  const choice = found === 'live' && isElsewhere ? 'conflict' : found;
  if (choice === 'same' || choice === 'live') result.applied[parentEntry] = valueHash(present);
  else if (before !== undefined) result.applied[parentEntry] = before;
  if (choice === 'live') result.moves = true;
  else if (choice !== 'same') result[choice === 'conflict' ? 'conflicts' : 'edited'].push('parent');
}

/** Whether the file has nothing but what was last applied, so that it may follow the platform. */
export function isUnedited(
  kind: Kind,
  item: DesiredItem,
  { applied }: LockEntry,
  addressOf: AddressOf,
  former: Former,
): boolean {
  return kind.fields.every((field) => {
    const wanted = item.fields[field.key];
    if (wanted === undefined) return true;
    return namedParts(field, wanted).every(({ name, value: part }) => {
      const before = applied[name];
      return (
        isSecret(part) ||
        (before !== undefined && isEntryOf(former, before, comparable(field, part, addressOf), field))
      );
    });
  });
}
