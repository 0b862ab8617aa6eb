import type { LiveItem } from '../model.js';
import type { Drafting } from './drafting.js';
import type { Operation } from './operation.js';

/** A removal waits until what stands in the item has left or is removed, and until nothing names it. */
export function waitForRemovals(drafting: Drafting): void {
  const { removals, releases, about, world, creations } = drafting;
  for (const [live, removal] of removals) {
    if (creations.has(removal.address)) continue;
    for (const inside of world.liveChildren(live)) {
      const removed = removals.get(inside);
      if (removed !== undefined) removal.after.add(removed);
      const address = world.matched.named.get(inside);
      const moves = (address && about.get(address)) ?? [];
      for (const one of moves) if (one.fields.parent !== undefined) removal.after.add(one);
    }
    for (const one of releases.get(`${live.kind} ${live.id}`) ?? []) removal.after.add(one);
  }
}

/** What goes elsewhere is created again, so this decides when: before the order of what is created is planned. */
export function waitForPlaces(drafting: Drafting): void {
  for (const [live, removal] of drafting.removals)
    if (drafting.creations.has(removal.address)) waitForOthers(drafting, live, removal);
}

/** What goes elsewhere leaves once its place is taken, where it is the last there: a section keeps a space. */
function waitForOthers(drafting: Drafting, live: LiveItem, removal: Operation): void {
  const { world, removals, creations } = drafting;
  const { parent } = live;
  const beside = world.liveChildren(parent).filter(({ kind }) => kind === live.kind);
  if (parent === undefined || beside.some((one) => !removals.has(one))) return;
  for (const { address, kind } of world.children(world.matched.named.get(parent))) {
    const creation = creations.get(address);
    if (kind === live.kind && creation !== undefined && !needs(creation, removal))
      removal.after.add(creation);
  }
}

/** Whether an operation comes after another, by whatever way. */
function needs(operation: Operation, other: Operation): boolean {
  const seen = new Set<Operation>();
  const waiting = [operation];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === other) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...at.after);
  }
  return false;
}
