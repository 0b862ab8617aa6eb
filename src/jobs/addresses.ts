import type { PlanLine } from './journal.js';

/**
 * The items of the lock that requests are about, by their index in the job: `site-spaces/guides/start`. All requests
 * of one undo are about one item. Empty for jobs of no folder.
 */
export function addressesOf(plans: readonly PlanLine[]): ReadonlyMap<number, string> {
  const ofOne = new Map<number, string>();
  for (const { item, partOf = item, lock } of plans) if (lock !== undefined) ofOne.set(partOf, lock.item);
  const found = new Map<number, string>();
  for (const { item, partOf = item } of plans) {
    const address = ofOne.get(partOf);
    if (address !== undefined) found.set(item, address);
  }
  return found;
}
