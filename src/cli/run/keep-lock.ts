import { DocsError } from '../../errors.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Header } from '../../jobs/journal.js';
import type { Session } from '../declare/session.js';

/**
 * Writes what the items of a job did to the lock of its folder; of a job of no folder, nothing. A lock that cannot
 * be written is a warning, since the platform is changed: the next plan finds the items by their names.
 */
export async function keepLock({ io, printer }: Session, name: string): Promise<void> {
  const jobs = new JobFolder(io);
  const job = jobs.find(name);
  const { folder, settled = [], origin } = job.header;
  if (folder === undefined) return;
  const [{ updateLock }, { lockChangesOf }] = await Promise.all([
    import('../../plans/lock.js'),
    import('../../plans/lock-changes.js'),
  ]);
  try {
    const org = orgOf(jobs, job.header);
    updateLock(folder, { org, origin }, [...settled, ...lockChangesOf(job)]);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    printer.warn(`The changes are made, but docs.lock.json does not say so: ${cause.message}`);
  }
}

/**
 * The organization of a job; that of an undo is the one of the job that it undoes, since requests about spaces and
 * collections do not name it.
 */
function orgOf(jobs: JobFolder, { org, undoes }: Header): string {
  if (org !== undefined || undoes === undefined) return org ?? '';
  return orgOf(jobs, jobs.find(undoes).header);
}
