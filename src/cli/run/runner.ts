import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { shownChange } from '../../jobs/change.js';
import { createJob, type JobFacts, type OpenJob } from '../../jobs/create-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Header, Job, JobItem } from '../../jobs/journal.js';
import { changesIn } from '../../jobs/outlook.js';
import { type JobParts, JobRun } from '../../jobs/run-job.js';
import { undoneItems } from '../../jobs/undo.js';
import type { Lock } from '../../plans/lock.js';
import type { ManualInput } from '../declare/command.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { concurrencyOf } from './gather.js';
import { type Printing, printResults } from './job-results.js';
import { actorIn, jobFactsOf, keepsJournal, trailOf } from './session-job.js';

/** The one way of changes to the platform: their job is begun, they are sent, and its journal is closed. */

/** What every command that changes something hands over. */
export interface Sending
  extends Pick<
    JobFacts,
    'org' | 'source' | 'undoes' | 'evidence' | 'plan' | 'planFile' | 'folder' | 'settled'
  > {
  /** The words of the command, without ids and flags. */
  command: string;
  steps: readonly JobItem[];
  /** Whether the same input may start a second job. */
  again: boolean;
  /** Who approved the plan that is applied, under every policy that asks for it. */
  approved?: string;
}

/** How changes are sent: by default one after the other, and all of them. */
type How = Pick<JobParts, 'client'> & Partial<Omit<JobParts, 'io' | 'journal' | 'steps' | 'client'>>;

/** Works with a job at work. @param name undefined where journals are off */
type Use<T> = (run: JobRun, name: string | undefined) => Promise<T>;

/**
 * Begins the job of changes, and sends what is asked of it; its journal is closed whatever happens.
 * @throws DocsError as `createJob`, `claimPlan`; forbidden `policy_denied`, before a journal is made
 */
export async function sendSteps<T>(session: Session, sending: Sending, how: How, use: Use<T>): Promise<T> {
  const { steps } = sending;
  const job = steps.length > 0 && keepsJournal(session) ? await beginJob(session, sending) : undefined;
  return runJob(session, job, { ...how, steps }, use);
}

/** Runs a job that was begun or opened again, and closes its journal whatever happens. */
export async function runJob<T>(
  { io, printer }: Session,
  job: OpenJob | undefined,
  parts: How & Pick<JobParts, 'steps'>,
  use: Use<T>,
): Promise<T> {
  printer.changed();
  const usual = { concurrency: 1, failFast: false };
  try {
    return await use(new JobRun({ ...usual, ...parts, io, journal: job?.journal }), job?.job);
  } finally {
    await job?.close();
  }
}

/** What came of changes that were sent. */
interface Sent {
  client: Client;
  /** The name of the job; undefined where journals are off. */
  job: string | undefined;
  run: JobRun;
}

/** Changes that were sent, with what failed. */
interface Ended extends Sent {
  failure: unknown;
  /** Why the lock of their folder could not be written. */
  unkept: DocsError | undefined;
}

/**
 * Sends changes and prints a result each, in input order; then writes the lock of the folder that they belong to.
 * @param input whose `--concurrency` and `--fail-fast` hold
 * @throws DocsError as `sendSteps`, `printResults`; local-io `lock_unwritten`
 */
export async function sendListed(
  session: Session,
  input: ManualInput,
  sending: Sending,
  printing: Omit<Printing, 'job'>,
): Promise<Sent> {
  const { failure, unkept, ...sent } = await sendAll(session, input, sending, printing);
  tellLock(session, unkept, failure);
  if (failure !== undefined) throw failure;
  return sent;
}

/**
 * The same for those who have more to do before they throw what failed.
 * @param begun called once the job is begun, before the first request
 */
export async function sendAll(
  session: Session,
  input: ManualInput,
  sending: Sending,
  printing: Omit<Printing, 'job'>,
  begun: (job: string | undefined) => Promise<void> | void = () => {},
): Promise<Ended> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const how = { client, concurrency, failFast: input.options.failFast === true };
  const ended = await sendSteps(session, sending, how, async (run, job) => {
    const failure = await causeOf(async () => {
      await begun(job);
      await printResults(session, run, { ...printing, job });
    });
    return { client, run, job, failure };
  });
  return { ...ended, unkept: await lockKept(session, sending, ended.job) };
}

async function lockKept(
  session: Session,
  { folder }: Sending,
  job: string | undefined,
): Promise<DocsError | undefined> {
  return folder === undefined || job === undefined ? undefined : keepLock(session, job);
}

/** What a piece of work throws, for those who have more to do before they tell. */
export async function causeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (cause) {
    return cause ?? new Error('failed');
  }
}

/** The job of changes; of a plan, one that nobody else applies. */
async function beginJob(session: Session, sending: Sending): Promise<OpenJob> {
  if (sending.plan === undefined) return createdJob(session, sending);
  const { claimPlan } = await import('../../plans/check.js');
  const claim = await claimPlan(session.io, sending.plan);
  try {
    const job = await createdJob(session, sending);
    claim.begun(job.job);
    return job;
  } catch (cause) {
    claim.release();
    throw cause;
  }
}

