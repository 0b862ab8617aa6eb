import type { Drafting } from './drafting.js';

/** A removal waits until what stands in the item has left or is removed, and until nothing names it. */
export function waitForRemovals({ removals, releases, about, world, creations }: Drafting): void {
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
