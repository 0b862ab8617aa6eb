import { readTeam, type TeamMembers } from '../../access/people.js';
import { nameOf } from '../../access/person.js';
import { getMember } from '../../api/resources/members.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Session } from '../../cli/declare/session.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job, JobItem } from '../../jobs/journal.js';
import { readAll } from '../../jobs/sequence.js';
import { showProgress } from '../../output/progress.js';
import { type Reading, readFailure, type Unread } from '../../snapshot/unread.js';
import { type Evidence, writeEvidence } from './offboard-evidence.js';
import { type After, type Leaver, withOutcomes } from './shapes.js';

/** The end of an offboarding: reads again, and completes its evidence. */

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

/**
 * Completes the evidence with the outcomes in the journal, and with what the platform says now. An
 * interrupted run does not read again: its evidence stays open.
 */
export async function complete(
  { io, globals }: Session,
  reading: Reading,
  { files, report }: Evidence,
  job: string,
): Promise<Evidence> {
  let ended = withOutcomes(report, recordsOf(new JobFolder(io), job), job);
  if (!io.signal.aborted) {
    const { people: left } = ended;
    const people = await showProgress({ io, globals }, 'Reading again', () => verify(reading, left, io.now));
    const state = people.every(isComplete) ? 'complete' : 'incomplete';
    ended = { ...ended, state, finishedAt: new Date(io.now()).toISOString(), people };
  }
  await writeEvidence(io, { files, report: ended });
  return { files, report: ended };
}

/** Partial, exit 3: all was sent, and does not show. @param json path of the evidence */
export function notComplete(session: Session, json: string): DocsError {
  const message = 'All requests were sent, but reading again does not confirm all changes.';
  return new DocsError('partial', 'not_complete', message, {
    hint: resumeHint(session, json),
    outcome: 'done',
  });
}

/** The command that does what is left of an offboarding. */
export function resumeHint({ io }: Pick<Session, 'io'>, json: string): string {
  return `docs members offboard --resume ${shellWord(json, io.platform)}`;
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
