import { asText, groupBy } from '../../base/values.js';
import type { Lock } from '../../plans/lock.js';
import type { LockEntry } from '../../plans/plan.js';
import { type Matched, MissedItems, match } from '../match.js';
import {
  type Address,
  type Desired,
  type DesiredItem,
  guardsAddress,
  holderOf,
  type Kind,
  type KindName,
  kindIn,
  type Live,
  type LiveItem,
  type Scope,
} from '../model.js';
import { type AddressOf, Environment, idIn } from '../value.js';

export interface PlanOptions {
  only?: 'change' | 'drift';
  prune: boolean;
  /** Whether to tell what changed that the files do not name, and what left them. */
  watches?: boolean;
  /** Of conflicts, by the address of the item. */
  take: ReadonlyMap<string, 'file' | 'live'>;
  /** Who the token belongs to, where that is known. */
  self?: { id: string; email?: string };
  env: Readonly<Record<string, string | undefined>>;
}

/** Files, platform and lock side by side, with what both sides hold under each parent. */
export class World {
  readonly desired: Desired;
  readonly live: Live;
  readonly lock: Lock | undefined;
  readonly options: PlanOptions;
  readonly kinds: ReadonlyMap<KindName, Kind>;
  readonly matched: Matched;
  readonly unread: MissedItems;
  readonly environment: Environment;
  #children?: ReadonlyMap<Address | undefined, DesiredItem[]>;
  #liveChildren?: ReadonlyMap<LiveItem | undefined, LiveItem[]>;
  #contested?: ReadonlySet<LiveItem>;
  #lockedAs?: ReadonlyMap<string, Address[]>;
  readonly #byId = new Map<KindName, ReadonlyMap<string, LiveItem>>();
  readonly #scopes: ReadonlyMap<KindName, readonly Scope[]>;

