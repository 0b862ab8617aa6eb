import { type Address, type DesiredItem, type KindName, kindIn, type LiveItem } from '../model.js';
import { isEntryOf, isHashOf, parentEntry, placeEntry, valueHash } from '../value.js';
import {
  type AddedDraft,
  type Cause,
  type Drafting,
  type ItemDraft,
  inOrder,
  keyOf,
  livePath,
  phases,
  type Transfer,
} from './drafting.js';
import { type Move, movesFor, type Placed } from './moves.js';
import type { World } from './world.js';

/** How siblings stand once items were created and came under their parents, before any move. */

/**
 * @param parent undefined for the top
 * @param items those of the files that stand there
 * @returns addresses in order; undefined where the platform shows no order
 */
function currentList(
  drafting: Drafting,
  parent: Address | undefined,
  kinds: readonly KindName[],
  items: readonly DesiredItem[],
): Address[] | undefined {
  const { world, transfers, removals, creations } = drafting;
  const around = parent === undefined ? undefined : world.matched.live.get(parent);
  const isNew = parent !== undefined && around === undefined;
  const all = isNew ? [] : world.liveChildren(around).filter(({ kind }) => kinds.includes(kind));
  const shown = all.filter(({ index }) => index >= 0).sort((a, b) => a.index - b.index);
  if (shown.some(({ index }, at) => index === shown[at - 1]?.index)) return undefined;
  const stays = (live: LiveItem) => {
    const address = world.matched.named.get(live);
    if (address === undefined) return true;
    return !transfers.has(address) && !(removals.has(live) && creations.has(address));
  };
  const list = shown.filter(stays).map((live) => world.nameOf(live));
  arrive(drafting, list, items, (live) => all.includes(live) && stays(live));
  return list;
}

/** New items and those that come from elsewhere: at the end, or after the parent that they leave. */
function arrive(
  drafting: Drafting,
  list: Address[],
  items: readonly DesiredItem[],
  isThere: (live: LiveItem) => boolean,
): void {
  const { world, transfers } = drafting;
  const made = turnsOf(drafting);
  const placeOf = ({ address }: DesiredItem) => made.get(address) ?? Number.POSITIVE_INFINITY;
  const created = items.filter((item) => made.has(item.address)).sort((a, b) => placeOf(a) - placeOf(b));
  // A move to another parent says where it goes; until it is sent, the item is not there.
  const others = [...transfers.values()]
    .map(({ item }) => item)
    .filter((item) => items.includes(item) && world.kind(item.kind).order?.parent === undefined);
  for (const item of created) if (!enters(world, item)) list.push(item.address);
  const { leaving, entering } = inTurn(world, [...created, ...others]);
  for (const item of [...leaving, ...entering]) {
    const live = transfers.get(item.address)?.live;
    if (live === undefined && enters(world, item)) list.push(item.address);
    if (live === undefined || isThere(live)) continue;
    const { leave } = world.kind(item.kind).order ?? {};
    const left = live.parent?.kind === leave?.kind && live.parent ? world.nameOf(live.parent) : undefined;
    const at = left === undefined ? -1 : list.indexOf(left);
    if (at < 0) list.push(item.address);
    else list.splice(at + 1, 0, item.address);
  }
}

const turns = new WeakMap<Drafting, ReadonlyMap<Address, number>>();

/** When each new item is created: what its creation needs may put it behind others. */
function turnsOf(drafting: Drafting): ReadonlyMap<Address, number> {
  const known = turns.get(drafting);
  if (known !== undefined) return known;
  const places = new Map(inOrder(drafting.operations).map((operation, index) => [operation, index]));
  const made = new Map(
    [...drafting.creations].map(([address, operation]) => [address, places.get(operation) ?? 0]),
  );
  turns.set(drafting, made);
  return made;
}

/** Whether an operation of its own brings an item into its parent. */
function enters(world: World, { kind, parent }: DesiredItem): boolean {
  const into = world.kind(kind).order?.enter?.kind;
  return into !== undefined && parent?.startsWith(`${into}/`) === true;
}

/**
 * Items in the order in which they change their parents, so that few have to move afterwards: what leaves a parent
 * comes to stand right after it, so the last of them goes first; what enters one comes to stand at its end.
 */
