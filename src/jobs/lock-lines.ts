import type { Job, LockChange, PlanLine } from './journal.js';
import { filled, madeBy } from './made.js';

/** What the items of a job have to do with the lock of its folder. */

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

/**
 * What holds in the lock after a job has run, was resumed, or undid another one: after an apply the new entries of
 * what is done, with the ids that the platform gave; after an undo the entries as they were, with the new ids of
 * what was created anew. In the order of the items, so later changes of one entry win.
 * @param job as its journal tells it now
 */
export function lockChangesOf({ items }: Job): LockChange[] {
  const made = madeBy(items);
  return items.flatMap(({ plan, state }) => {
    const { lock, covers = [] } = (state === 'ok' && filled(plan, made)) || {};
    const all = [...covers.map((covered) => covered.lock), lock].filter((one) => one !== undefined);
    return all.map(({ item, to }) => ({ item, to }));
  });
}
