import { addTo } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import type { Lock } from '../../plans/lock.js';
import type { LockChange, LockEntry } from '../../plans/plan.js';
import { roleField } from '../files/items.js';
import { memberships } from '../files/layout.js';
import type { ListSpot, Reading } from '../files/reading.js';
import { Names } from '../keys.js';
import { kindOf, kinds } from '../kinds/index.js';
import { type Matched, MissedItems, match } from '../match.js';
import {
  type Address,
  type DesiredItem,
  type Field,
  guardsAddress,
  type Kind,
  kindIn,
  type Live,
  type LiveItem,
  type Scope,
} from '../model.js';
import { type AddressOf, appliedEntries, parentAddress, placeEntry } from '../value.js';
import { LiveTree } from './live-tree.js';
import {
  type ItemPresence,
  type ItemPull,
  isUnedited,
  nothingPulled,
  ordersOf,
  pulledFields,
  whyKept,
} from './three-way.js';

/** Which new items of the platform the lists of the files take. */
class Taking {
  /** New items, by kind and id. */
  readonly #here = new Set<string>();

  constructor(
    private readonly reading: Reading,
    private readonly tree: LiveTree,
    private readonly matched: Matched,
    private readonly added: Set<LiveItem>,
  ) {}

  add(item: LiveItem): void {
    this.added.add(item);
    this.#here.add(`${item.kind} ${item.id}`);
  }

  /** Whether there is a list for it that takes new items. @param onlyExact whether only those that name all count */
  takes(kind: Kind, item: LiveItem, address: Address, onlyExact: boolean): boolean {
    const scope = this.scopeOf({ kind: kind.name, address });
    if (scope === undefined || scope.manage === 'none') return false;
    if (onlyExact && scope.manage !== 'exact') return false;
    if (kind === memberships && !this.#isHere('people', item.natural ?? '')) return false;
    const { parent } = item;
    if (parent === undefined) return true;
    return this.#isHere(parent.kind, parent.id) && (kind === memberships || this.#hasList(parent));
  }

  scopeOf(item: Pick<DesiredItem, 'kind' | 'address'>): Scope | undefined {
    const scopes = this.reading.scopes.filter(({ kinds }) => kinds.includes(item.kind));
    return scopes.find(
      ({ within }) => within === undefined || within.split('/')[1] === item.address.split('/')[1],
    );
  }

  /** Whether an item is in the files, or comes into them. */
  #isHere(kind: LiveItem['kind'], id: string): boolean {
    return this.matched.address.has(`${kind} ${id}`) || this.#here.has(`${kind} ${id}`);
  }

  /** Parts of a site are not looked at where its file has no structure; other items get lists as they need them. */
  #hasList(parent: LiveItem): boolean {
    const address = this.tree.names.of(parent);
    return (
      this.added.has(parent) ||
      kindOf(parent.kind).spot.list !== undefined ||
      this.reading.lists.some((list: ListSpot) => list.parent === address)
    );
  }
}

export interface PullOptions {
  onlyDrift: boolean;
  take: ReadonlySet<string>;
}

/** What pull does to files that exist. */
export interface Changes {
  tree: LiveTree;
  matched: Matched;
  /** Items of the files with fields to write, or another parent. */
  items: Map<Address, ItemPull>;
  removed: Set<Address>;
  added: Set<LiveItem>;
  kept: Kept[];
  /** Items that no file names any more, and that are still on the platform. */
  left: readonly Address[];
  lock: LockChange[];
}

/** Compares files, platform and lock. Nothing is written. */
export function changesOf(
  reading: Reading,
  live: Live,
  lock: Lock | undefined,
  options: PullOptions,
): Changes {
  return new Comparing(reading, live, lock, options).result();
}

const unchanged: ItemPull = { ...nothingPulled(), moves: false, applied: {} };

