import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  findTokenOwner,
  lastAdminReason,
  ownerReasons,
  refusal,
  type TokenOwner,
} from '../../access/guards.js';
import { type After, type Leaver, withOutcomes } from '../../access/members.js';
import { ranBy } from '../../access/offboarding.js';
import {
  type Evidence,
  evidenceOf,
  makeEvidenceFolder,
  standingFiles,
  writeEvidence,
} from '../../access/offboarding-evidence.js';
import { readTeam, type TeamMembers } from '../../access/people.js';
import { nameOf } from '../../access/person.js';
import type { Client } from '../../api/client.js';
import {
  deleteMember,
  getMember,
  listMembers,
  type Member,
  updateMember,
} from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { DocsError, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import type { Application, Applies } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { refuse } from '../../cli/run/output.js';
import { jobFactsOf } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job, JobItem } from '../../jobs/journal.js';
import { readAll } from '../../jobs/sequence.js';
import { showProgress } from '../../output/progress.js';
import { type Reading, readFailure, type Unread } from '../../snapshot/unread.js';
import { evidenceSentence } from './offboard-page.js';

/** The end of an offboarding: reads again, and completes its evidence. */

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
  const message = `no job of ${json} on this machine: it was never started, or its journal is gone. Offboard ${names} again; finished steps are skipped.`;
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
  const message = 'all requests were sent, but reading again does not confirm all changes';
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

/** What is looked at again where a plan of `members review` or `members offboard` is applied. */

/** Refuses to change the owner of the token, and to leave no admin. */
export const applyReview: Applies = async (application) => {
  await refuseAsThingsStand(application);
  return {};
};

/** The same; then the evidence that was written with the plan is completed as after an offboarding. */
export const applyOffboarding: Applies = async (application) => {
  const { session, client, concurrency, evidence: json } = application;
  const { io } = session;
  const { files: own, report: planned } = await evidenceAt(io, json);
  const files = standingFiles(io, own);
  await makeEvidenceFolder(dirname(files.json));
  const owner = await refuseAsThingsStand(application);
  const facts = jobFactsOf(session, 'members offboard', []);
  const nowMs = io.now();
  const by = ranBy({ facts, account: io.env.USER ?? io.env.USERNAME, owner });
  const report = { ...planned, by, startedAt: new Date(nowMs).toISOString() };
  const organizationId = report.organization.id;
  return {
    begin: (job) => writeEvidence(io, { files, report: { ...report, state: 'begun', job } }),
    async end(job, isDone) {
      const reading = { client, organizationId, concurrency, signal: io.signal };
      const ended = await complete(session, reading, { files, report }, job);
      tell(session, ended, isDone);
    },
  };
};

/** The evidence of a plan, which is on the machine where the plan was made. @throws DocsError usage `no_evidence` */
async function evidenceAt(io: Io, json: string | undefined): Promise<Evidence> {
  const hint = 'docs members offboard --help';
  if (json === undefined)
    throw usageError('no_evidence', 'the plan names no evidence file; nothing was sent', { hint });
  const text = await readFile(json, 'utf8').catch((cause: unknown) => {
    const why =
      systemCode(cause) === 'ENOENT' ? 'not found' : `unreadable: ${systemCode(cause) ?? String(cause)}`;
    const message = `evidence file ${json} ${why}; it is on the machine that made the plan. Nothing was sent.`;
    throw usageError('no_evidence', message, { hint });
  });
  const evidence = evidenceOf(text, json, json);
  if (evidence.report.state === 'planned') return evidence;
  const message = `${json} is the evidence of an offboarding that was begun; nothing was sent`;
  throw usageError('no_evidence', message, {
    hint: resumeHint({ io }, json),
  });
}

/** @returns whose token is in use @throws DocsError usage `refused`; as `Client.call` */
async function refuseAsThingsStand({
  session,
  client,
  calls,
  concurrency,
}: Application): Promise<TokenOwner | undefined> {
  const own = calls.filter(({ op }) => op === updateMember || op === deleteMember);
  const organizationId = own[0]?.input.path?.organizationId;
  if (organizationId === undefined) return undefined;
  const changed = await membersNamed(client, organizationId, new Set(own.map(({ id }) => id)));
  const raised = new Set(own.filter(makesAdmin).map(({ id }) => id));
  const lost = changed.filter(({ id }) => !raised.has(id));
  const reasons = await lastAdminReason(
    { client, organizationId, concurrency, signal: session.io.signal },
    lost,
  );
  const organization = await client.call(getOrg, { path: { organizationId } });
  const owner = await findTokenOwner(client, organizationId);
  refuse(session, refusal([...reasons, ...ownerReasons(owner, changed, organization)]));
  return owner;
}

function makesAdmin({ input }: Application['calls'][number]): boolean {
  return (input.body as { role?: unknown } | undefined)?.role === 'admin';
}

async function membersNamed(
  client: Client,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of client.call(listMembers, { path: { organizationId } }))
    if (ids.has(member.id)) found.push(member);
  return found;
}

function tell(session: Application['session'], { files, report }: Evidence, isDone: boolean): void {
  const { io, printer } = session;
  const isComplete = report.state === 'complete';
  const evidence = evidenceSentence(session, files, isComplete);
  printer.note(isComplete ? `Reading again confirms it. ${evidence}` : evidence);
  if (isComplete || !isDone || io.signal.aborted) return;
  throw notComplete(session, files.json);
}
