import type { Member } from '../../api/resources/members.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { DocsError, usageError } from '../../errors.js';
import { counted } from '../../output/counted.js';
import { startProgress } from '../../output/progress.js';
import { safeLine } from '../../output/safe-text.js';
import { shellWord } from '../../settings/shell-word.js';
import { version } from '../../version.js';
import type { ManualInput } from '../command.js';
import { notAsked } from '../confirm.js';
import { keepsJournal, originOf } from '../job-facts.js';
import { askText, askYes } from '../prompts.js';
import type { Session } from '../session.js';
import { complete, runLeaving } from './carry-out.js';
import { beginEvidence, dropEvidence, type EvidenceFiles, writeEvidence } from './evidence.js';
import { type Holdings, personOf, readHoldings } from './holdings.js';
import { type Leaving, ownerless, type Plan, planLeaving } from './plan.js';
import { checkPrinting, printOffboarding } from './printing.js';
import {
  heirReasons,
  lastAdminReason,
  ownerlessReasons,
  ownerReason,
  refuse,
  roleReason,
  unknownTeamsReasons,
} from './refusals.js';
import { type Leaver, nameOf, type Offboarding, type Ran, reportFormat } from './report.js';
import { type LeavingRequest, namesOf, requestOf } from './request.js';
import { findTokenOwner, type TokenOwner } from './token-owner.js';
import { toldLines } from './told.js';

/**
 * Takes people out: looks at what they hold, refuses what must not be, shows it, asks, sends it as a job,
 * looks again, and completes the evidence.
 * @throws DocsError usage (exit 2) where it is refused; not-found where nobody is so called; partial
 *   (exit 3) where something could not be seen, or was not done; as `createJob`
 */
export async function runOffboard(session: Session, input: ManualInput): Promise<void> {
  if (input.options.resume !== undefined) {
    const { resumeOffboarding } = await import('./resume.js');
    return resumeOffboarding(session, input);
  }
  const names = await namesOf(session, input);
  const isRehearsal = session.globals.dryRun === true;
  if (!isRehearsal) refuseUnasked(session, names.length);
  await checkPrinting(session);
  if (names.length === 0) return session.printer.note('Nobody: nothing was done.');
  const request = await requestOf(session, input, names);
  const prepared = await prepare(session, request);
  if (isRehearsal) return rehearse(session, prepared, input);
  const owner = await findTokenOwner(request.reading.client, request.reading.organizationId);
  const own = request.members.flatMap((member) => ownerReason(owner, member, prepared.organization) ?? []);
  refuse(session, [...prepared.reasons, ...own]);
  refuseUnseen(session, prepared.people, input);
  const report = reportOf(session, prepared, ranBy(session, owner));
  await confirm(session, report);
  await carryOut(session, prepared, report, input);
}

function refuseUnasked(session: Session, people: number): void {
  if (!keepsJournal(session)) {
    throw usageError(
      'journal_off',
      'The journal is off: an offboarding could be neither resumed nor proven.',
      {
        hint: 'docs config set journal on',
      },
    );
  }
  if (!session.globals.yes && !session.interactive) throw notAsked(`Offboard ${counted(people, 'member')}`);
}

/** Everything that is known before the first change. */
interface Prepared {
  request: LeavingRequest;
  organization: Organization;
  plan: Plan;
  people: Leaver[];
  /** Why it is refused. */
  reasons: string[];
}

async function prepare(session: Session, request: LeavingRequest): Promise<Prepared> {
  const { reading, members, heir } = request;
  const { client, organizationId } = reading;
  const progress = startProgress(session.io, {
    ...{ text: 'Looking at what they hold', total: members.length },
    quiet: session.globals.quiet ?? false,
  });
  try {
    const organization = await client.call(getOrg, { path: { organizationId } });
    const { holdings, owned } = await readHoldings(reading, members, (done) => progress.count(done));
    const leaving: Leaving = { organizationId, holdings, owned, heir };
    const last = await lastAdminReason(client, { organizationId, members });
    const plan = planLeaving(leaving);
    const lost = new Set(ownerless(leaving).map(({ id }) => id));
    const people = holdings.map((held) => leaverOf(held, lost, organization, plan));
    const reasons = [
      ...[roleReason(organization) ?? [], last ?? []].flat(),
      ...heirReasons(leaving),
      ...ownerlessReasons(leaving),
      ...unknownTeamsReasons(holdings),
    ];
    return { request, organization, plan, people, reasons };
  } finally {
    progress.stop();
  }
}

function leaverOf(
  { member, teams, spaces, changeRequests, unseen }: Holdings,
  ownerlessTeams: ReadonlySet<string>,
  organization: Organization,
  plan: Plan,
): Leaver {
  const { role, sso, disabled, joinedAt, lastSeenAt } = member;
  return {
    user: personOf(member),
    before: {
      ...{ role, sso, disabled, joinedAt, ...(lastSeenAt !== undefined && { lastSeenAt }) },
      teams: teams.map((team) => ({
        ...team,
        onlyOwner: team.role === 'owner' && ownerlessTeams.has(team.id),
      })),
      ...{ spaces, changeRequests },
    },
    unseen,
    warnings: warningsOf(member, organization),
    actions: plan.actions.get(member.id) ?? [],
  };
}