class Comparing {
  readonly #matched: Matched;
  readonly #tree: LiveTree;
  readonly #changes: Changes;
  readonly #unread: MissedItems;
  readonly #taking: Taking;
  /** Of items that stay, the addresses of those around them. */
  readonly #held = new Set<Address>();

  /** Whether the platform changed what no file names. */
  #follows = false;
  /** Items that left the files and are still on the platform: pull leaves them out, and their entries follow it. */
  readonly #left = new Map<LiveItem, Address>();
  readonly #leftById = new Map<string, Address>();

  /** The entries of items with an order, but for their places. */
  readonly #ordered = new Map<Address, { live: LiveItem; to: LockEntry }>();

  constructor(
    private readonly reading: Reading,
    private readonly live: Live,
    private readonly lock: Lock | undefined,
    private readonly options: PullOptions,
  ) {
    const { items } = reading;
    this.#matched = match(reading, live, lock);
    this.#unread = new MissedItems(live, this.#matched.address);
    const files = { ...this.#matched, has: (address: Address) => items.has(address) };
    this.#tree = new LiveTree(live, new Names(live, lock, files));
    this.#changes = {
      tree: this.#tree,
      matched: this.#matched,
      items: new Map(),
      removed: new Set(),
      added: new Set(),
      kept: [],
      left: [],
      lock: [],
    };
    const { added } = this.#changes;
    this.#taking = new Taking(reading, this.#tree, this.#matched, added);
  }