function inTurn(
  world: World,
  items: readonly DesiredItem[],
): { leaving: DesiredItem[]; entering: DesiredItem[] } {
  const leaving = items.filter((item) => !enters(world, item)).sort((a, b) => b.index - a.index);
  const entering = items.filter((item) => enters(world, item)).sort((a, b) => a.index - b.index);
  return { leaving, entering };
}

/** Plans what brings items under their parents and siblings into their order, from the top downwards. */
export function planOrder(drafting: Drafting): void {
  const placing: Placing = { drafting, placedBy: new Map(), arrived: new Map(), count: 0 };
  enterAndLeave(placing);
  const sets = setsOf(drafting);
  for (const parent of parentsFrom(drafting)) {
    for (const kinds of sets) {
      const children = drafting.world.children(parent).filter(({ kind }) => kinds.includes(kind));
      // If some siblings are of a kind that was not read, the order of the others has gaps.
      if (children.some(({ kind }) => !drafting.world.live.items.has(kind))) continue;
      const items = children.filter((item) => isThere(drafting, item));
      if (items.length > 0) planSequence(placing, parent, kinds, items);
    }
  }
}

interface Placing {
  drafting: Drafting;
  /** The last operation that changes the place of an item. */
  placedBy: Map<Address, ItemDraft>;
  /** The last operation by which an item came to a parent: another one is placed beside what is there then. */
  arrived: Map<Address | undefined, ItemDraft>;
  count: number;
}

function isThere({ ids }: Drafting, item: DesiredItem): boolean {
  return ids.of(item.address) !== undefined && !item.external;
}

/** undefined for the top; each parent before those inside it. */
function* parentsFrom({ world }: Drafting, top?: Address): Generator<Address | undefined> {
  let level: (Address | undefined)[] = [top];
  while (level.length > 0) {
    yield* level;
    level = level.flatMap((parent) =>
      world.children(parent).flatMap(({ address }) => (world.children(address).length > 0 ? [address] : [])),
    );
  }
}

/** The kinds that share an order, each set once. */
function setsOf({ world }: Drafting): KindName[][] {
  const sets = new Map<string, KindName[]>();
  for (const { order } of world.kinds.values())
    if (order !== undefined) sets.set([...order.with].sort().join(), [...order.with]);
  return [...sets.values()];
}

function depthOf({ world }: Drafting, address: Address | undefined): number {
  let depth = 0;
  for (let at = address; at !== undefined; at = world.item(at)?.parent) depth += 1;
  return depth;
}

/** Parents that other operations than moves change. */
function enterAndLeave(placing: Placing): void {
  const { drafting } = placing;
  const { world, ids } = drafting;
  const isNew = ({ address }: DesiredItem) => drafting.creations.has(address);
  const newcomers = [...drafting.creations.keys()].flatMap((address) => {
    const item = world.item(address);
    return item !== undefined && enters(world, item) ? [item] : [];
  });
  const transfers = [...drafting.transfers.values()].filter(({ item }) => {
    const { order } = world.kind(item.kind);
    return order !== undefined && order.parent === undefined;
  });
  const { leaving, entering } = inTurn(world, [...newcomers, ...transfers.map(({ item }) => item)]);
  for (const item of [...leaving, ...entering]) {
    const transfer = drafting.transfers.get(item.address);
    const enter = world.kind(item.kind).order?.enter;
    if (transfer !== undefined) enterOrLeave(placing, transfer);
    else if (isNew(item) && enter !== undefined) {
      const path = ids.path(enter.op, item).value;
      const request = { op: enter.op, path, body: enter.body(ids.of(item.address)) };
      const applied = { [parentEntry]: valueHash(item.parent) };
      addInTurn(placing, item, { ...request, cause: 'change', applied, phase: phases.places });
    }
  }
}

function enterOrLeave(placing: Placing, { item, live, cause, applied }: Transfer): void {
  const { drafting } = placing;
  const { world, ids } = drafting;
  const kind = world.kind(item.kind);
  const { enter, leave } = kind.order ?? {};
  const fields = { parent: { before: nameOfParent(drafting, live), after: keyOf(item.parent ?? '') } };
  const more = { live, cause, applied, fields, phase: phases.places };
  if (enter !== undefined && item.parent?.startsWith(`${enter.kind}/`)) {
    const { value: path, missing } = ids.path(enter.op, item);
    if (missing.length > 0) drafting.waits(item, missing, cause);
    else addInTurn(placing, item, { op: enter.op, path, body: enter.body(ids.of(item.address)), ...more });
  } else if (leave !== undefined && live.parent?.kind === leave.kind) {
    addInTurn(placing, item, { op: leave.op, path: livePath(world, leave.op, live), ...more });
  }
}

