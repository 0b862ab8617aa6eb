import { rmSync } from 'node:fs';
import { usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { JobFolder } from './job-folder.js';
import {
  countsOf,
  formatOf,
  type Header,
  type Job,
  type JobItem,
  plannedLine,
  stateOf,
  writeLine,
} from './journal.js';
import { JournalFile } from './journal-file.js';
import { damageOf, hashOfInput, type JournalFolder, keptMs, takeJob, wayOn } from './journal-folder.js';
import { loadRules } from './rule-book.js';
import { begunEvent, endedEvent, openedEvent, type Trail } from './trail.js';

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
 * @param trail records that the job begins, once it has a file, and the state of its journal when it is closed
 * @throws DocsError usage `unfinished_job`, `done_before`; local-io `journal_unwritable`; as `Trail.record`
 */
export async function createJob(
  io: Io,
  folder: JournalFolder,
  facts: JobFacts,
  steps: readonly JobItem[],
  again: boolean,
  trail: Trail,
): Promise<OpenJob> {
  const changes = steps.map(({ change }) => change);
  const plan = changes.map((change) => writeLine(plannedLine(change))).join('');
  const input = hashOfInput(facts, plan);
  folder.make();
  await folder.prune(io.now() - keptMs, trail);
  // A plan is applied once, so its job has a journal whatever becomes of its items.
  const many = steps.length > 1 || facts.plan !== undefined;
  if (steps.length > 1 && !again) await refuseTwice(folder, input, steps);
  const { job, path } = folder.newJob(input);
  const at = new Date(io.now()).toISOString();
  const header: Header = { journal: formatOf(changes), job, at, ...facts, input, total: changes.length };
  const journal = await JournalFile.create(io, path);
  const lock = await lockFor(io, folder, job, journal);
  const opened = openJob(job, journal, lock, trail);
  try {
    await trail.record([begunEvent(header, steps)]);
    journal.stage(writeLine(header) + plan);
    if (!many) return opened;
    await journal.append('');
    await journal.syncFolder();
    // Another process may have started the same job meanwhile: both then see each other here.
    if (!again) refuseRunning(folder, folder.withInput(input, job));
  } catch (cause) {
    // Its journal goes with it, so none is recorded.
    await trail.record([{ event: 'job-ended', job }], { quiet: true });
    await journal.close();
    rmSync(path, { force: true });
    lock.release();
    throw cause;
  }
  return opened;
}

/**
 * Opens the journal of a job to resume it.
 * @param how.settles the item that a person settles instead
 * @throws DocsError local-io `job_running`, as `createJob`
 */
export async function reopenJob(
  io: Io,
  folder: JobFolder,
  job: Job,
  { trail, settles }: { trail: Trail; settles?: number },
): Promise<OpenJob> {
  const { job: name } = job.header;
  const lock = takeJob(io, folder.path, name);
  try {
    // Read again: another process may have worked on it until now.
    const now = folder.read(job) ?? job;
    await trail.record([openedEvent(now.header, settles === undefined ? 'job-resumed' : 'settled', settles)]);
    const journal = await JournalFile.reopen(io, job.path, now.wholeBytes).catch(async (cause) => {
      await trail.record([endedEvent(name, job.path)]);
      throw cause;
    });
    Object.assign(job, now);
    return openJob(name, journal, lock, trail);
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

async function lockFor(io: Io, folder: JournalFolder, job: string, journal: JournalFile): Promise<Lock> {
  try {
    return takeJob(io, folder.path, job);
  } catch (cause) {
    await journal.close();
    throw cause;
  }
}

type Lock = ReturnType<typeof takeJob>;

function openJob(job: string, journal: JournalFile, lock: Lock, trail: Trail): OpenJob {
  const close = async () => {
    await journal.quiet();
    // First the record: an empty journal is removed, and nothing must be missing without a word.
    await trail.record([endedEvent(job, journal.path)]);
    await journal.close();
    lock.release();
  };
  return { job, journal, close };
}

/** Refuses the input of an unfinished job, and of a finished one that would create everything twice. */
async function refuseTwice(folder: JournalFolder, input: string, steps: readonly JobItem[]): Promise<void> {
  const jobs = folder.withInput(input);
  refuseRunning(folder, jobs);
  const rules = await loadRules(steps.map(({ change }) => change.op.id));
  const makes = steps.some(({ change }) => rules.ruleOf(change.op).creates);
  for (const job of jobs) {
    const { job: name } = job.header;
    const damage = damageOf(job);
    if (damage !== undefined) {
      const { words, hint } = wayOn(job);
      const message = `job ${name} has the same input and is unfinished. ${damage}; ${words}, or add --again.`;
      throw usageError('unfinished_job', message, { hint });
    }
    if (stateOf(job) === 'unfinished') {
      const message = `job ${name} has the same input and is unfinished: ${progressOf(job)}. Resume it, or add --again to start over.`;
      throw usageError('unfinished_job', message, { hint: `docs jobs resume ${name}` });
    }
    if (!makes || countsOf(job).ok === 0) continue;
    const message = `job ${name} already created the same items: ${progressOf(job)}. Add --again to create them once more.`;
    throw usageError('done_before', message, { hint: `docs jobs show ${name}` });
  }
}

function refuseRunning(folder: JournalFolder, jobs: readonly Job[]): void {
  const workers = folder.workers();
  for (const job of jobs) {
    const { job: name } = job.header;
    const worker = workers.get(name);
    if (worker === undefined) continue;
    const message = `job ${name} with the same input is already running (${worker}): ${progressOf(job)}`;
    throw usageError('unfinished_job', message, { hint: `docs jobs show ${name}` });
  }
}

function progressOf(job: Job): string {
  const { total } = job.header;
  return `${countsOf(job).ok} of ${total} ${total === 1 ? 'item is' : 'items are'} done`;
}
