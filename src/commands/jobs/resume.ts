import { relative } from 'node:path';
import { Type } from '../../api/type.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { concurrencyOption, failFastOption } from '../../cli/declare/standing-flags.js';
import { confirmChosen } from '../../cli/resolve/prompts.js';
import { findJob } from '../../cli/run/find-job.js';
import { checkResults } from '../../cli/run/job-results.js';
import { folderOfJob, keepLock, tellLock } from '../../cli/run/keep-lock.js';
import { noteSaid } from '../../cli/run/note-checked.js';
import { preview } from '../../cli/run/preview.js';
import { refuseOther, resumeJob, undoes } from '../../cli/run/resume-job.js';
import { jobWords } from '../../cli/run/said-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord, Job } from '../../jobs/journal.js';
import { requestsOf, toStep } from '../../jobs/step.js';
import { counted } from '../../output/counted.js';
import { UndoneItem } from '../../output/printed-shapes.js';
import { jobArgument } from './argument.js';

export const resume = manual({
  name: 'resume',
  summary: 'Resume an unfinished job',
  why:
    'Runs the items that are left and retries those that failed. An item sent without an answer is looked ' +
    'up first and sent again only if it had no effect.',
  args: jobArgument('unfinished-jobs', async () => (await import('./offers.js')).unfinishedJobs),
  options: [concurrencyOption, failFastOption],
  returns: Type.Array(UndoneItem),
  exits: ['partial'],
  examples: { 'jobs resume last': 'resume the last job' },
  danger: 'change',
  carrier: true,
  async run(session, input, { groups }) {
    const folder = new JobFolder(session.io);
    const job = findJob(session, folder, String(input.args.job));
    refuseOther(session, job);
    await checkResults(session, { undoes: undoes(job) });
    const left = job.items.filter(({ state }) => state !== 'ok');
    if (left.length === 0) {
      // A process that was killed may have left it to others.
      if (!session.globals.dryRun) {
        tellLock(session, await keepLock(session, job.header.job), undefined);
        await completeLockOf(session, job);
      }
      await noteFinished(session, job);
      return;
    }
    if (session.globals.dryRun) return previewRest(session, left);
    await confirmJob(session, input, job, left.length);
    await resumeJob(session, folder, job, input, groups);
    await completeLockOf(session, job);
    await noteFinished(session, job);
  },
});

/** Of a job of the organization as code: what it made is written down for `docs drift`. */
async function completeLockOf(session: Session, job: Job): Promise<void> {
  const { io } = session;
  if (job.header.folder === undefined) return;
  const { org = '', origin } = job.header;
  const path = await folderOfJob(io.cwd, job, { org, origin });
  const { completeLock } = await import('../plan/complete-lock.js');
  await completeLock(session, path, relative(io.cwd, path) || '.');
}

/** @throws DocsError usage `not_confirmed` */
async function confirmJob(
  session: Session,
  { chosen = [] }: ManualInput,
  { header: { job, command } }: Job,
  left: number,
): Promise<void> {
  if (!chosen.includes('job')) return;
  const what = `Resume job ${job} (${command}), of which ${counted(left, 'item')} ${left === 1 ? 'is' : 'are'} left`;
  await confirmChosen(session, what, 'sent');
}

/** `--dry-run`: the requests of all items that are left; a lookup may find some of them done. */
async function previewRest(session: Session, left: readonly ItemRecord[]): Promise<void> {
  await preview(session, requestsOf(left.map(toStep)), true);
  const sent = left.filter(({ state }) => state === 'started' || state === 'unknown').length;
  if (sent > 0)
    session.printer.note(`${counted(sent, 'request')} may have been sent before; each is looked up first.`);
}

async function noteFinished(
  session: Session,
  { header: { job, total, command, evidence }, items }: Job,
): Promise<void> {
  const { printer, io, globals } = session;
  const said = `Finished job ${job}: ${jobWords(command, items)}.`;
  await noteSaid(
    session,
    `Job ${job} is finished: ${total === 1 ? 'its only item is' : `all ${total} items are`} done.`,
    said,
  );
  if (evidence === undefined) return;
  const next = `docs ${command} --resume ${shellWord(evidence, io.platform)}`;
  printer.note(`${atPlace(next, globals, io.platform)} completes the evidence.`);
}