/** Brings an item to its parent behind the one before it: the request names no place, so its turn is its place. */
function addInTurn(placing: Placing, item: DesiredItem, request: Request): void {
  const last = placing.arrived.get(item.parent);
  placing.arrived.set(item.parent, add(placing, item, { ...request, after: new Set(last ? [last] : []) }));
}

function nameOfParent({ world }: Drafting, { parent }: LiveItem): string | null {
  return parent === undefined ? null : keyOf(world.nameOf(parent));
}

type Request = Omit<AddedDraft, 'action' | 'rank'> & { phase: number };

function add(placing: Placing, item: DesiredItem, { phase, ...request }: Request): ItemDraft {
  const { drafting, placedBy } = placing;
  placing.count += 1;
  const before = placedBy.get(item.address) ?? drafting.creations.get(item.address);
  const operation = drafting.add(item, {
    action: request.cause === 'drift' ? 'drift' : 'move',
    ...request,
    rank: [phase, depthOf(drafting, item.parent), placing.count],
    after: new Set([...(before === undefined ? [] : [before]), ...(request.after ?? [])]),
  });
  placedBy.set(item.address, operation);
  return operation;
}

/** Siblings of kinds that share an order, in the order of the file. */
function planSequence(
  placing: Placing,
  parent: Address | undefined,
  kinds: readonly KindName[],
  items: readonly DesiredItem[],
): void {
  const { drafting } = placing;
  const wanted = shownOrder(drafting, parent, kinds, items);
  const moves = movesFor(wanted);
  const cause = causeOfOrder(drafting, wanted);
  const moved = drafting.wants(cause) ? moves : [];
  if (moves.length === 0 || moved.length > 0) settlePlaces(drafting, wanted, moved);
  const done = new Set(moved.map(({ item }) => item));
  for (const item of items) {
    const transfer = drafting.transfers.get(item.address);
    if (transfer !== undefined && !done.has(item)) addTransfer(placing, transfer, {});
  }
  for (const move of moved) addMove(placing, move, cause, before(wanted, move.item));
}

/** The siblings whose order the platform shows, with where each would stand without a move. */
function shownOrder(
  drafting: Drafting,
  parent: Address | undefined,
  kinds: readonly KindName[],
  items: readonly DesiredItem[],
): Placed<DesiredItem>[] {
  const { world } = drafting;
  const around = parent === undefined ? 'root' : kindIn(parent);
  const shows = items.filter(({ kind }) => world.kind(kind).order?.within?.includes(around) !== false);
  const present = new Set(shows.map(({ kind }) => kind));
  const list = currentList(drafting, parent, kinds, shows);
  if (list === undefined) return [];
  const places = new Map(list.map((address, index) => [address, index]));
  return shows.flatMap((item) => {
    const now = places.get(item.address);
    // What stands where nothing shows it is compared once something makes it show.
    const comes = drafting.transfers.has(item.address);
    if (now === undefined && !comes && world.children(item.address).length === 0) return [];
    const { neighbour } = world.kind(item.kind).order ?? {};
    return [{ item, now, isNarrow: [...present].some((kind) => neighbour?.(kind, '') === undefined) }];
  });
}

/** The order was changed by hand where the files have the one that was last applied. */
function causeOfOrder({ world }: Drafting, wanted: readonly Placed<DesiredItem>[]): Cause {
  const isAsApplied = wanted.every(({ item }, index) => {
    const entry = world.entry(item.address)?.applied[placeEntry];
    return isEntryOf(world.matched.former, entry, wanted[index - 1]?.item.address ?? null);
  });
  return isAsApplied ? 'drift' : 'change';
}

function before(wanted: readonly Placed<DesiredItem>[], item: DesiredItem): Address | null {
  return wanted[wanted.findIndex((one) => one.item === item) - 1]?.item.address ?? null;
}

/**
 * The lock keeps the order of the files as the one that both sides have, which shows whether a later change was made
 * by hand or in the files. What moves gets its entry by its move: where that fails, the order does not count as applied.
 */
