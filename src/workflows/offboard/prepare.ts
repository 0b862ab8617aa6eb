import { domainOf, isAtDomain } from '../../access/guards.js';
import { lastAdminReason, type Refusal } from '../../access/member-refusals.js';
import { nameOf, personOf } from '../../access/person.js';
import type { TokenOwner } from '../../access/read/token-owner.js';
import type { Member } from '../../api/resources/members.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { JobFacts } from '../../jobs/create-job.js';
import type { Step } from '../../jobs/step.js';
import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import type { Reading } from '../../snapshot/unread.js';
import { type Holdings, readHoldings } from './holdings.js';
import { type Leaving, ownerless, type Plan, planLeaving } from './plan.js';
import { reasonsAgainst } from './refusals.js';
import { type Leaver, type Offboarding, type Ran, reportFormat } from './report.js';

export interface LeavingRequest {
  reading: Reading;
  members: readonly Member[];
  /** The new owner of teams that would have none; undefined where none was named. */
  heir: Member | undefined;
}

export interface Prepared {
  reading: Reading;
  organization: Organization;
  steps: Step[];
  people: Leaver[];
  /** Why it is refused, but for the owner of the token. */
  reasons: string[];
}

/**
 * Reads what the members hold and plans their removal.
 * @param onRead called after each member
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function prepare(
  { reading, members, heir }: LeavingRequest,
  onRead: (done: number) => void,
): Promise<Prepared> {
  const { client, organizationId } = reading;
  const organization = await client.call(getOrg, { path: { organizationId } });
  const leaving: Leaving = { organizationId, heir, ...(await readHoldings(reading, members, onRead)) };
  const lastAdmin = await lastAdminReason(reading, members);
  const plan = planLeaving(leaving);
  const lost = new Set(ownerless(leaving).map(({ id }) => id));
  const people = leaving.holdings.map((held) => leaverOf(held, lost, organization, plan));
  const reasons = reasonsAgainst(leaving, organization, lastAdmin);
  return { reading, organization, steps: plan.steps, people, reasons };
}

function leaverOf(
  { member, teams, spaces, changeRequests, unseen }: Holdings,
  ownerlessTeams: ReadonlySet<string>,
  organization: Organization,
  plan: Plan,
): Leaver {
  const { role, sso, disabled, joinedAt, lastSeenAt } = member;
  const ranked = teams.map((team) => ({
    ...team,
    onlyOwner: team.role === 'owner' && ownerlessTeams.has(team.id),
  }));
  const lists = { teams: ranked, spaces, changeRequests };
  return {
    user: personOf(member),
    before: defined({ role, sso, disabled, joinedAt, lastSeenAt, ...lists }),
    unseen,
    warnings: warningsOf(member, organization),
    actions: plan.actions.get(member.id) ?? [],
  };
}

/** The ways back in that a removal leaves open. */
function warningsOf({ sso, user }: Member, { emailDomains }: Organization): string[] {
  const domain = domainOf(user.email);
  const joins = isAtDomain(user.email, emailDomains);
  return [
    ...(sso ? ['they sign in by SSO: close the account there, too, or they may come back'] : []),
    ...(joins ? [`anyone with an email address at ${safeLine(domain ?? '')} may join again`] : []),
  ];
}

export interface Runner {
  facts: JobFacts;
  account: string | undefined;
  /** undefined in a dry run, which sends no ping. */
  owner: TokenOwner | undefined;
  nowMs: number;
}

export function plannedReport({ reading, organization, people }: Prepared, runner: Runner): Offboarding {
  const { version, origin: platform } = runner.facts;
  const at = { id: reading.organizationId, title: organization.title };
  const startedAt = new Date(runner.nowMs).toISOString();
  const head = { format: reportFormat, state: 'planned', version, platform, organization: at } as const;
  return { ...head, by: ranBy(runner), startedAt, people };
}

const unpinged = 'a ping identifies the owner of the token when it is carried out';

/** Who ran an offboarding. */
export function ranBy({ facts, account, owner }: Omit<Runner, 'nowMs'>): Ran {
  const { profile } = facts;
  const user = owner?.is === 'known' ? personOf(owner.member) : undefined;
  const why = owner?.is === 'known' ? undefined : (owner?.why ?? unpinged);
  return defined({ profile, user, why, account: account || undefined });
}

/** The refusal where something could not be read: afterwards nobody can read it. */
export function unseenRefusal(people: readonly Leaver[]): Refusal | undefined {
  const unseen = people.flatMap(({ user, unseen: own }) => own.map((one) => ({ user, ...one })));
  if (unseen.length === 0) return undefined;
  const message = `${counted(unseen.length, 'read')} failed, and cannot be repeated after the removal; nothing was changed. Add --allow-unseen to go on anyway.`;
  const failure = { outcome: 'not-sent', details: { unseen }, hint: 'docs doctor' } as const;
  const reasons = unseen.map(
    ({ user, what, error }) => `${nameOf(user)}: cannot read ${what}: ${String(error.message ?? '')}`,
  );
  return { reasons, error: new DocsError('partial', 'not_all_seen', message, failure) };
}
