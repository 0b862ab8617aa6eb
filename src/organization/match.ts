import { emailKey, exactKey } from '../base/name.js';
import { addTo, groupBy } from '../base/values.js';
import type { Lock } from '../plans/lock.js';
import type { LockEntry } from '../plans/plan.js';
import { kinds as allKinds } from './kinds/index.js';
import {
  type Address,
  type Desired,
  type DesiredItem,
  type Field,
  holderOf,
  type Kind,
  type KindName,
  type Live,
  type LiveItem,
  type Missed,
} from './model.js';
import { idIn } from './value.js';

/** The live items of a kind by what items of files are matched by. Ids and names count within the kind's scope. */
class Candidates {
  readonly #kind: Kind;
  readonly #items: readonly LiveItem[];
  #ids?: ReadonlyMap<string, LiveItem>;
  #naturals?: ReadonlyMap<string, LiveItem[]>;
  #titles?: ReadonlyMap<string, LiveItem[]>;
  readonly #titleField: Field | undefined;
  readonly #unique: readonly Field[];

  constructor(kind: Kind, items: readonly LiveItem[]) {
    this.#kind = kind;
    this.#items = items;
    this.#titleField = titleField(kind);
    this.#unique = kind.fields.filter(({ unique }) => unique !== undefined);
  }

  withId(scope: string, id: string): LiveItem | undefined {
    this.#ids ??= this.#byId();
    return this.#ids.get(scoped(scope, id));
  }

  /** @param natural as `folded` gives it; of a kind that names another, the id of the other */
  withNatural(scope: string, natural: string): readonly LiveItem[] {
    const { names } = this.#kind;
    this.#naturals ??= this.#by(({ natural: own }) =>
      own === undefined || names !== undefined ? own : folded(own),
    );
    return this.#naturals.get(scoped(scope, natural)) ?? [];
  }

  withUnique(scope: string, item: DesiredItem, parent: LiveItem | undefined): readonly LiveItem[] {
    for (const { key, unique } of this.#unique) {
      const value = item.fields[key];
      if (typeof value !== 'string') continue;
      const found = this.#items.filter((one) => one.fields[key] === value && this.#scopeOf(one) === scope);
      const beside = unique === 'siblings' ? found.filter((one) => one.parent === parent) : found;
      if (beside.length > 0) return beside;
    }
    return [];
  }

  withTitle(scope: string, item: DesiredItem, isFree: (item: LiveItem) => boolean): LiveItem[] {
    const title = this.titleOf(item);
    if (title === undefined) return [];
    this.#titles ??= this.#by(({ title: own }) => exactKey(own));
    return (this.#titles.get(scoped(scope, title)) ?? []).filter(isFree);
  }

  titleOf({ fields }: DesiredItem): string | undefined {
    const title = this.#titleField && fields[this.#titleField.key];
    return typeof title === 'string' ? exactKey(title) : undefined;
  }

  #byId(): ReadonlyMap<string, LiveItem> {
    const found = new Map<string, LiveItem>();
    for (const item of this.#items) found.set(scoped(this.#scopeOf(item), item.id), item);
    return found;
  }

  #by(key: (item: LiveItem) => string | undefined): ReadonlyMap<string, LiveItem[]> {
    const found = new Map<string, LiveItem[]>();
    for (const item of this.#items) {
      const own = key(item);
      if (own === undefined) continue;
      addTo(found, scoped(this.#scopeOf(item), own), item);
    }
    return found;
  }

  #scopeOf(item: LiveItem): string {
    const { scope } = this.#kind;
    if (scope === undefined) return '';
    return holderOf(item, scope)?.id ?? '';
  }
}

function scoped(scope: string, name: string): string {
  return scope === '' ? name : `${scope} ${name}`;
}

/** The field that holds what people call an item of the kind. */
export function titleField({ fields }: Pick<Kind, 'fields'>): Field | undefined {
  return fields.find(({ key }) => key === 'title') ?? fields.find(({ key }) => key === 'label');
}

/** A natural key as it is compared. */
export function folded(key: string): string {
  return key.includes('@') ? emailKey(key) : exactKey(key);
}

/**
 * What may be on the platform although it was not found, since the platform refused to show all of it. Nothing is
 * removed, created or forgotten for that.
 */
export class MissedItems {
  readonly #missed: readonly Missed[];
  readonly #addresses: ReadonlyMap<string, Address>;
  readonly #lock: Lock | undefined;
  #locked?: ReadonlyMap<string, Address>;

  /** @param addresses of live items, by kind and id */
  constructor({ missed }: Pick<Live, 'missed'>, addresses: ReadonlyMap<string, Address>, lock?: Lock) {
    this.#missed = missed.filter(({ field }) => field === undefined);
    this.#addresses = addresses;
    this.#lock = lock;
  }

  /** Whether not all items of a kind were read. */
  hasSome(kind: KindName): boolean {
    return this.#missed.some((one) => one.kind === kind);
  }

