import type { Address, DesiredItem, KindName, LiveItem } from '../../model.js';
import type { Drafting } from '../drafting.js';
import { inOrder } from '../drafts.js';
import type { World } from '../world.js';

/** How siblings stand once items were created and came under their parents, before any move. */

/**
 * @param parent undefined for the top
 * @param items those of the files that stand there
 * @returns addresses in order; undefined where the platform shows no order
 */
export function currentList(
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
  arrive(drafting, list, items, new Set(all.filter(stays)));
  return list;
}

/** New items and those that come from elsewhere: at the end, or after the parent that they leave. */
function arrive(
  drafting: Drafting,
  list: Address[],
  items: readonly DesiredItem[],
  there: ReadonlySet<LiveItem>,
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
    if (live === undefined || there.has(live)) continue;
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
export function enters(world: World, { kind, parent }: DesiredItem): boolean {
  const into = world.kind(kind).order?.enter?.kind;
  return into !== undefined && parent?.startsWith(`${into}/`) === true;
}

/**
 * Items in the order in which they change their parents, so that few have to move afterwards: what leaves a parent
 * comes to stand right after it, so the last of them goes first; what enters one comes to stand at its end.
 */
export function inTurn(
  world: World,
  items: readonly DesiredItem[],
): { leaving: DesiredItem[]; entering: DesiredItem[] } {
  const leaving = items.filter((item) => !enters(world, item)).sort((a, b) => b.index - a.index);
  const entering = items.filter((item) => enters(world, item)).sort((a, b) => a.index - b.index);
  return { leaving, entering };
}
