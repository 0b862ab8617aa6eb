import { nameOf } from '../../access/person.js';
import { usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { createJob, type JobFacts, type OpenJob, reopenJob } from '../../jobs/create-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord, Job } from '../../jobs/journal.js';
import { operationOf } from '../../jobs/operation-of.js';
import { JobRun } from '../../jobs/run-job.js';
import type { Step } from '../../jobs/step.js';
import type { Trail } from '../../jobs/trail.js';
import type { Reading } from '../../reading/reading.js';
import { beginEvidence, dropEvidence, type Evidence, standingFolder, writeEvidence } from './evidence.js';
import { type Offboarding, withOutcomes } from './report.js';
import { isComplete, verify } from './verify.js';

export type Event = { is: 'sending'; done: number; failed: number } | { is: 'verifying' };

export interface Execution {
  io: Io;
  reading: Reading;
  failFast: boolean;
  /** Where its job is recorded. */
  trail: Trail;
  on(event: Event): void;
  /** Called before the first change, once the evidence says that it was begun. */
  begun?(evidence: Evidence): Promise<void>;
}

export interface Executed extends Evidence {
  job: string;
  /** undefined where nothing was left to send. */
  run?: JobRun;
  /** A bug that ended the job. */
  crash?: unknown;
}

/**
 * Sends the requests as a job, reads again, and writes the evidence before and after.
 * @param target.folder of the evidence, absolute @throws DocsError local-io; as `createJob`
 */
export async function execute(
  execution: Execution,
  planned: Offboarding,
  steps: readonly Step[],
  target: { folder: string; facts: JobFacts; again: boolean },
): Promise<Executed> {
  const { io, trail } = execution;
  const { files, report } = await beginEvidence(io, standingFolder(io, target.folder), {
    ...planned,
    state: 'begun',
  });
  const jobFacts = { ...target.facts, evidence: files.json };
  const creating = createJob(io, new JobFolder(io), jobFacts, steps, target.again, trail);
  const open = await creating.catch(async (cause) => {
    await dropEvidence(files);
    throw cause;
  });
  const named = { ...report, job: open.job };
  const sent = await send(execution, open, steps, async () => {
    await writeEvidence(io, { files, report: named });
    await execution.begun?.({ files, report: named });
  });
  return { ...sent, ...(await complete(execution, { files, report }, open.job)), job: open.job };
}

/** Does what is left of the job of an evidence file. @throws DocsError as `reopenJob` */
export async function resume(execution: Execution, job: Job, evidence: Evidence): Promise<Executed> {
  const { io, trail } = execution;
  const left = leftOf(job);
  const steps = left.map((record): Step => ({ record, op: operationOf(record.plan.op) }));
  const sent =
    left.length === 0
      ? {}
      : await send(execution, await reopenJob(io, new JobFolder(io), job, { trail }), steps);
  const name = job.header.job;
  return { ...sent, ...(await complete(execution, evidence, name)), job: name };
}

export function leftOf({ items }: Job): ItemRecord[] {
  return items.filter(({ state }) => state !== 'ok');
}

/**
 * The job of an evidence file: the one it names, or, where it was cut short before it could name one, the
 * one that names it.
 * @throws DocsError usage `no_job`
 */
export function jobOf(folder: JobFolder, { files: { json }, report }: Evidence): Job {
  if (report.job !== undefined && recordsOf(folder, report.job).length > 0) return folder.find(report.job);
  const jobs = report.job === undefined ? folder.readAll(() => {}) : [];
  const found = jobs.find(({ header }) => header.evidence === json);
  if (found !== undefined) return found;
  const names = report.people.map(({ user }) => nameOf(user)).join(', ');
  const message = `No job of ${json} on this machine: it was never started, or its journal is gone. Offboard ${names} again; finished steps are skipped.`;
  throw usageError('no_job', message, { hint: 'docs jobs list' });
}

async function send(
  { io, reading, failFast, on }: Execution,
  open: OpenJob,
  steps: readonly Step[],
  before = async () => {},
): Promise<Pick<Executed, 'run' | 'crash'>> {
  const { client, concurrency } = reading;
  const run = new JobRun({ io, client, steps, journal: open.journal, concurrency, failFast });
  run.watch(({ ok, failed, unknown }) =>
    on({ is: 'sending', done: ok + failed + unknown, failed: failed + unknown }),
  );
  try {
    await before();
    return { run, crash: await crashOf(run, io.signal) };
  } finally {
    await open.close();
  }
}

/** Runs a job to its end, or until it is interrupted. @returns the bug that ended it */
async function crashOf(run: JobRun, signal: AbortSignal): Promise<unknown> {
  try {
    for await (const { status } of run.results()) if (signal.aborted && status === 'skipped') break;
  } catch (cause) {
    return signal.aborted ? undefined : cause;
  }
}

/**
 * Completes the evidence with the outcomes in the journal, and with what the platform says now. An
 * interrupted run does not read again: its evidence stays open.
 */
export async function complete(
  { io, reading, on }: Omit<Execution, 'failFast' | 'trail' | 'begun'>,
  { files, report }: Evidence,
  job: string,
): Promise<Evidence> {
  let ended = withOutcomes(report, recordsOf(new JobFolder(io), job), job);
  if (!io.signal.aborted) {
    on({ is: 'verifying' });
    const people = await verify(reading, ended.people, io.now);
    const state = people.every(isComplete) ? 'complete' : 'incomplete';
    ended = { ...ended, state, finishedAt: new Date(io.now()).toISOString(), people };
  }
  await writeEvidence(io, { files, report: ended });
  return { files, report: ended };
}

function recordsOf(folder: JobFolder, job: string): readonly ItemRecord[] {
  const entry = folder.entries().find((one) => one.job === job);
  return (entry && folder.read(entry))?.items ?? [];
}
