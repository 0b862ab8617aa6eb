import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { askYes } from '../../cli/resolve/prompts.js';
import { notAsked } from '../../cli/run/confirm.js';
import { trailOf } from '../../cli/run/session-job.js';
import { JobFolder, keptMs } from '../../jobs/job-folder.js';
import { checked } from '../../output/check-mark.js';
import { counted } from '../../output/counted.js';
import { done, oneOf } from '../../output/printed-shapes.js';
import { jobArgument } from './argument.js';

export const prune = manual({
  name: 'prune',
  summary: 'Remove the journals of old jobs',
  why:
    'Journals are removed automatically after 90 days. A job without its journal can be neither resumed ' +
    'nor undone.',
  options: [option('--days <n>', 'Remove journals older than this many days', { number: true, default: 90 })],
  returns: done(oneOf('pruned', 'kept'), { removed: Type.Integer() }),
  examples: { 'jobs prune --days 30': 'keep only the last 30 days' },
  danger: 'change',
  effect: 'local',
  local: true,
  async run(session, { options }) {
    const days = options.days === undefined ? keptMs / 86_400_000 : Number(options.days);
    if (!(days >= 0))
      throw usageError('not_a_number', `--days must be a number, not ${JSON.stringify(options.days)}.`);
    const folder = new JobFolder(session.io);
    const beforeMs = session.io.now() - days * 86_400_000;
    const old = folder.begunBefore(beforeMs).length;
    const removed = session.globals.dryRun ? old : await folder.prune(beforeMs, trailOf(session));
    const status = session.globals.dryRun ? 'kept' : 'pruned';
    const journals = counted(removed, 'journal');
    await session.printer.done(
      { id: folder.path, status, removed },
      session.globals.dryRun ? `Would remove ${journals}.` : checked(session.io, `Removed ${journals}.`),
    );
  },
});

export const discard = manual({
  name: 'discard',
  summary: 'Remove the journal of one job',
  why:
    'Use it for a damaged journal: the command that began the job then starts over. Asks first, or ' +
    'needs --yes, where something was sent, since that can then be neither resumed nor undone.',
  args: jobArgument(
    'jobs',
    async () => (await import('./offers.js')).anyJob,
    'Name of the job, or a unique prefix of it',
  ),
  returns: done(oneOf('discarded', 'kept')),
  examples: { 'jobs discard 20251120-102642-9f3ab2': 'remove the journal of a job' },
  danger: 'change',
  effect: 'local',
  local: true,
  async run(session, { args, chosen = [] }) {
    const folder = new JobFolder(session.io);
    const { job, sent } = folder.about(String(args.job));
    const count = sent === undefined ? 'an unknown number of' : String(sent);
    if (session.globals.dryRun)
      return session.printer.done({ id: job, status: 'kept' }, `Would remove the journal of job ${job}.`);
    if ((sent !== 0 || chosen.includes('job')) && !session.globals.yes) {
      const what = `Discard the journal of job ${job}, of which ${count} items were sent`;
      if (!session.interactive) throw notAsked(what);
      if (!(await askYes(session, `${what}?`)))
        throw usageError('not_confirmed', 'Not confirmed; nothing was removed.');
    }
    await folder.discard(job, trailOf(session));
    await session.printer.done(
      { id: job, status: 'discarded' },
      checked(session.io, `Removed the journal of job ${job}.`),
    );
  },
});
