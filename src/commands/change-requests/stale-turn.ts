import { takeWork } from '../../base/lock.js';
import type { Session } from '../../cli/declare/session.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { partName } from '../../shards/part-folders.js';
import type { Shard } from '../../shards/shard.js';

/**
 * Runs work while no other process of this machine does the same in the organization: two that read at the same time
 * would both find no comment, and each would post one.
 * @param shard its part of the spaces, which no other part touches
 * @throws DocsError local-io `stale_running`, `journal_unwritable`; whatever `work` throws
 */
export async function inTurn<T>(
  { io, globals, savePlan }: Session,
  { organization, shard }: { organization: string; shard: Shard | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (globals.dryRun === true || savePlan !== undefined) return work();
  const folder = new JobFolder(io);
  folder.make();
  const part = shard === undefined ? '' : `-${partName(shard)}`;
  const turn = takeWork(folder.path, `stale-${organization.replace(/[^\w-]/g, '_')}${part}`, (other) => ({
    code: 'stale_running',
    message: `Another docs change-requests stale is running (${other}); nothing was sent.`,
    hint: 'docs jobs list',
  }));
  return work().finally(() => turn.release());
}