  /** Whether an item of the files may be among those that were not read. */
  mayHave({ kind, address }: Pick<DesiredItem, 'kind' | 'address'>): boolean {
    return this.#missed.some(({ kind: of, within }) => {
      if (of !== kind || within === undefined) return of === kind;
      const around = this.#addresses.get(`${within.kind} ${within.id}`);
      return around?.split('/')[1] === address.split('/')[1];
    });
  }

  /** Whether a live item may be one of the files under another name, since something beside it was not read. */
  isBeside({ kind, parent }: LiveItem): boolean {
    return this.#missed.some(({ kind: of, within }) => {
      if (of !== kind || within === undefined) return of === kind;
      let around = parent;
      while (around !== undefined && !(around.kind === within.kind && around.id === within.id))
        around = around.parent;
      return around !== undefined;
    });
  }

  /** The address that the lock has for an item that was not read. */
  addressOf(kind: KindName, id: string): Address | undefined {
    if (this.#lock === undefined || !this.hasSome(kind)) return undefined;
    this.#locked ??= new Map(
      Object.entries(this.#lock.items).map(([address, entry]) => [
        `${address.slice(0, address.indexOf('/'))} ${entry.id}`,
        address as Address,
      ]),
    );
    return this.#locked.get(`${kind} ${id}`);
  }
}

/** What was not read, each sentence once. */
export function sentencesOf({ missed }: Pick<Live, 'missed'>): string[] {
  return [...new Set(missed.map(({ message }) => message))];
}

/** Which item of the files is which of the platform. */
export interface Matched {
  live: ReadonlyMap<Address, LiveItem>;
  /** By kind and id: `teams yX3l…`. */
  address: ReadonlyMap<string, Address>;
  /** The address of each live item that files name. */
  named: ReadonlyMap<LiveItem, Address>;
  /** Items of which several on the platform could be meant. */
  ambiguous: ReadonlyMap<Address, readonly LiveItem[]>;
  /** Of items that the lock has under the name that they had: that address. */
  former: ReadonlyMap<Address, Address>;
  /** The entry of the lock of each item, also under the name that it had. */
  entries: { get(address: Address): LockedAs | undefined };
}

interface LockedAs {
  /** The address in the lock. */
  address: Address;
  entry: LockEntry;
}

/**
 * By the lock, else by natural key, else by a value that is unique, else by a title that is unique under its parent.
 * An id of the lock that is no longer on the platform names an item that is gone.
 */
export function match(
  desired: Pick<Desired, 'items'>,
  live: Live,
  lock: Lock | undefined,
  kinds: readonly Kind[] = allKinds,
): Matched {
  return new Matching(desired, live, lock, kinds).result;
}

class Matching {
  readonly result = {
    live: new Map<Address, LiveItem>(),
    address: new Map<string, Address>(),
    named: new Map<LiveItem, Address>(),
    ambiguous: new Map<Address, readonly LiveItem[]>(),
    former: new Map<Address, Address>(),
    entries: { get: (address: Address) => this.#entry(address) },
  };
  readonly #items: Desired['items'];
  readonly #lock: Lock | undefined;
  readonly #unread: MissedItems;

  constructor({ items }: Pick<Desired, 'items'>, live: Live, lock: Lock | undefined, kinds: readonly Kind[]) {
    this.#items = items;
    this.#lock = lock;
    this.#unread = new MissedItems(live, this.result.address);
    const byKind = groupBy(items.values(), ({ kind }) => kind);
    for (const kind of kinds) {
      const own = byKind.get(kind.name);
      const found = live.items.get(kind.name);
      if (own !== undefined) this.#kind(kind, own, new Candidates(kind, found ?? []));
    }
  }

  #kind(kind: Kind, items: readonly DesiredItem[], candidates: Candidates): void {
    const { live, ambiguous } = this.result;
    let left = items;
    const open = (pass: (item: DesiredItem, scope: string) => void) => {
      left = left.filter(({ address }) => !live.has(address) && !ambiguous.has(address));
      for (const item of left) {
        const scope = this.#scope(kind, item);
        if (scope !== undefined) pass(item, scope);
      }
    };
    open((item, scope) => {
      const id = this.#locked(kind, item)?.id;
      if (typeof id === 'string') this.#take(item, candidates.withId(scope, id));
    });
    for (const former of [false, true])
      open((item, scope) => {
        const natural = this.#natural(kind, item, former);
        if (natural !== undefined) this.#choose(item, candidates.withNatural(scope, natural));
      });
    if (kind.key !== 'own') return;
    // What the lock has and the token may not see is not another item with its title.
    const openToOthers: typeof open = (pass) =>
      open((item, scope) => {
        if (!this.#unread.mayHave(item) || this.#locked(kind, item) === undefined) pass(item, scope);
      });
    openToOthers((item, scope) =>
      this.#choose(item, candidates.withUnique(scope, item, this.#parentOf(item))),
    );
    this.#titles(kind, openToOthers, candidates);
  }

  /**
   * Several items of the files with one title, like several on the platform, leave open which is meant. Without the
   * lock, an item may stand elsewhere than the files say, but those that stand where they say come first.
   */
  #titles(
    kind: Kind,
    open: (pass: (item: DesiredItem, scope: string) => void) => void,
    candidates: Candidates,
  ): void {
    const wanted = new Map<string, number>();
    const keyOf = (item: DesiredItem) => JSON.stringify([item.parent, candidates.titleOf(item)]);
    open((item) => wanted.set(keyOf(item), (wanted.get(keyOf(item)) ?? 0) + 1));
    for (const elsewhere of this.#lock === undefined ? [false, true] : [false])
      open((item, scope) => {
        const parent = this.#parentOf(item);
        const isNew = item.parent !== undefined && parent === undefined;
        if (isNew && kind.scope === undefined && !elsewhere) return;
        const free = candidates.withTitle(scope, item, this.#isFree);
        const beside = free.filter((one) => one.parent === parent && !isNew);
        const found = elsewhere && beside.length === 0 ? free : beside;
        const twice = (wanted.get(keyOf(item)) ?? 0) > 1 && found.length > 0;
        // What stands in an item that could be any of several could be that of any of them.
        const isOpen = item.parent !== undefined && this.result.ambiguous.has(item.parent);
        if ((twice || isOpen) && found.length > 0) this.result.ambiguous.set(item.address, found);
        else this.#choose(item, found);
      });
  }

  readonly #isFree = (item: LiveItem): boolean => !this.result.named.has(item);

  #parentOf({ parent }: DesiredItem): LiveItem | undefined {
    return parent === undefined ? undefined : this.result.live.get(parent);
  }

  #take(item: DesiredItem, found: LiveItem | undefined): void {
    if (found === undefined || this.result.named.has(found)) return;
    this.result.live.set(item.address, found);
    this.result.named.set(found, item.address);
    this.result.address.set(`${item.kind} ${found.id}`, item.address);
  }

