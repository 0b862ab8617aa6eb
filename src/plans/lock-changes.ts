import type { Job } from '../jobs/journal.js';
import { filled, madeBy } from '../jobs/made.js';
import type { LockChange } from './plan.js';

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
