import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { addTo, isObject } from '../../base/values.js';
import { changeId, changeIndex, findReferences, renameReferences } from '../../jobs/change.js';
import type { Action, ChangeDraft, Draft, FindingDraft, LockChange, LockEntry } from '../../plans/plan.js';
import { type Address, type DesiredItem, type KindName, kindIn, kindNames, type LiveItem } from '../model.js';
import { idIn } from '../value.js';
import type { World } from './world.js';

/** What a request is built from: the path or a value, and the items without an id that it would need. */
interface Resolved<T> {
  value: T;
  missing: readonly Address[];
}

/** The ids of items: those of the platform, and those that operations of the plan make. */
class Ids {
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
  path(op: AnyOperation, item: DesiredItem): Resolved<Record<string, unknown>> {
    const missing: Address[] = [];
    const value: Record<string, unknown> = {};
    for (const name of pathParameters(op.path)) {
      const address = this.#named(name, item);
      const id = address === undefined ? this.#world.live.organizationId : this.of(address);
      if (id === undefined && address !== undefined) missing.push(address);
      value[name] = id;
    }
    return { value, missing };
  }

  /** The item whose id a parameter takes; undefined for the organization. */
  #named(parameter: string, item: DesiredItem): Address | undefined {
    const kind = this.#world.kind(item.kind);
    if (parameter === kind.parameter && kind.name !== 'organization') {
      const isNew = this.of(item.address) === undefined;
      return isNew && kind.names !== undefined ? `${kind.names}/${item.key}` : item.address;
    }
    for (let at = item.parent; at !== undefined; at = this.#world.item(at)?.parent) {
      const name = kindIn(at);
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

/** Whether files or somebody by hand brought a difference about. */
export type Cause = 'change' | 'drift';

export type Shown = Record<string, { before?: unknown; after?: unknown }>;

/** A draft on its way into the plan: until the order is settled, its references name changes as they were added. */
export interface ItemDraft extends ChangeDraft {
  /** By which references name it until then. */
  id: string;
  kind: KindName;
  /** The item that it is about: of the files, or as the lock calls it. */
  address: Address;
  /** What people call the item. */
  key: string;
  action: Action;
  cause: Cause;
  fields: Shown;
  /** What must succeed first: what makes its ids, and what it waits for. */
  after: Set<ItemDraft>;
  /** Lower ones come first where nothing else decides. */
  rank: readonly number[];
  risks: string[];
  /** What the platform has of it before; undefined where it is new. */
  live?: LiveItem;
  /** Entries of the lock that hold once it is done; null where it removes the item. */
  applied: Readonly<Record<string, string>> | null;
}

/** A draft as it is added; its path and body may have references. */
export interface AddedDraft
  extends Pick<ItemDraft, 'action' | 'cause' | 'rank'>,
    Partial<Pick<ItemDraft, 'fields' | 'risks' | 'live' | 'applied'>> {
  op: AnyOperation;
  path: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  /** What must come first beside what makes its ids. */
  after?: Iterable<ItemDraft>;
}

/** What the plan tells without a request; without a cause it matters for both. */
type Finding = FindingDraft['finding'] & Partial<Pick<FindingDraft, 'action' | 'fields'>> & { cause?: Cause };

/** The phases of a plan, as first part of a rank. */
export const phases = {
  /** With the place of the kind, from 0. */
  kinds: 0,
  places: 100,
  moves: 101,
  defaults: 102,
  /** Kinds that are about the organization as a whole. */
  settings: 103,
  removals: 200,
} as const;

/** An item that must move to another parent. */
export interface Transfer {
  item: DesiredItem;
  live: LiveItem;
  cause: Cause;
  applied: Readonly<Record<string, string>>;
}

/** A plan in the making. */
export class Drafting {
  readonly world: World;
  readonly ids: Ids;
  readonly operations: ItemDraft[] = [];
  /** Also those that were taken out again. */
  readonly #added = new Map<string, ItemDraft>();
  readonly findings: FindingDraft[] = [];
  readonly settled: LockChange[] = [];
  /** Items that come under another parent. */
  readonly transfers = new Map<Address, Transfer>();
  /** All operations about an item. */
  readonly about = new Map<Address, ItemDraft[]>();
  /** The operations that create items, by item. */
  readonly creations = new Map<Address, ItemDraft>();
  readonly removals = new Map<LiveItem, ItemDraft>();
  /** What is planned once every item has its id. */
  readonly deferred: (() => void)[] = [];
  /** Entries of the lock that hold before the operations of an item; for those without any, they are settled. */
  readonly bases = new Map<
    Address,
    {
      id: unknown;
      applied: Readonly<Record<string, string>>;
      unsettled: boolean;
      /** Whether its entry changes because siblings move, which undo takes back. */
      beside?: boolean;
    }
  >();
  /** The operations that stop naming an item, by kind and id. */
  readonly releases = new Map<string, ItemDraft[]>();

  /** By kind and field: the items of the files of which it could not be compared. */
  readonly unreadFields = new Map<string, { first: DesiredItem; field: string; others: number }>();

  constructor(world: World) {
    this.world = world;
    this.ids = new Ids(world);
  }

  wants(cause: Cause | undefined): boolean {
    const { only } = this.world.options;
    return only === undefined || cause === undefined || cause === only;
  }

  add(
    { kind, address, key }: Pick<ItemDraft, 'kind' | 'address' | 'key'>,
    { op, path, body, after = [], ...draft }: AddedDraft,
  ): ItemDraft {
    const input = {
      path: path as Record<string, string>,
      query: {},
      ...(op.body !== undefined && { body: body ?? {} }),
    };
    const makers = findReferences(input).flatMap(({ $from }) => this.#added.get($from) ?? []);
    const added: ItemDraft = {
      ...{ fields: {}, risks: [], applied: {}, ...draft, kind, address, key },
      change: { op, input, id: key },
      id: changeId(this.#added.size),
      after: new Set([...makers, ...after]),
    };
    this.#added.set(added.id, added);
    this.operations.push(added);
    addTo(this.about, added.address, added);
    return added;
  }

  find(
    { kind, key }: Pick<DesiredItem, 'kind' | 'key'>,
    { cause, action = 'finding', fields = {}, code, message, hint }: Finding,
  ): void {
    const finding = { code, message, ...(hint !== undefined && { hint }) };
    if (this.wants(cause)) this.findings.push({ kind, key, action, fields, finding });
  }

  unreadField(item: DesiredItem, field: string): void {
    const known = this.unreadFields.get(`${item.kind} ${field}`);
    if (known === undefined)
      this.unreadFields.set(`${item.kind} ${field}`, { first: item, field, others: 0 });
    else known.others += 1;
  }

  /** What an item waits for, as one finding. */
  waits(item: DesiredItem, missing: readonly Address[], cause: Cause): void {
    const names = [...new Set(missing)];
    const unread = names.filter((address) => this.world.mayBeUnread(address));
    if (unread.length > 0) {
      this.find(item, {
        cause,
        code: 'unread',
        message: `${item.address} needs ${unread.join(', ')}, which could not be read.`,
        hint: `Use a token that may read ${unread.length === 1 ? 'it' : 'them'}.`,
      });
      return;
    }
    const are = names.length === 1 ? 'is' : 'are';
    this.find(item, {
      cause,
      code: 'waits',
      message: `${item.address} needs ${names.join(', ')}, which ${are} not on the platform.`,
      hint: 'Resolve the findings about it, then plan again.',
    });
  }
}

/** The rank of an operation that creates or changes items of a kind. @param step what comes first within the kind */
export function rankOf(kind: KindName, step: number): readonly number[] {
  const isSetting = kindNames.indexOf(kind) > kindNames.indexOf('site-spaces');
  const place = kindNames.indexOf(kind);
  return [isSetting ? phases.settings : phases.kinds, place, step];
}

/** The plan as drafts, in order: only now it is known which is `o1`. */
export function draftsOf(drafting: Drafting): Draft[] {
  const sorted = inOrder(drafting.operations);
  const names: Names = new Map(sorted.map(({ id }, index) => [id, changeId(index)]));
  oneAfterTheOther(sorted);
  const entries = new Map<Address, LockEntry | null>();
  const drafts = sorted.map((operation) => draftOf(drafting, operation, names, entries));
  const last = ({ action }: FindingDraft) => (action === 'withheld' ? 0 : 1);
  const findings = [...drafting.findings].sort((a, b) => last(a) - last(b));
  return [...drafts, ...findings];
}

/** Ids in the plan, by those of operations. */
type Names = ReadonlyMap<string, string>;

/**
 * The entry of the lock after an operation has what those before it did about the item, so it needs them to be done:
 * one that failed would otherwise count as applied.
 */
function oneAfterTheOther(sorted: readonly ItemDraft[]): void {
  const last = new Map<Address, ItemDraft>();
  for (const operation of sorted) {
    // A removal claims nothing.
    if (operation.applied === null) continue;
    const before = last.get(operation.address);
    if (before !== undefined) operation.after.add(before);
    last.set(operation.address, operation);
  }
}

function draftOf(
  drafting: Drafting,
  operation: ItemDraft,
  names: Names,
  entries: Map<Address, LockEntry | null>,
): ChangeDraft {
  const { kind, key, action, fields, risks } = operation;
  const after = [...operation.after].flatMap(({ id }) => {
    const name = names.get(id);
    return name === undefined ? [] : [changeIndex(name)];
  });
  const { op, input } = operation.change;
  const own = renameReferences(input, names);
  const last: unknown = own.path?.[pathParameters(op.path).at(-1) ?? ''];
  const lock = lockChange(drafting, operation, names, entries);
  return {
    ...{ kind, key, action, fields },
    change: {
      op,
      input: own,
      id: typeof last === 'string' ? last : key,
      ...(after.length > 0 && { after: after.sort((a, b) => a - b) }),
      ...(lock !== undefined && { lock }),
    },
    ...(risks.length > 0 && { risk: risks.join(' ') }),
  };
}

/** The entry of the lock after an operation, with what those before it did. */
function lockChange(
  { world, ids, bases, creations }: Drafting,
  { address, applied, live }: ItemDraft,
  names: Names,
  entries: Map<Address, LockEntry | null>,
): LockChange | undefined {
  if (applied === null) {
    const known = entries.get(address) ?? world.entry(address);
    entries.set(address, null);
    return known === undefined ? undefined : { item: address, to: null };
  }
  const locked = world.entry(address);
  const base = bases.get(address)?.applied ?? (locked?.id === live?.id ? locked?.applied : undefined);
  const before = entries.get(address)?.applied ?? (creations.has(address) ? {} : (base ?? {}));
  const id = renameReferences(ids.of(address), names) as LockEntry['id'];
  const to = { id, applied: { ...before, ...applied } };
  entries.set(address, to);
  return { item: address, to };
}

/** By rank; what an operation needs comes before it, wherever its own rank would put it. */
export function inOrder(operations: readonly ItemDraft[]): ItemDraft[] {
  const ranked = [...operations].sort(byRank);
  const place = new Map(ranked.map((operation, index) => [operation, index]));
  const placeOf = (operation: ItemDraft) => place.get(operation) ?? 0;
  const sorted = new Set<ItemDraft>();
  const begun = new Set<ItemDraft>();
  const visit = (operation: ItemDraft) => {
    if (begun.has(operation)) return;
    begun.add(operation);
    const needed = [...operation.after].filter((one) => place.has(one));
    needed.sort((a, b) => placeOf(a) - placeOf(b)).forEach(visit);
    sorted.add(operation);
  };
  ranked.forEach(visit);
  return [...sorted];
}

function byRank({ rank: a }: ItemDraft, { rank: b }: ItemDraft): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