  #choose(item: DesiredItem, candidates: readonly LiveItem[]): void {
    const free = candidates.filter(this.#isFree);
    if (free.length > 1) this.result.ambiguous.set(item.address, free);
    else this.#take(item, free[0]);
  }

  /** The id of the item within which ids and names are unique; '' for the organization, undefined where it is new. */
  #scope(kind: Kind, item: DesiredItem): string | undefined {
    if (kind.scope === undefined) return '';
    const address = scopeAddress(kind, item, this.#items);
    return address === undefined ? undefined : this.result.live.get(address)?.id;
  }

  #natural(kind: Kind, item: DesiredItem, former: boolean): string | undefined {
    if (former && (item.was === undefined || this.#items.has(renamed(item.address, item.was))))
      return undefined;
    if (kind.names !== undefined) {
      if (former) return undefined;
      return idIn(item.key)?.id ?? this.result.live.get(`${kind.names}/${item.key}`)?.id;
    }
    // Of the kinds whose key is the file's own, only the organization has a natural one.
    return folded(former ? (item.was as string) : item.key);
  }

  /** Its entry in the lock, under its name or under the one that it or the item around it had. */
  #locked(kind: Kind, item: DesiredItem): LockEntry | undefined {
    const entries = this.#lock?.items ?? {};
    const own = entries[item.address];
    if (own !== undefined) return own;
    const former = this.#names(kind, item).find(
      (name) => entries[name] !== undefined && !this.#items.has(name),
    );
    if (former === undefined) return undefined;
    this.result.former.set(item.address, former);
    return entries[former];
  }

  #entry(item: Address): LockedAs | undefined {
    const address = this.result.former.get(item) ?? item;
    const entry = this.#lock?.items[address];
    return entry === undefined ? undefined : { address, entry };
  }

  /** What it may be called in the lock. */
  #names(kind: Kind, item: DesiredItem): Address[] {
    const own = [item.address, ...(item.was === undefined ? [] : [renamed(item.address, item.was)])];
    if (kind.scope === undefined) return own;
    const scope = scopeAddress(kind, item, this.#items);
    const was = scope === undefined ? undefined : this.#items.get(scope)?.was;
    return was === undefined ? own : [...own, ...own.map((address) => within(address, was))];
  }
}

/** The address of the ancestor that is part of an item's own. */
function scopeAddress(kind: Kind, item: DesiredItem, items: Desired['items']): Address | undefined {
  let parent = item.parent;
  while (parent !== undefined && !parent.startsWith(`${kind.scope}/`)) parent = items.get(parent)?.parent;
  return parent;
}

function renamed(address: Address, key: string): Address {
  return `${address.slice(0, address.lastIndexOf('/'))}/${key}` as Address;
}

function within(address: Address, scope: string): Address {
  const [kind, , key] = address.split('/');
  return `${kind}/${scope}/${key}` as Address;
}
