import { readTeam, type TeamMembers } from '../../access/people.js';
import { nameOf } from '../../access/person.js';
import { getMember } from '../../api/resources/members.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { readAll } from '../../jobs/in-order.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job, JobItem } from '../../jobs/journal.js';
import type { JobRun } from '../../jobs/run-job.js';
import { type Reading, readFailure, type Unread } from '../../snapshot/unread.js';
import {
  beginEvidence,
  dropEvidence,
  type Evidence,
  standingFolder,
  writeEvidence,
} from './offboard-evidence.js';
import { type After, type Leaver, type Offboarding, withOutcomes } from './shapes.js';

/** Carries out an offboarding: sends its requests as a job, reads again, and writes the evidence before and after. */

type Event = { is: 'sending'; done: number; failed: number } | { is: 'verifying' };

/** Works with the job of an offboarding. */
type Use<T> = (run: JobRun, job: string) => Promise<T>;

export interface Execution {
  io: Io;
  reading: Reading;
  /** Begins the job, which names its evidence, and sends. */
  send<T>(steps: readonly JobItem[], evidence: string, use: Use<T>): Promise<T>;
  /** Opens the job again, and sends what is left of it. */
  sendRest<T>(job: Job, steps: readonly JobItem[], use: Use<T>): Promise<T>;
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
 * @param folder of the evidence, absolute @throws DocsError local-io; as `Execution.send`
 */
export async function execute(
  execution: Execution,
  planned: Offboarding,
  steps: readonly JobItem[],
  folder: string,
): Promise<Executed> {
  const { io } = execution;
  const { files, report } = await beginEvidence(io, standingFolder(io, folder), {
    ...planned,
    state: 'begun',
  });
  let isBegun = false;
  const sending = execution.send(steps, files.json, async (run, job) => {
    isBegun = true;
    const named = { ...report, job };
    await writeEvidence(io, { files, report: named });
    await execution.begun?.({ files, report: named });
    return { run, job, crash: await crashOf(execution, run) };
  });
  const sent = await sending.catch(async (cause) => {
    if (!isBegun) await dropEvidence(files);
    throw cause;
  });
  return { ...sent, ...(await complete(execution, { files, report }, sent.job)) };
}

/** Does what is left of the job of an evidence file. @throws DocsError as `Execution.sendRest` */
export async function resume(execution: Execution, job: Job, evidence: Evidence): Promise<Executed> {
  const left = leftOf(job);
  const steps = [...left];
  const rest = () =>
    execution.sendRest(job, steps, async (run) => ({ run, crash: await crashOf(execution, run) }));
  const sent = left.length === 0 ? {} : await rest();
  const name = job.header.job;
  return { ...sent, ...(await complete(execution, evidence, name)), job: name };
}

export function leftOf({ items }: Job): JobItem[] {
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

/** Runs a job to its end, or until it is interrupted. @returns the bug that ended it */
async function crashOf({ io: { signal }, on }: Execution, run: JobRun): Promise<unknown> {
  run.watch(({ ok, failed, unknown }) =>
    on({ is: 'sending', done: ok + failed + unknown, failed: failed + unknown }),
  );
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
  { io, reading, on }: Pick<Execution, 'io' | 'reading' | 'on'>,
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

function recordsOf(folder: JobFolder, job: string): readonly JobItem[] {
  const entry = folder.entries().find((one) => one.job === job);
  return (entry && folder.read(entry))?.items ?? [];
}

/** Reads members and teams again. @returns the leavers with what the platform says now */
async function verify(reading: Reading, people: readonly Leaver[], nowMs: () => number): Promise<Leaver[]> {
  const teams = new Map(people.flatMap(({ before }) => before.teams.map((team) => [team.id, team])));
  const found = new Map(
    await readAll(reading, [...teams.values()], async (team) => [team.id, await readTeam(reading, team)]),
  );
  return readAll(reading, people, async (leaver) => {
    const { user, before } = leaver;
    const member = await isMember(reading, user.id);
    const told = before.teams.map(({ id, title }) => ({ id, title, ...standing(found.get(id), user.id) }));
    return { ...leaver, after: { at: new Date(nowMs()).toISOString(), member, teams: told } };
  });
}

/** @returns null where it cannot be read */
async function isMember(
  { client, organizationId, signal }: Reading,
  userId: string,
): Promise<boolean | null> {
  try {
    await client.call(getMember, { path: { organizationId, userId } });
    return true;
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return false;
    readFailure(cause, signal);
    return null;
  }
}

/** A deleted team has no members. */
function standing(
  team: TeamMembers | Unread | undefined,
  userId: string,
): Pick<After['teams'][number], 'member' | 'owners'> {
  if (team !== undefined && 'roles' in team) return { member: team.roles.has(userId), owners: team.owners };
  const status = team?.error.failure.status;
  const gone = status === 404 || status === 410;
  return { member: gone ? false : null, owners: [] };
}

/** Whether everything was done, and reading again shows it. */
function isComplete({ actions, after, before }: Leaver): boolean {
  const done = actions.every(({ status }) => status === 'ok');
  const out = after?.member === false && after.teams.every(({ member }) => member === false);
  const owned = actions.every(({ does, team, to }) => {
    if (does !== 'hand over team') return true;
    return after?.teams.find(({ id }) => id === team?.id)?.owners.some(({ id }) => id === to?.id) ?? false;
  });
  return done && out && owned && after.teams.length === before.teams.length;
}
