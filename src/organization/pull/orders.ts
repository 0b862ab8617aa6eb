import type { DesiredItem, KindName, LiveItem } from '../model.js';
import { isHashOf } from '../planner/environment.js';
import { longestIncreasing } from '../planner/order/kept.js';
import { valueHash } from '../value.js';
import type { LiveTree } from './live-tree.js';

/**
 * The order of siblings, three-way like fields: the lock keeps of each the one that stood before it when both sides
 * agreed.
 */

/** The key in the lock for what stands before an item. */
export const placeEntry = 'after';

/**
 * Where an item of the files is once they are written: `there`, where the platform has it and the files have it
 * already; `comes`: it goes there; `gone`: it leaves the files; `open`: the platform has it elsewhere, or not at all.
 */
export type Standing = 'there' | 'comes' | 'gone' | 'open';

export interface OrderContext {
  tree: LiveTree;
  items: Iterable<DesiredItem>;
  added: Iterable<LiveItem>;
  liveOf(address: DesiredItem['address']): LiveItem | undefined;
  standing(item: DesiredItem): Standing;
  applied(item: DesiredItem): Readonly<Record<string, string>> | undefined;
}

export interface Orders {
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
  const ordered = tree.kinds.filter(({ order }) => order !== undefined);
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
    if (item.external || tree.kind(item.kind).order === undefined) continue;
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
