import { DocsError } from '../../errors.js';
import { filled, madeBy } from '../../jobs/filled.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord } from '../../jobs/journal.js';
import type { LockChange } from '../../plans/plan.js';
import type { Session } from '../declare/session.js';

/**
 * Writes what the items of a job did to the lock of its folder; of a job of no folder, nothing. A lock that cannot
 * be written is a warning, since the platform is changed: the next plan finds the items by their names.
 * @param beside what applying its plan does to the lock beside its items
 */
export async function keepLock(
  { io, printer }: Session,
  name: string,
  beside: readonly LockChange[] = [],
): Promise<void> {
  const { header, items } = new JobFolder(io).find(name);
  const { folder, org = '', origin } = header;
  if (folder === undefined) return;
  const { updateLock } = await import('../../plans/lock.js');
  try {
    updateLock(folder, { org, origin }, [...beside, ...lockChangesOf(items)]);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    printer.warn(`The changes are made, but docs.lock.json does not say so: ${cause.message}`);
  }
}

/** What the done items of a job do to the lock, with the ids that items made. */
function lockChangesOf(items: readonly ItemRecord[]): LockChange[] {
  const made = madeBy(items);
  return items.flatMap(({ plan, state }) => {
    const { lock } = (state === 'ok' && filled(plan, made)) || {};
    return lock === undefined ? [] : { item: lock.item, to: lock.to };
  });
}