  result(): Changes {
    this.#add();
    // References to what no file names stay ids.
    this.#tree.names.keepOnly((item) => this.#changes.added.has(item));
    this.#followLeft();
    this.#changes.left = [...this.#left.values()];
    for (const item of this.#changes.added) this.#addOne(item, this.#tree.names.of(item) as Address);
    // From the bottom up, since what holds something that stays stays.
    for (const item of [...this.reading.items.values()].reverse()) {
      this.#item(item);
      const stays = !this.#changes.removed.has(item.address) && !this.#changes.items.get(item.address)?.moves;
      if (stays && item.parent !== undefined && item.kind !== memberships.name) this.#held.add(item.parent);
    }
    this.#changes.kept.reverse();
    this.#orders();
    if (this.options.onlyDrift && this.#isNothing()) this.#changes.lock = [];
    return this.#changes;
  }

  /** Whether the files stay as they are, and nothing that they do not name was changed. */
  #isNothing(): boolean {
    const { items, removed, added } = this.#changes;
    return items.size === 0 && removed.size === 0 && added.size === 0 && !this.#follows;
  }

  /** References to what is added name it by its new key. */
  readonly #addressOf: AddressOf = (kind, id) =>
    this.#tree.names.ofId(kind, id) ?? this.#leftById.get(`${kind} ${id}`);

  #item(item: DesiredItem): void {
    const kind = kindOf(item.kind);
    if (!this.live.items.has(item.kind)) return;
    const found = this.#matched.live.get(item.address);
    const locked = this.#matched.entries.get(item.address);
    if (found === undefined) {
      this.#absent(kind, item, locked?.entry);
      return;
    }
    const entry = locked?.entry.id === found.id ? locked.entry : undefined;
    const take = this.options.take.has(item.address);
    const fits = (field: Field, value: unknown) => this.#tree.fits(kind, field, value);
    const { former } = this.#matched;
    const context = { addressOf: this.#addressOf, former, take, entry, fits };
    const pull = pulledFields(context, kind, item, found);
    // Where both sides may have changed an order, the file stays, unless the platform's is taken.
    if (take && kind.order !== undefined) pull.moves = true;
    if (pull.writes.length > 0 || pull.moves) this.#changes.items.set(item.address, pull);
    if (pull.follows) this.#follows = true;
    const isNamedOnly = item.external || this.#taking.scopeOf(item)?.manage === 'none';
    if (!isNamedOnly) for (const why of whyKept(pull)) this.#keepOne(item, why);
    this.#lockLive(kind, item.address, found, pull.applied, entry);
    if (locked !== undefined && locked.address !== item.address) this.#lock(locked.address, null);
  }

  /** An item of the files that the platform does not have. */
  #absent(kind: Kind, item: DesiredItem, entry: LockEntry | undefined): void {
    const { removed } = this.#changes;
    const keep = (why: string) => this.#keepOne(item, why);
    if (item.external || this.#unread.mayHave(item)) return;
    if (this.#matched.ambiguous.has(item.address))
      return void keep('several items on the platform could be meant');
    if (entry === undefined) return void keep('it is not on the platform yet');
    const isFree =
      this.options.take.has(item.address) ||
      isUnedited(kind, item, entry, this.#addressOf, this.#matched.former);
    if (item.protected) return void keep('it is no longer on the platform, and it is protected');
    if (!isFree) return void keep('it was edited here, and is no longer on the platform');
    if (this.#held.has(item.address))
      return void keep('it is no longer on the platform, but contains items that stay');
    removed.add(item.address);
    this.#lock(item.address, null);
  }

  /** Where the file has the order that was last applied, it follows the platform. */
  #orders(): void {
    const { added, items, removed } = this.#changes;
    const { moves, kept, places } = ordersOf({
      tree: this.#tree,
      items: this.reading.items.values(),
      added,
      liveOf: (address) => this.#matched.live.get(address),
      standing: (item): ItemPresence => {
        const live = this.#matched.live.get(item.address);
        if (live === undefined) return removed.has(item.address) ? 'gone' : 'open';
        if (items.get(item.address)?.moves) return 'comes';
        return parentAddress(live, this.#addressOf) === (item.parent ?? null) ? 'there' : 'open';
      },
      applied: ({ address }) => this.#matched.entries.get(address)?.entry.applied,
    });
    for (const { address } of moves)
      items.set(address, { ...(items.get(address) ?? unchanged), moves: true });
    for (const item of kept) this.#keepOne(item, 'its place in the list differs from that on the platform');
    for (const [address, { live, to }] of this.#ordered) {
      const place = places.get(live) ?? to.applied[placeEntry];
      this.#lock(address, {
        id: to.id,
        applied: { ...to.applied, ...(place !== undefined && { [placeEntry]: place }) },
      });
    }
  }

  #keepOne({ address, at }: DesiredItem, why: string): void {
    this.#changes.kept.push({ item: address, file: at.file, line: at.line, why });
  }

  /** Without the lock, an item may be one of the files, which name it by what was not read. */
  #mayBeNamed({ names }: Kind): boolean {
    return this.lock === undefined && names !== undefined && this.#unread.hasSome(names);
  }

