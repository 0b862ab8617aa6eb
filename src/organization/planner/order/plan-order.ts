import { isEntryOf } from '../../former.js';
import type { Address, DesiredItem, KindName, LiveItem } from '../../model.js';
import { valueHash } from '../../value.js';
import type { Drafting, Transfer } from '../drafting.js';
import { isHashOf } from '../environment.js';
import { keyOf, livePath } from '../ids.js';
import { type Cause, type Operation, phases } from '../operation.js';
import { parentEntry } from '../parents.js';
import { isMixed, keptOfMixed, longestIncreasing, type Ranked, type Step } from './kept.js';
import { currentList, enters, inTurn } from './siblings.js';

/** The key in the lock for what stands before an item. */
const placeEntry = 'after';

/** Plans what brings items under their parents and siblings into their order, from the top downwards. */
export function planOrder(drafting: Drafting): void {
  const placing: Placing = { drafting, placedBy: new Map(), count: 0 };
  enterAndLeave(placing);
  for (const parent of parentsFrom(drafting)) {
    for (const kinds of setsOf(drafting)) {
      const items = drafting.world
        .children(parent)
        .filter((item) => kinds.includes(item.kind) && isThere(drafting, item));
      if (items.length > 0) planSequence(placing, parent, kinds, items);
    }
  }
}

interface Placing {
  drafting: Drafting;
  /** The last operation that changes the place of an item. */
  placedBy: Map<Address, Operation>;
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
      const path = ids.path(enter.op, world.kind(item.kind), item).value;
      const request = { op: enter.op, path, body: enter.body(ids.of(item.address)) };
      const applied = { [parentEntry]: valueHash(item.parent) };
      add(placing, item, { ...request, cause: 'change', applied, phase: phases.places });
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
    const { value: path, missing } = ids.path(enter.op, kind, item);
    if (missing.length > 0) drafting.waits(item, missing, cause);
    else add(placing, item, { op: enter.op, path, body: enter.body(ids.of(item.address)), ...more });
  } else if (leave !== undefined && live.parent?.kind === leave.kind) {
    add(placing, item, { op: leave.op, path: livePath(world, leave.op, live), ...more });
  }
}

function nameOfParent({ world }: Drafting, { parent }: LiveItem): string | null {
  return parent === undefined ? null : keyOf(world.nameOf(parent));
}

type Request = Pick<Operation, 'op' | 'path' | 'cause'> & Partial<Operation> & { phase: number };

