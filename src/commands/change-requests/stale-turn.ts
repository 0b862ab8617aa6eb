import type { Session } from '../../cli/declare/session.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { takeWork } from '../../jobs/owner.js';

/**
 * Runs work while no other process of this machine does the same in the organization: two that read at the same time
 * would both find no comment, and each would post one.
 * @throws DocsError local-io `stale_running`, `journal_unwritable`; whatever `work` throws
 */
export async function inTurn<T>(
  { io, globals, savePlan }: Session,
  organization: string,
  work: () => Promise<T>,
): Promise<T> {
  if (globals.dryRun === true || savePlan !== undefined) return work();
  const folder = new JobFolder(io);
  folder.make();
  const turn = takeWork(folder.path, `stale-${organization.replace(/[^\w-]/g, '_')}`, (other) => ({
    code: 'stale_running',
    message: `Another docs change-requests stale is running (${other}); nothing was sent.`,
    hint: 'docs jobs list',
  }));
  return work().finally(() => turn.release());
}