  #lock(item: Address, to: LockEntry | null): void {
    const before = this.lock?.items[item] ?? null;
    if (!same(before, to)) this.#changes.lock.push({ item, to });
  }

  /** New items of the platform, in lists that take them. Parents come before what stands in them. */
  #add(): void {
    let ids: ReadonlySet<string> | undefined;
    const isLocked = (kind: Kind, item: LiveItem, address: Address) => {
      if (kind.scope !== undefined) return this.lock?.items[address]?.id === item.id;
      ids ??= idsOf(this.lock);
      return ids.has(`${item.kind} ${item.id}`);
    };
    for (const kind of kinds) {
      for (const item of this.live.items.get(kind.name) ?? []) {
        if (this.#matched.named.has(item)) continue;
        const address = this.#tree.names.of(item);
        if (address === undefined) continue;
        const takes =
          !this.#mayBeNamed(kind) && this.#taking.takes(kind, item, address, this.options.onlyDrift);
        const isRemovedHere = isLocked(kind, item, address) && !(takes && this.options.take.has(address));
        if (isRemovedHere) {
          this.#left.set(item, address);
          this.#leftById.set(`${item.kind} ${item.id}`, address);
          if (takes) this.#removedHere(address);
        } else if (takes) {
          this.#taking.add(item);
        }
      }
    }
  }

  #addOne(item: LiveItem, address: Address): void {
    this.#lockLive(kindOf(item.kind), address, item, this.#tree.appliedOf(item));
  }

  /** Items with an order get their entries once the orders are known. */
  #lockLive(
    kind: Kind,
    address: Address,
    live: LiveItem,
    applied: Record<string, string>,
    entry?: LockEntry,
  ): void {
    const { id } = live;
    if (kind.order === undefined) {
      this.#lock(address, { id, applied });
      return;
    }
    const place = entry?.applied[placeEntry];
    const all = place === undefined ? applied : { ...applied, [placeEntry]: place };
    this.#ordered.set(address, { live, to: { id, applied: all } });
  }

  /** Their entries follow the platform. */
  #followLeft(): void {
    for (const [live, address] of this.#left) {
      const { id, applied = {} } = this.lock?.items[address] ?? {};
      if (id !== live.id) continue;
      const now = appliedEntries(kindOf(live.kind), live, this.#addressOf);
      if (applied[placeEntry] !== undefined) now[placeEntry] = applied[placeEntry];
      const count = this.#changes.lock.length;
      this.#lock(address, { id, applied: now });
      if (this.#changes.lock.length > count) this.#follows = true;
    }
  }

  #removedHere(address: Address): void {
    const scope = this.#taking.scopeOf({ kind: kindIn(address), address });
    if (scope?.manage !== 'exact') return;
    const { file, line } = scope.at;
    this.#changes.kept.push({
      item: address,
      file,
      line,
      why: 'it was removed here, and is still on the platform',
    });
  }
}

/** What the lock has, by kind and id. */
function idsOf(lock: Lock | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const address in lock?.items)
    if (address !== guardsAddress) ids.add(`${kindIn(address)} ${lock.items[address]?.id}`);
  return ids;
}

/** An item that pull left as it is in its file. */
export interface Kept {
  item: Address;
  /** Relative to the folder. */
  file: string;
  line: number;
  /** The rest of a sentence: `role edited here and not applied yet`. */
  why: string;
}

/**
 * The teams of those people of the files whose memberships change.
 * @returns by address of the person, in the order of the file, then by key
 */
export function membershipsAfter(
  reading: Reading,
  changes: Changes,
): Map<Address, [team: string, role: string][]> {
  const result = new Map<Address, [string, string][]>();
  const more = addedTeams(changes);
  const touched = new Set(more.keys());
  const isOne = (address: Address) => address.startsWith('memberships/');
  for (const address of [...changes.items.keys(), ...changes.removed]) {
    const item = reading.items.get(address);
    if (item !== undefined && isOne(address)) touched.add(`people/${item.key}`);
  }
  if (touched.size === 0) return result;
  for (const item of reading.items.values()) {
    const person: Address = `people/${item.key}`;
    if (item.kind !== memberships.name || !touched.has(person)) continue;
    const list = result.get(person) ?? [];
    result.set(person, list);
    if (changes.removed.has(item.address)) continue;
    const write = changes.items.get(item.address)?.writes.find(({ field }) => field.key === roleField);
    const team = item.parent?.slice('teams/'.length) ?? '';
    list.push([team, String(write === undefined ? item.fields[roleField] : write.value)]);
  }
  for (const [person, teams] of more) for (const team of teams.sort()) addTo(result, person, team);
  return result;
}

function addedTeams({ tree, added }: Changes): Map<Address, [string, string][]> {
  const found = new Map<Address, [string, string][]>();
  for (const item of added) {
    if (item.kind !== memberships.name) continue;
    const person = tree.names.ofId('people', item.natural ?? '');
    if (person === undefined) continue;
    addTo(found, person, [tree.teamOf(item), String(item.fields[roleField])]);
  }
  return found;
}