  constructor(
    desired: Desired,
    live: Live,
    lock: Lock | undefined,
    options: PlanOptions,
    kinds: readonly Kind[],
  ) {
    this.desired = desired;
    this.live = live;
    this.lock = lock;
    this.options = options;
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.matched = match(desired, live, lock, kinds);
    this.unread = new MissedItems(live, this.matched.address, lock);
    this.environment = new Environment(options.env, fieldValues(desired));

    const scopes = desired.scopes.flatMap((scope) => scope.kinds.map((name) => ({ name, scope })));
    this.#scopes = new Map(
      kinds.map(({ name }) => [name, scopes.filter((one) => one.name === name).map(({ scope }) => scope)]),
    );
  }

  /** Also of an item that was removed from the files, or not read: the lock says what it was called. */
  readonly addressOf: AddressOf = (kind, id) => {
    const address = this.matched.address.get(`${kind} ${id}`);
    if (address !== undefined || this.lock === undefined) return address;
    if (!this.live.items.has(kind)) return this.#inLock.get(`${kind} ${id}`)?.[0];
    const live = this.liveById(kind, id);
    return live === undefined ? this.unread.addressOf(kind, id) : this.lockedAs(live);
  };

  get #inLock(): ReadonlyMap<string, Address[]> {
    this.#lockedAs ??= idsInLock(this.lock);
    return this.#lockedAs;
  }

  kind(name: KindName): Kind {
    const kind = this.kinds.get(name);
    if (kind === undefined) throw new Error(`no declaration of the kind ${name}`);
    return kind;
  }

  /** What the lock has about an item of the files. */
  entry(address: Address): LockEntry | undefined {
    return this.lock?.items[this.matched.former.get(address) ?? address];
  }

  item(address: Address): DesiredItem | undefined {
    return this.desired.items.get(address);
  }

  /** In the order of the file. */
  children(parent: Address | undefined): readonly DesiredItem[] {
    this.#children ??= sorted(groupBy(this.desired.items.values(), (item) => item.parent));
    return this.#children.get(parent) ?? [];
  }

  /** In no order. */
  liveChildren(parent: LiveItem | undefined): readonly LiveItem[] {
    this.#liveChildren ??= groupBy(allLive(this.live, this.kinds.values()), (item) => item.parent);
    return this.#liveChildren.get(parent) ?? [];
  }

  /** The address of a live item: that of the files, else one with its id. */
  nameOf(live: LiveItem): Address {
    return this.matched.named.get(live) ?? `${live.kind}/id:${live.id}`;
  }

  /** What people call a live item: its key, else its name on the platform. */
  callOf(live: LiveItem): string {
    const { names, key } = this.kind(live.kind);
    const address = this.matched.named.get(live) ?? this.lockedAs(live);
    if (address !== undefined) return address.slice(address.lastIndexOf('/') + 1);
    const other = names && live.natural !== undefined ? this.liveById(names, live.natural) : undefined;
    if (other !== undefined) return this.callOf(other);
    return (key === 'own' ? live.title : live.natural) || live.title || live.id;
  }

  liveById(kind: KindName, id: string): LiveItem | undefined {
    const known =
      this.#byId.get(kind) ?? new Map((this.live.items.get(kind) ?? []).map((one) => [one.id, one]));
    this.#byId.set(kind, known);
    return known.get(id);
  }

  /** Whether what an address names may be on the platform although it was not found. */
  mayBeUnread(address: Address): boolean {
    return !this.matched.live.has(address) && this.unread.mayHave({ kind: kindIn(address), address });
  }

  /** Whether an item of the files may be this one, which the findings say. */
  isContested(live: LiveItem): boolean {
    this.#contested ??= new Set([...this.matched.ambiguous.values()].flat());
    return this.#contested.has(live);
  }

  /** Whether a list of the files names all items of a kind. */
  manages(kind: KindName): boolean {
    return (this.#scopes.get(kind) ?? []).some(({ manage }) => manage === 'exact');
  }

  /** The entry in the lock of a live item that no file names. */
  lockedAs(live: LiveItem): Address | undefined {
    const found = this.#inLock.get(`${live.kind} ${live.id}`)?.filter((one) => !this.desired.items.has(one));
    const { scope } = this.kind(live.kind);
    if (scope === undefined || found === undefined) return found?.[0];
    const around = holderOf(live, scope);
    if (around === undefined) return undefined;
    const name = this.matched.named.get(around) ?? this.lockedAs(around);
    return found.find((one) => `${scope}/${one.split('/')[1]}` === name);
  }

  /** What files say about items of a kind that they do not name; undefined where no list is about them. */
  scopeOf(kind: KindName, live: LiveItem): Scope | undefined {
    const scopes = this.#scopes.get(kind) ?? [];
    return scopes.find(({ within }) => {
      if (within === undefined) return true;
      const around = this.matched.live.get(within);
      return around !== undefined && isInside(live, around);
    });
  }

  /** The platform's id that a reference names by itself, that of the live item, or the one in the lock. */
  liveId(address: Address): string | undefined {
    const id = idIn(address)?.id ?? this.matched.live.get(address)?.id;
    if (id !== undefined || this.desired.items.has(address)) return id;
    return asText(this.lock?.items[address]?.id);
  }
}

export function isInside(live: LiveItem, around: LiveItem): boolean {
  let parent = live.parent;
  while (parent !== undefined && parent !== around) parent = parent.parent;
  return parent !== undefined;
}

function* fieldValues({ items }: Desired): Iterable<unknown> {
  for (const { fields } of items.values())
    for (const key in fields) if (typeof fields[key] === 'object') yield fields[key];
}

function* allLive(live: Live, kinds: Iterable<Kind>): Iterable<LiveItem> {
  for (const { name } of kinds) yield* live.items.get(name) ?? [];
}

function sorted<K>(groups: Map<K, DesiredItem[]>): Map<K, DesiredItem[]> {
  for (const list of groups.values()) list.sort((a, b) => a.index - b.index);
  return groups;
}

/** The addresses in the lock by kind and id; of members of teams, several have one id. */
function idsInLock(lock: Lock | undefined): Map<string, Address[]> {
  const items = Object.entries(lock?.items ?? {}).filter(([address]) => address !== guardsAddress);
  const entries = items.map(([address, { id }]) => ({ address, id }));
  const ids = groupBy(entries, ({ address, id }) => `${kindIn(address)} ${String(id)}`);
  return new Map([...ids].map(([key, list]) => [key, list.map(({ address }) => address as Address)]));
}