/** The ways back in that a removal leaves open. */
function warningsOf({ sso, user }: Member, { emailDomains }: Organization): string[] {
  const domain = user.email?.split('@').at(-1)?.toLowerCase();
  const joins = emailDomains.some((one) => one.toLowerCase() === domain);
  return [
    ...(sso ? ['they sign in by SSO: close the account there, too, or they may come back'] : []),
    ...(joins ? [`whoever has an address of ${safeLine(domain ?? '')} may join again`] : []),
  ];
}

function reportOf(session: Session, { request, organization, people }: Prepared, by: Ran): Offboarding {
  const { io } = session;
  return {
    format: reportFormat,
    state: 'planned',
    version,
    platform: originOf(session),
    organization: { id: request.reading.organizationId, title: organization.title },
    by,
    startedAt: new Date(io.now()).toISOString(),
    people,
  };
}

function ranBy({ settings, io }: Session, owner: TokenOwner | undefined): Ran {
  const account = io.env.USER ?? io.env.USERNAME;
  const unknown = owner === undefined ? 'it is found out by a ping once it is carried out' : undefined;
  return {
    profile: settings.profile.value,
    ...(owner?.is === 'known' && { user: personOf(owner.member) }),
    ...(owner !== undefined && owner.is !== 'known' && { why: owner.why }),
    ...(unknown !== undefined && { why: unknown }),
    ...(account !== undefined && account !== '' && { account }),
  };
}

/** `--dry-run`: all reads, no request that changes anything, not even the ping. */
async function rehearse(session: Session, prepared: Prepared, input: ManualInput): Promise<void> {
  await printOffboarding(session, reportOf(session, prepared, ranBy(session, undefined)));
  const requests = prepared.plan.steps.length;
  session.printer.note(
    `Dry run: nothing was sent, no evidence was written. ${counted(requests, 'request')} would change something, after a ping that tells whose the token is.`,
  );
  refuse(session, prepared.reasons);
  refuseUnseen(session, prepared.people, input);
}

/** What is not seen before cannot be seen afterwards. @throws DocsError partial `not_all_seen` */
function refuseUnseen(session: Session, people: readonly Leaver[], { options }: ManualInput): void {
  const { printer, settings } = session;
  const all = people.flatMap(({ user, unseen }) => unseen.map((one) => ({ user, ...one })));
  if (all.length === 0) return;
  if (!['json', 'ndjson'].includes(settings.output?.value ?? ''))
    for (const { user, what, error } of all)
      printer.warn(`Not seen of ${nameOf(user)}: ${what}: ${String(error.message ?? '')}`);
  if (options.allowUnseen === true) return;
  const message = `${counted(all.length, 'thing')} could not be read, and cannot be once they are out; nothing was changed. Add --allow-unseen to go on all the same.`;
  throw new DocsError('partial', 'not_all_seen', message, {
    outcome: 'not-sent',
    details: { unseen: all },
    hint: 'docs doctor',
  });
}

async function confirm(session: Session, { people }: Offboarding): Promise<void> {
  if (session.globals.yes) return;
  session.printer.warn(people.flatMap(toldLines).join('\n'));
  const [only] = people;
  const agreed =
    people.length === 1 && only !== undefined
      ? await askYes(session, `Offboard ${safeLine(nameOf(only.user))}?`)
      : (
          await askText(session, `Offboard ${people.length} members. Type ${people.length} to go on:`)
        ).trim() === String(people.length);
  if (!agreed) throw usageError('not_confirmed', 'Not confirmed; nothing was changed.');
}

async function carryOut(
  session: Session,
  { request, plan }: Prepared,
  planned: Offboarding,
  input: ManualInput,
): Promise<void> {
  const { files, report } = await beginEvidence(session.io, request.folder, { ...planned, state: 'begun' });
  let begun = false;
  const ran = await runLeaving(session, plan.steps, input, files.json, async (job) => {
    begun = true;
    await writeEvidence(files, { ...report, job });
  }).catch(async (cause: unknown) => {
    if (!begun) await dropEvidence(files);
    throw cause;
  });
  const finished = await complete(session, request.reading, { files, report }, ran.job);
  await conclude(session, finished, files, ran.failure);
}

/**
 * Prints what it came to, and says where the evidence is.
 * @throws DocsError why not all was done; partial `not_complete` where it was, and does not show
 */
export async function conclude(
  session: Session,
  report: Offboarding,
  { json, csv }: EvidenceFiles,
  failure: unknown,
): Promise<void> {
  const { io, printer } = session;
  const resume = { hint: `docs members offboard --resume ${shellWord(json, io.platform)}` };
  if (io.signal.aborted)
    throw failure instanceof DocsError ? withHint(failure, resume) : (failure ?? io.signal.reason);
  await printOffboarding(session, { ...report, files: { json, csv } });
  if (report.state === 'complete') {
    const names =
      report.people.length === 1
        ? nameOf((report.people[0] as Leaver).user)
        : counted(report.people.length, 'member');
    printer.note(`${safeLine(names)}: out, and read again. The evidence is in ${json} and ${csv}.`);
    return;
  }
  printer.note(`The evidence so far is in ${json} and ${csv}.`);
  if (failure instanceof DocsError) throw withHint(failure, resume);
  if (failure !== undefined) throw failure;
  const message = 'Everything was sent, but reading again does not show, or could not show, all of it.';
  throw new DocsError('partial', 'not_complete', message, { ...resume, outcome: 'done' });
}

function withHint({ kind, code, message, failure }: DocsError, more: { hint: string }): DocsError {
  return new DocsError(kind, code, message, { ...failure, ...more });
}
