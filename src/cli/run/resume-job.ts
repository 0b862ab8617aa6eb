import { usageError } from '../../errors.js';
import { reopenJob } from '../../jobs/create-job.js';
import { madeBy } from '../../jobs/filled.js';
import { hashOfInput, type JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord, Job } from '../../jobs/journal.js';
import { operationOf } from '../../jobs/operation-of.js';
import { sourceIssue } from '../../jobs/resume.js';
import type { Step } from '../../jobs/step.js';
import { withReads } from '../../jobs/undo-steps.js';
import { version } from '../../version.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { concurrencyOf } from './gather.js';
import { printResults } from './job-results.js';
import { refuseElsewhere, runJob } from './session-job.js';

/** Resuming a job in a session, by `docs jobs resume` and by commands that began it. */

/** Refuses to resume a job elsewhere, by another version or with another input. @throws usage `job_mismatch` */
export function refuseOther(session: Session, { header, items }: Job): void {
  refuseElsewhere(session, header, `docs jobs resume ${header.job}`);
  const plan = items.map((item) => item.plan);
  const issue =
    header.version !== version
      ? `It was created by docs ${header.version}, and this is ${version}`
      : plan.length !== header.total || hashOfInput(header, plan) !== header.input
        ? 'Its journal was edited'
        : sourceIssue(header.source);
  if (issue === undefined) return;
  const message = `Job ${header.job} cannot be resumed. ${issue}; nothing was sent.`;
  throw usageError('job_mismatch', message, { hint: `docs jobs show ${header.job}` });
}

/** Whether a job undoes another, so that its results say what was restored. */
export function undoes({ header }: Job): boolean {
  return header.undoes !== undefined;
}

/** Works on the rest of a job and prints its results. @throws DocsError as `printResults`, `reopenJob` */
export async function resumeJob(
  session: Session,
  folder: JobFolder,
  job: Job,
  input: ManualInput,
): Promise<void> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const open = await reopenJob(session.io, folder, job);
  const left = job.items.filter(({ state }) => state !== 'ok');
  const steps = withReads(left, job.items).map(toStep);
  const made = madeBy(job.items);
  const parts = { client, steps, made, concurrency, failFast: input.options.failFast === true };
  await runJob(session, open, parts, (run) =>
    printResults(session, run, { job: open.job, doing: 'Resuming', undoes: undoes(job) }),
  );
}

/** An item of a journal as a step. */
export function toStep(record: ItemRecord): Step {
  return { record, op: operationOf(record.plan.op) };
}
