import { rmSync } from 'node:fs';
import { usageError } from '../errors.js';
import type { Io } from '../io.js';
import { damageOf, wayOn } from './damage.js';
import { hashOfInput, type JobFolder, keptMs } from './job-folder.js';
import { countsOf, type Header, type Job, journalFormat, stateOf, writeLine } from './journal.js';
import { JournalFile } from './journal-file.js';
import { takeJob } from './owner.js';
import type { Step } from './step.js';
import { ruleOf } from './undo-rules.js';

/** What the caller decides of the header. */
export type JobFacts = Omit<Header, 'journal' | 'job' | 'at' | 'input' | 'total'>;

export interface OpenJob {
  job: string;
  journal: JournalFile;
  close(): Promise<void>;
}

/**
 * Creates the journal of a new job, and removes journals older than 90 days. The lines of several items, and
 * those of a plan, are on the disk when this resolves; that of one item is written with its `started`, in one sync.
 * @param again whether the same input may start a second job
 * @throws DocsError usage `unfinished_job`, `done_before`; local-io `journal_unwritable`
 */
export async function createJob(
  io: Io,
  folder: JobFolder,
  facts: JobFacts,
  steps: readonly Step[],
  again: boolean,
): Promise<OpenJob> {
  const plan = steps.map(({ record }) => record.plan);
  const input = hashOfInput(facts, plan);
  folder.make();
  folder.prune(io.now() - keptMs);
  // A plan is applied once, so its job has a journal whatever becomes of its items.
  const many = steps.length > 1 || facts.plan !== undefined;
  if (steps.length > 1 && !again) refuseTwice(folder, input, steps);
  const { job, path } = folder.newJob(input);
  const at = new Date(io.now()).toISOString();
  const header: Header = { journal: journalFormat, job, at, ...facts, input, total: plan.length };
  const journal = await JournalFile.create(io, path);
  const opened = await owned(io, folder, job, journal);
  journal.stage([header, ...plan].map(writeLine).join(''));
  if (!many) return opened;
  try {
    await journal.append('');
    await journal.syncFolder();
    // Another process may have started the same job meanwhile: both then see each other here.
    if (!again) refuseRunning(folder, folder.withInput(input), job);
  } catch (cause) {
    await opened.close();
    rmSync(path, { force: true });
    throw cause;
  }
  return opened;
}

/** Opens the journal of a job to resume it. @throws DocsError local-io `job_running`, as `createJob` */
export async function reopenJob(io: Io, folder: JobFolder, job: Job): Promise<OpenJob> {
  const lock = takeJob(io, folder.path, job.header.job);
  try {
    // Read again: another process may have worked on it until now.
    const now = folder.read(job) ?? job;
    const journal = await JournalFile.reopen(io, job.path, now.wholeBytes);
    Object.assign(job, now);
    return openJob(job.header.job, journal, lock);
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

async function owned(io: Io, folder: JobFolder, job: string, journal: JournalFile): Promise<OpenJob> {
  try {
    return openJob(job, journal, takeJob(io, folder.path, job));
  } catch (cause) {
    await journal.close();
    throw cause;
  }
}

function openJob(job: string, journal: JournalFile, lock: { release(): void }): OpenJob {
  return { job, journal, close: () => journal.close().then(lock.release) };
}

/** Refuses the input of an unfinished job, and of a finished one that would create everything twice. */
function refuseTwice(folder: JobFolder, input: string, steps: readonly Step[]): void {
  const jobs = folder.withInput(input);
  refuseRunning(folder, jobs);
  const makes = steps.some(({ op }) => ruleOf(op).creates);
  for (const job of jobs) {
    const { job: name } = job.header;
    const damage = damageOf(job);
    if (damage !== undefined) {
      const { words, hint } = wayOn(job);
      const message = `Job ${name} has the same input and is unfinished. ${damage}; ${words}, or add --again.`;
      throw usageError('unfinished_job', message, { hint });
    }
    if (stateOf(job) === 'unfinished') {
      const message = `Job ${name} has the same input and is unfinished: ${progressOf(job)}. Resume it, or add --again to start over.`;
      throw usageError('unfinished_job', message, { hint: `docs jobs resume ${name}` });
    }
    if (!makes || countsOf(job).ok === 0) continue;
    const message = `Job ${name} already created the same items: ${progressOf(job)}. Add --again to create them once more.`;
    throw usageError('done_before', message, { hint: `docs jobs show ${name}` });
  }
}

function refuseRunning(folder: JobFolder, jobs: readonly Job[], own?: string): void {
  const workers = folder.workers();
  for (const job of jobs) {
    const { job: name } = job.header;
    const worker = workers.get(name);
    if (worker === undefined || name === own) continue;
    const message = `Job ${name} with the same input is already running (${worker}): ${progressOf(job)}.`;
    throw usageError('unfinished_job', message, { hint: `docs jobs show ${name}` });
  }
}

function progressOf(job: Job): string {
  return `${countsOf(job).ok} of ${job.header.total} items are done`;
}