async function createdJob(session: Session, sending: Sending): Promise<OpenJob> {
  const { command, steps, again, approved, ...more } = sending;
  await session.gate?.job(changesIn(steps), { command, approved: approved !== undefined });
  const actor = actorIn(session, defined({ plan: more.plan, approval: approved }));
  const facts = jobFactsOf(session, command, steps, { ...more, actor });
  return createJob(session.io, new JobFolder(session.io), facts, steps, again, trailOf(session));
}

/**
 * Writes what the items of a job did to the lock of its folder; of a job of no folder, nothing.
 * @returns local-io `lock_unwritten` where it could not: the platform is changed, and the lock does not say so
 */
export async function keepLock({ io, globals }: Session, name: string): Promise<DocsError | undefined> {
  const jobs = new JobFolder(io);
  const job = jobs.find(name);
  const { header } = job;
  if (header.folder === undefined) return undefined;
  const [{ updateLock }, { lockChangesOf }] = await Promise.all([
    import('../../plans/lock.js'),
    import('../../jobs/made.js'),
  ]);
  const head = { org: orgOf(jobs, header), origin: header.origin };
  const changes = lockChangesOf(job);
  let { folder } = header;
  try {
    folder = await folderOfJob(io.cwd, job, head);
    updateLock(folder, head, [...settledBy(jobs, job), ...changes]);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const what =
      changes.length === 0
        ? 'docs.lock.json could not be written'
        : 'The changes are made, but docs.lock.json does not say so';
    const where = existsSync(folder)
      ? ''
      : ` Resume the job in the working copy that has ${basename(folder)}.`;
    return new DocsError('local-io', 'lock_unwritten', `${what}: ${cause.message}${where}`, {
      outcome: 'done',
      retryable: false,
      hint: atPlace(`docs jobs resume ${header.job}`, globals, io.platform),
      details: { job: header.job, folder, items: changes.map(({ item }) => item) },
    });
  }
}

/**
 * What a job does to the lock beside its items. An undo takes it back, where that is to be taken back, once nothing of
 * the job that it undoes is left.
 */
function settledBy(jobs: JobFolder, { header }: Job): NonNullable<Header['settled']> {
  if (header.undoes === undefined) return header.settled ?? [];
  const undone = jobs.find(header.undoes);
  const settled = settledBy(jobs, undone).filter(({ from }) => from !== undefined);
  if (settled.length === 0) return [];
  const gone = undoneItems(header.undoes, jobs.undoing());
  const isLeft = undone.items.some(({ change, state }) => state === 'ok' && !gone.has(change.item));
  return isLeft ? [] : settled.map(({ item, from = null, to }) => ({ item, from: to, to: from }));
}

/** Throws what `keepLock` returned, or warns of it where the command fails for another reason. */
export function tellLock({ printer }: Session, unkept: DocsError | undefined, other: unknown): void {
  if (unkept === undefined) return;
  if (other === undefined) throw unkept;
  printer.warn(unkept.message);
}

/**
 * The folder whose lock a job changes. Its journal has the path on the machine where it began; a job that is resumed
 * in another working copy changes the lock there: of the folders below the working directory, the one at the end of
 * that path, unless its lock names other items.
 */
export async function folderOfJob(
  cwd: string,
  job: Job,
  head: Pick<Lock, 'org' | 'origin'>,
): Promise<string> {
  const { folder = '' } = job.header;
  const { readLock } = await import('../../plans/lock.js');
  const isIt = (here: string) => existsSync(join(here, 'org.yaml')) && fits(readLock(here), job, head);
  const below = pathsBelow(cwd, folder);
  if (below.includes(folder)) return folder;
  return below.find(isIt) ?? (!existsSync(folder) && isIt(cwd) ? cwd : folder);
}

/** `/home/ada/docs/org` below another directory: `org`, `docs/org`, `ada/docs/org`, … */
function pathsBelow(cwd: string, folder: string): string[] {
  const found: string[] = [];
  for (let above = dirname(folder); ; above = dirname(above)) {
    found.push(resolve(cwd, relative(above, folder)));
    if (dirname(above) === above) return found;
  }
}

function fits(
  lock: Lock | undefined,
  { items }: Job,
  { org, origin }: Pick<Lock, 'org' | 'origin'>,
): boolean {
  if (lock === undefined) return true;
  if (lock.org !== org || lock.origin !== origin) return false;
  return items.every(({ change }) => {
    const { lock: own } = shownChange(change);
    if (!own?.from) return true;
    const known = lock.items[own.item];
    return known === undefined ? own.to === null : own.to?.id !== own.from.id || known.id === own.from.id;
  });
}

/**
 * The organization of a job; that of an undo is the one of the job that it undoes, since requests about spaces and
 * collections do not name it.
 */
function orgOf(jobs: JobFolder, { org, undoes }: Header): string {
  if (org !== undefined || undoes === undefined) return org ?? '';
  return orgOf(jobs, jobs.find(undoes).header);
}