function add(placing: Placing, item: DesiredItem, { phase, ...request }: Request): Operation {
  const { drafting, placedBy } = placing;
  placing.count += 1;
  const before = placedBy.get(item.address) ?? drafting.creations.get(item.address);
  const operation = drafting.add({
    kind: item.kind,
    address: item.address,
    key: item.key,
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
  const around = parent === undefined ? 'root' : (parent.slice(0, parent.indexOf('/')) as KindName);
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
 * The lock keeps the order of the files as the one that both sides have, so that a later change by hand is told from
 * one in the files. What moves gets its entry by its move: where that fails, the order does not count as applied.
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
function addTransfer(placing: Placing, transfer: Transfer, place: Partial<Operation>): void {
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
  placedBy: ReadonlyMap<Address, Operation>,
  item: DesiredItem,
  live: LiveItem,
): Operation[] {
  const found: Operation[] = [];
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
  request: Partial<Operation> & Pick<Operation, 'cause'>,
): void {
  const { world, ids } = placing.drafting;
  const kind = world.kind(item.kind);
  if (kind.order === undefined) return;
  const live = world.matched.live.get(item.address);
  const { op } = kind.order;
  add(placing, item, {
    op,
    path: ids.path(op, kind, item).value,
    ...(live !== undefined && { live }),
    ...request,
    phase: phases.moves,
  });
}

/** The moves that bring a list into an order, each item at most once. */

export interface Placed<T> extends Ranked {
  item: T;
}

export interface Move<T> {
  item: T;
  /** Directly after this one, or directly before it. */
  side: 'after' | 'before';
  of: T;
}

/**
 * As few moves as there can be where all items can name all; in mixed lists as few as the items that stay allow.
 * @param wanted all items that shall stand in this order; others in the list stay where they are
 * @returns in the order in which to send them
 */
export function movesFor<T>(wanted: readonly Placed<T>[]): Move<T>[] {
  const steps = isMixed(wanted)
    ? stepsOfMixed(wanted)
    : stepsFrom(wanted.length, longestIncreasing(wanted.map(({ now }) => now)), []);
  return steps.flatMap(({ index, side, of }) => {
    const [own, other] = [wanted[index], wanted[of]];
    return own === undefined || other === undefined ? [] : [{ item: own.item, side, of: other.item }];
  });
}

/** Going beside items that leave later saves moves, but where they wait for each other it is not possible. */
function stepsOfMixed(wanted: readonly Ranked[]): Step[] {
  for (const passing of [true, false]) {
    const stays = keptOfMixed(wanted, passing);
    const first = arrivals(wanted, stays);
    if (first !== undefined) return stepsFrom(wanted.length, stays, narrowSteps(wanted, stays, first));
  }
  return [];
}

/** Narrow items go beside their neighbours of the same kind, outward from those that are in their part. */
function narrowSteps(wanted: readonly Ranked[], stays: ReadonlySet<number>, first: readonly Step[]): Step[] {
  const steps = [...first];
  const placed = new Set([...stays, ...first.map(({ index }) => index)]);
  for (const part of partsOf(wanted, stays)) {
    const start = part.findIndex((index) => placed.has(index));
    if (start < 0) continue;
    const step = (at: number, side: Step['side'], of: number) =>
      steps.push({ index: part[at] as number, side, of: part[of] as number });
    for (let at = start - 1; at >= 0; at -= 1) step(at, 'before', at + 1);
    for (let at = start + 1; at < part.length; at += 1)
      if (!placed.has(part[at] as number)) step(at, 'after', at - 1);
  }
  return steps;
}

/** The steps, and those of all others: each goes after the one before it, which is in its place by then. */
function stepsFrom(length: number, stays: ReadonlySet<number>, before: readonly Step[]): Step[] {
  const steps = [...before];
  const placed = new Set([...stays, ...before.map(({ index }) => index)]);
  const next = Array.from({ length }, (_, index) => index).find((index) => placed.has(index));
  for (let index = 0; index < length; index += 1) {
    if (placed.has(index)) continue;
    if (index > 0) steps.push({ index, side: 'after', of: index - 1 });
    else if (next !== undefined) steps.push({ index, side: 'before', of: next });
  }
  return steps;
}

/** The parts of a mixed list between the wide items that stay. */

/** The narrow items that each part shall have. */
function partsOf(wanted: readonly Ranked[], stays: ReadonlySet<number>): number[][] {
  const parts: number[][] = [[]];
  wanted.forEach(({ isNarrow }, index) => {
    if (isNarrow) parts.at(-1)?.push(index);
    else if (stays.has(index)) parts.push([]);
  });
  return parts;
}

/**
 * The first move into each part in which no narrow item stays: beside one that leaves later.
 * @returns undefined where parts wait for each other
 */
function arrivals(wanted: readonly Ranked[], stays: ReadonlySet<number>): Step[] | undefined {
  const parts = partsOf(wanted, stays);
  const inside = occupants(wanted, stays, parts.length);
  const open = new Set(parts.keys());
  for (const [at, part] of parts.entries())
    if (part.length === 0 || part.some((index) => stays.has(index))) open.delete(at);
  const steps: Step[] = [];
  while (open.size > 0) {
    const step = nextArrival(parts, inside, open);
    if (step === undefined) return undefined;
    for (const some of inside) some.delete(step.index);
    open.delete(parts.findIndex((part) => part.includes(step.index)));
    steps.push(step);
  }
  return steps;
}

/** What goes must not leave a part without any that waits for its own first one. */
function nextArrival(
  parts: readonly (readonly number[])[],
  inside: readonly ReadonlySet<number>[],
  open: ReadonlySet<number>,
): Step | undefined {
  for (const at of open) {
    for (const index of parts[at] ?? []) {
      const of = [...(inside[at] ?? [])].find((one) => one !== index);
      const left = inside.findIndex((some) => some.has(index));
      const strands = left !== at && open.has(left) && inside[left]?.size === 1;
      if (of !== undefined && !strands) return { index, side: 'before', of };
    }
  }
  return undefined;
}

/** The narrow items that stand in each part now and do not stay. */
function occupants(wanted: readonly Ranked[], stays: ReadonlySet<number>, count: number): Set<number>[] {
  const borders = wanted.flatMap(({ now, isNarrow }, index) =>
    !isNarrow && stays.has(index) && now !== undefined ? [now] : [],
  );
  const inside = Array.from({ length: count }, () => new Set<number>());
  wanted.forEach(({ now, isNarrow }, index) => {
    if (!isNarrow || now === undefined || stays.has(index)) return;
    inside[borders.filter((border) => border < now).length]?.add(index);
  });
  return inside;
}