function settlePlaces(
  drafting: Drafting,
  wanted: readonly Placed<DesiredItem>[],
  moved: readonly Move<DesiredItem>[],
): void {
  const moving = new Set(moved.map(({ item }) => item));
  wanted.forEach(({ item }, index) => {
    if (!moving.has(item))
      settlePlace(drafting, item, wanted[index - 1]?.item.address ?? null, moved.length > 0);
  });
}

function settlePlace(
  { world, bases, creations }: Drafting,
  item: DesiredItem,
  previous: Address | null,
  beside: boolean,
): void {
  const place = { [placeEntry]: valueHash(previous) };
  const live = world.matched.live.get(item.address);
  const creation = creations.get(item.address);
  // What is created with another item gets its entry with the first pull or apply after that.
  if (creation?.address === item.address) creation.applied = { ...creation.applied, ...place };
  if (live === undefined || creation !== undefined) return;
  const entry = world.entry(item.address);
  const known = bases.get(item.address) ?? { id: live.id, applied: entry?.applied ?? {}, unsettled: false };
  const isSettled = isHashOf(entry?.applied[placeEntry], previous);
  const applied = { ...known.applied, ...place };
  if (!isSettled || known.unsettled) bases.set(item.address, { ...known, applied, unsettled: true, beside });
  else if (bases.has(item.address)) bases.set(item.address, { ...known, applied });
}

function addMove(placing: Placing, move: Move<DesiredItem>, cause: Cause, previous: Address | null): void {
  const { drafting, placedBy } = placing;
  const { item, side, of } = move;
  const { order } = drafting.world.kind(item.kind);
  const neighbour = order?.neighbour(of.kind, drafting.ids.of(of.address));
  if (neighbour === undefined) return;
  const beside = placedBy.get(of.address);
  const request = {
    body: { position: { [side]: neighbour } },
    fields: { place: { after: `${side} ${of.key}` } },
    after: new Set(beside === undefined ? [] : [beside]),
    applied: { [placeEntry]: valueHash(previous) },
  };
  const transfer = drafting.transfers.get(item.address);
  if (transfer !== undefined && order?.parent !== undefined) addTransfer(placing, transfer, request);
  else moveRequest(placing, item, { cause, ...request });
}

/** A move to another parent, with a place there or without. */
function addTransfer(placing: Placing, transfer: Transfer, place: Partial<AddedDraft>): void {
  const { drafting, placedBy } = placing;
  const { item, live, cause, applied } = transfer;
  const { order } = drafting.world.kind(item.kind);
  if (order?.parent === undefined) return;
  const parent = item.parent === undefined ? null : drafting.ids.of(item.parent);
  if (parent === undefined) {
    drafting.waits(item, item.parent === undefined ? [] : [item.parent], cause);
    return;
  }
  const fields = {
    parent: { before: nameOfParent(drafting, live), after: parent && keyOf(item.parent ?? '') },
  };
  moveRequest(placing, item, {
    ...place,
    cause,
    live,
    body: { ...order.parent(parent), ...place.body },
    fields: { ...fields, ...place.fields },
    applied: { ...applied, ...place.applied },
    after: new Set([...(place.after ?? []), ...outOfItself(drafting, placedBy, item, live)]),
  });
}

/** Where an item goes into one that stood in it, the other one leaves first. */
function outOfItself(
  { world }: Drafting,
  placedBy: ReadonlyMap<Address, ItemDraft>,
  item: DesiredItem,
  live: LiveItem,
): ItemDraft[] {
  const found: ItemDraft[] = [];
  for (let at = item.parent; at !== undefined; at = world.item(at)?.parent) {
    const moved = placedBy.get(at);
    let above = world.matched.live.get(at)?.parent;
    while (above !== undefined && above !== live) above = above.parent;
    if (moved !== undefined && above === live) found.push(moved);
  }
  return found;
}

function moveRequest(
  placing: Placing,
  item: DesiredItem,
  request: Partial<AddedDraft> & Pick<AddedDraft, 'cause'>,
): void {
  const { world, ids } = placing.drafting;
  const kind = world.kind(item.kind);
  if (kind.order === undefined) return;
  const live = world.matched.live.get(item.address);
  const { op } = kind.order;
  add(placing, item, {
    op,
    path: ids.path(op, item).value,
    live,
    ...request,
    phase: phases.moves,
  });
}
