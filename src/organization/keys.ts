import { slug } from '../base/name.js';
import type { Lock } from '../plans/lock.js';
import { kindOf, kinds } from './kinds/index.js';
import { MissedItems } from './match.js';
import {
  type Address,
  guardsAddress,
  holderOf,
  type Kind,
  type KindName,
  type Live,
  type LiveItem,
} from './model.js';

/** Keys for what the platform has and no file names yet. */

/** `Café & Bar` → `cafe-bar`; `item` where nothing is left. */
export function keyFor(title: string): string {
  return slug(title, { most: 80 }) || 'item';
}

/** What the files name: a `Matched`, and whether an address is taken. */
export interface NamedInFiles {
  named: ReadonlyMap<LiveItem, Address>;
  /** By kind and id: `teams yX3l…`. */
  address: ReadonlyMap<string, Address>;
  /** Whether files name it, whether the platform has the item or not. */
  has(address: Address): boolean;
}

export const noFiles: NamedInFiles = { named: new Map(), address: new Map(), has: () => false };

/** The addresses of all live items: those of the files and of the lock stay, the others get keys. */
export class Names {
  readonly #files: NamedInFiles;
  /** Of items that no file names. */
  readonly #byItem = new Map<LiveItem, Address>();
  readonly #byId = new Map<string, Address>();
  readonly #taken = new Set<Address>();
  readonly #unread: MissedItems;

  constructor(live: Live, lock: Lock | undefined, files: NamedInFiles) {
    this.#files = files;
    this.#unread = new MissedItems(live, files.address, lock);
    const open = this.#inScopeOrder().flatMap((kind) =>
      (live.items.get(kind.name) ?? [])
        .filter((item) => !files.named.has(item))
        .map((item) => ({ kind, item })),
    );
    const locked = lockedAddresses(lock, new Set(open.map(({ kind }) => kind.name)));
    // Whoever has a key in the lock keeps it, before others could take it.
    for (const { kind, item } of open) this.#fromLock(kind, item, locked);
    for (const { kind, item } of open) if (!this.#byItem.has(item)) this.#make(kind, item);
  }

  of(item: LiveItem): Address | undefined {
    return this.#files.named.get(item) ?? this.#byItem.get(item);
  }

  ofId = (kind: KindName, id: string): Address | undefined =>
    this.#files.address.get(`${kind} ${id}`) ?? this.#byId.get(`${kind} ${id}`) ?? this.#ofUnread(kind, id);

  /** What was not read is called what the files call it. */
  #ofUnread(kind: KindName, id: string): Address | undefined {
    const address = this.#unread.addressOf(kind, id);
    return address !== undefined && this.#files.has(address) ? address : undefined;
  }

  #isTaken(address: Address): boolean {
    return this.#taken.has(address) || this.#files.has(address);
  }

  /** Kinds whose addresses name others come after those. */
  #inScopeOrder(): Kind[] {
    const depth = (kind: Kind): number => {
      const above = [kind.scope, kind.names].map((name) => name && kindOf(name));
      return Math.max(0, ...above.map((one) => (one === undefined || one === kind ? 0 : depth(one) + 1)));
    };
    return [...kinds].sort((a, b) => depth(a) - depth(b));
  }

  #fromLock(kind: Kind, item: LiveItem, locked: ReadonlyMap<string, Address>): void {
    const scope = this.#scopeKey(kind, item);
    const address = locked.get(`${kind.name} ${scope === undefined ? '' : `${scope}/`}${item.id}`);
    if (address !== undefined && kind.names === undefined && !this.#isTaken(address))
      this.#set(item, address);
  }

  /** Forgets the made addresses of items that do not get into the files. */
  keepOnly(isKept: (item: LiveItem) => boolean): void {
    for (const [item] of [...this.#byItem]) {
      if (isKept(item)) continue;
      this.#byItem.delete(item);
      this.#byId.delete(`${item.kind} ${item.id}`);
    }
  }

  #make(kind: Kind, item: LiveItem): void {
    const scope = this.#scopeKey(kind, item);
    if (kind.scope !== undefined && scope === undefined) return;
    const prefix = `${kind.name}/${scope === undefined ? '' : `${scope}/`}`;
    const key = this.#keyOf(kind, item);
    if (key === undefined) return;
    let address = `${prefix}${key}` as Address;
    // A natural key that is taken is another item's; the platform cannot have it twice.
    const isFree = kind.key === 'own' && kind.names === undefined;
    for (let number = 2; isFree && this.#isTaken(address); number += 1)
      address = `${prefix}${key}-${number}` as Address;
    if (!this.#isTaken(address)) this.#set(item, address);
  }

  #keyOf(kind: Kind, item: LiveItem): string | undefined {
    if (kind.names !== undefined) {
      const other = this.ofId(kind.names, item.natural ?? '');
      if (other !== undefined) return keyIn(other);
      return kind.spot.marker === undefined ? undefined : `id:${item.natural}`;
    }
    if (kind.key !== 'own') return item.natural;
    if (item.natural !== undefined) return item.natural;
    const { path } = item.fields;
    return keyFor(typeof path === 'string' && path !== '' ? path : item.title);
  }

  #scopeKey({ scope }: Kind, item: LiveItem): string | undefined {
    if (scope === undefined) return undefined;
    const parent = holderOf(item, scope);
    const address = parent === undefined ? undefined : this.of(parent);
    return address === undefined ? undefined : keyIn(address);
  }

  #set(item: LiveItem, address: Address): void {
    this.#byItem.set(item, address);
    this.#byId.set(`${item.kind} ${item.id}`, address);
    this.#taken.add(address);
  }
}

/** The last part of an address; keys of own making have no `/`, natural ones of two parts may. */
export function keyIn(address: Address): string {
  return address.slice(address.indexOf('/') + 1);
}

/** By kind, scope and id. */
function lockedAddresses(lock: Lock | undefined, kinds: ReadonlySet<string>): Map<string, Address> {
  const found = new Map<string, Address>();
  for (const [address, { id }] of Object.entries(lock?.items ?? {})) {
    const [kind = '', scope, key] = address.split('/');
    if (!kinds.has(kind) || typeof id !== 'string' || address === guardsAddress) continue;
    found.set(`${kind} ${key === undefined ? '' : `${scope}/`}${id}`, address as Address);
  }
  return found;
}
