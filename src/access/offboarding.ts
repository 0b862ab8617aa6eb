import { prepare } from '../api/client.js';
import { sourceLists } from '../api/organization-spaces.js';
import { listChangeRequests } from '../api/resources/change-requests.js';
import { deleteMember, deleteTeamMember, type Member, setTeamMember } from '../api/resources/members.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { type Change, requestFor } from '../jobs/change.js';
import type { JobFacts } from '../jobs/create-job.js';
import { changesIn, type JobItem, jobItem } from '../jobs/journal.js';
import { forecasts } from '../jobs/outlook.js';
import { readAll } from '../jobs/sequence.js';
import type { State } from '../jobs/state.js';
import { counted, safeLine } from '../output/text.js';
import { allSpaces } from '../snapshot/spaces.js';
import { type Reading, readFailure, type Unread } from '../snapshot/unread.js';
import {
  calledMember,
  domainOf,
  isAtDomain,
  keepsOwner,
  lastAdminReason,
  type Refusal,
  type TokenOwner,
} from './guards.js';
import {
  type Action,
  type Held,
  type Leaver,
  type Offboarding,
  type Ran,
  reportFormat,
  type Unseen,
} from './members.js';
import { readSpacesOf, readTeam, readTeamsOf, type TeamMembers } from './people.js';
import { nameOf, personOf } from './person.js';

export interface LeavingRequest {
  reading: Reading;
  members: readonly Member[];
  /** The new owner of teams that would have none; undefined where none was named. */
  heir: Member | undefined;
}

export interface Prepared {
  reading: Reading;
  organization: Organization;
  steps: JobItem[];
  people: Leaver[];
  /** Why it is refused, but for the owner of the token. */
  reasons: string[];
}

/**
 * Reads what the members hold and plans their removal.
 * @param onRead called after each member
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function prepareOffboarding(
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
  lost: ReadonlySet<string>,
  { emailDomains }: Organization,
  plan: Plan,
): Leaver {
  const { role, sso, disabled, joinedAt, lastSeenAt, user } = member;
  const ranked = teams.map((team) => ({ ...team, onlyOwner: team.role === 'owner' && lost.has(team.id) }));
  const lists = { teams: ranked, spaces, changeRequests };
  const domain = safeLine(domainOf(user.email) ?? '');
  // The ways back in that a removal leaves open.
  const warnings = [
    ...(sso ? ['they sign in by SSO: close the account there, too, or they may come back'] : []),
    ...(isAtDomain(user.email, emailDomains)
      ? [`anyone with an email address at ${domain} may join again`]
      : []),
  ];
  return {
    user: personOf(member),
    before: { role, sso, disabled, joinedAt, lastSeenAt, ...lists },
    unseen,
    warnings,
    actions: plan.actions.get(member.id) ?? [],
  };
}

interface Runner {
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

/** What could not be read of a member, a sentence each. */
export function unseenWords({ user, unseen }: Leaver): string[] {
  return unseen.map(
    ({ what, error }) => `${nameOf(user)}: cannot read ${what}: ${String(error.message ?? '')}`,
  );
}

/** The refusal where something could not be read: afterwards nobody can read it. */
export function unseenRefusal(people: readonly Leaver[]): Refusal | undefined {
  const unseen = people.flatMap(({ user, unseen: own }) => own.map((one) => ({ user, ...one })));
  if (unseen.length === 0) return undefined;
  const message = `${counted(unseen.length, 'read')} failed, and cannot be repeated after the removal; nothing was changed. Add --allow-unseen to go on anyway.`;
  const failure = { outcome: 'not-sent', details: { unseen }, hint: 'docs doctor' } as const;
  const error = new DocsError('partial', 'not_all_seen', message, failure);
  return { reasons: people.flatMap(unseenWords), error };
}

interface Holdings extends Pick<Held, 'teams' | 'spaces' | 'changeRequests'> {
  member: Member;
  /** The same spaces, as the platform shows them. */
  reached: Space[];
  unseen: Unseen[];
  /** Whether `teams` is complete, which planning requires. */
  teamsKnown: boolean;
}

interface AllHoldings {
  holdings: Holdings[];
  owned: TeamMembers[];
}

/** Reads everything that members hold: teams, spaces, pending change requests. Failed reads are reported. */
async function readHoldings(
  reading: Reading,
  members: readonly Member[],
  onDone: (done: number) => void,
): Promise<AllHoldings> {
  let done = 0;
  const holdings = await readAll(reading, members, async (member) => {
    const held = await readTeamsHeld(reading, member);
    const { spaces, unread } = await readSpacesOf(reading, member, (space) => space);
    held.reached.push(...spaces.map(({ space }) => space));
    held.spaces.push(...spaces.map(({ space, role }) => ({ id: space.id, title: space.title, role })));
    if (unread !== undefined) held.unseen.push({ what: 'spaces', error: unread.error.toJSON() });
    done += 1;
    onDone(done);
    return held;
  });
  const owned = await readOwnedTeams(reading, holdings);
  await readContributions(reading, holdings);
  return { holdings, owned };
}

/** Reads only the teams, which is all that a removal needs. @throws DocsError as `prepareOffboarding` */
export async function readTeams(reading: Reading, members: readonly Member[]): Promise<AllHoldings> {
  const holdings = await readAll(reading, members, (member) => readTeamsHeld(reading, member));
  return { holdings, owned: await readOwnedTeams(reading, holdings) };
}

async function readTeamsHeld(reading: Reading, member: Member): Promise<Holdings> {
  const { teams, unread } = await readTeamsOf(reading, member);
  return {
    member,
    teams: teams.map((team) => ({ ...team, onlyOwner: false })),
    ...{ spaces: [], reached: [], changeRequests: [] },
    unseen: unread.map(({ error }) => ({ what: 'teams', error: error.toJSON() })),
    teamsKnown: unread.length === 0,
  };
}

async function readOwnedTeams(reading: Reading, people: readonly Holdings[]): Promise<TeamMembers[]> {
  const owned = people.flatMap(({ teams }) => teams.filter(({ role }) => role === 'owner'));
  const teams = new Map(owned.map((team) => [team.id, team]));
  const read = await readAll(reading, [...teams.values()], (team) => readTeam(reading, team));
  return read.flatMap((team) => {
    if ('owners' in team) return team;
    const { id, title, error } = team;
    const unread = { what: `members of team ${title}`, id, error: error.toJSON() };
    for (const { teams: own, unseen } of people) if (own.some((one) => one.id === id)) unseen.push(unread);
    return [];
  });
}

interface Question {
  person: Holdings;
  space: { id: string; title: string };
  status: 'open' | 'draft';
}

/**
 * Open and draft change requests. The platform lists them per space; only spaces that have any are asked,
 * in the whole organization, since people contribute to spaces that they can no longer access.
 */
async function readContributions(reading: Reading, people: readonly Holdings[]): Promise<void> {
  const { spaces, unread } = await allSpaces(reading, (space) => space);
  for (const { unseen } of people) unseen.push(...unread.map(spacesUnseen));
  const questions = people.flatMap((person) => questionsOf(person, spaces));
  const answers = await readAll(reading, questions, (question) => ask(reading, question));
  for (const { person, found, unseen } of answers) {
    person.changeRequests.push(...found);
    if (unseen !== undefined) person.unseen.push(unseen);
  }
}

function spacesUnseen({ kind, id, title = id, error }: Unread): Unseen {
  const own = kind === 'member' ? `spaces of ${title}` : `${kind.replace('-', ' ')} ${title}`;
  const place = kind in sourceLists ? `spaces of ${kind}` : own;
  return { what: `change requests in ${place}`, id, error: error.toJSON() };
}

function questionsOf(person: Holdings, listed: readonly Space[]): Question[] {
  const spaces = new Map([...person.reached, ...listed].map((space) => [space.id, space]));
  return [...spaces.values()].flatMap(({ id, title, changeRequestsOpen, changeRequestsDraft }) => {
    const counts = { open: changeRequestsOpen, draft: changeRequestsDraft };
    const asked = (['open', 'draft'] as const).filter((status) => counts[status] !== 0);
    return asked.map((status) => ({ person, space: { id, title }, status }));
  });
}

async function ask({ client, signal }: Reading, { person, space, status }: Question) {
  const found: Held['changeRequests'] = [];
  try {
    const input = { path: { spaceId: space.id }, query: { status, contributor: person.member.id } };
    for await (const { id, number, subject, status: now } of client.call(listChangeRequests, input))
      found.push({ id, number, subject, status: now, space });
    return { person, found };
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON();
    const unseen: Unseen = { what: `${status} change requests of space ${space.title}`, id: space.id, error };
    return { person, found, unseen };
  }
}

/**
 * The requests that remove members. For each member: hand over teams that would have no owner, leave every
 * team, leave the organization. A request waits for those it depends on, and is sent only if the platform
 * still is in the state that was read.
 */
interface Plan {
  steps: JobItem[];
  actions: ReadonlyMap<string, Action[]>;
}

export interface Leaving extends AllHoldings {
  organizationId: string;
  /** The new owner of teams that would have none; undefined where none was named. */
  heir: Member | undefined;
}

/** The teams all of whose owners are to be removed. */
function ownerless({ holdings, owned }: AllHoldings): TeamMembers[] {
  const leaving = new Set(holdings.map(({ member }) => member.id));
  return owned.filter(({ owners }) => !keepsOwner(owners, { has: ({ id }) => leaving.has(id) }));
}

/** @param first index of its first item in the job, where other items precede it */
export function planLeaving(leaving: Leaving, first = 0): Plan {
  const planner = new Planner(leaving, first);
  for (const held of leaving.holdings) planner.add(held);
  planner.foresee();
  return planner;
}

class Planner implements Plan {
  readonly steps: JobItem[] = [];
  readonly actions = new Map<string, Action[]>();
  readonly #ownerless: Map<string, TeamMembers>;
  /** The item that hands a team over, by team: one for all owners who leave. */
  readonly #handedOver = new Map<string, number>();

  constructor(
    private readonly leaving: Leaving,
    private readonly first: number,
  ) {
    this.#ownerless = new Map(ownerless(leaving).map((team) => [team.id, team]));
  }

  add({ member, teams }: Holdings): void {
    const { organizationId } = this.leaving;
    const userId = member.id;
    const own: Action[] = [];
    this.actions.set(member.id, own);
    for (const { id } of teams) {
      const team = this.#ownerless.get(id);
      if (team !== undefined && !this.#handedOver.has(id)) this.#handOver(own, team);
    }
    const left = teams.map(({ id, title, role }) => {
      const request = requestFor(deleteTeamMember, { organizationId, teamId: id, userId });
      const about = { does: 'remove from team' as const, team: { id, title } };
      return this.#push(own, about, request, { role }, [this.#handedOver.get(id) ?? []].flat());
    });
    const request = requestFor(deleteMember, { organizationId, userId });
    this.#push(own, { does: 'remove from organization' }, request, { role: member.role }, left);
  }

  /** Makes the heir an owner, already in the team or not. */
  #handOver(own: Action[], { id, title, roles }: TeamMembers): void {
    const { organizationId, heir } = this.leaving;
    if (heir === undefined) return;
    const path = { organizationId, teamId: id, userId: heir.id };
    const request = requestFor(setTeamMember, path, { role: 'owner' });
    const role = roles.get(heir.id);
    const about = { does: 'hand over team' as const, team: { id, title }, to: personOf(heir) };
    this.#handedOver.set(id, this.#push(own, about, request, role === undefined ? null : { role }));
  }

  /** @returns the item of the request in the job */
  #push(
    own: Action[],
    about: Pick<Action, 'does' | 'team' | 'to'>,
    request: Change,
    expect: State,
    after: readonly number[] = [],
  ): number {
    const item = this.first + this.steps.length;
    this.steps.push(jobItem({ ...request, expect, ...(after.length > 0 && { after }) }, item));
    const { method, path, body } = prepare(request.op, request.input);
    own.push({ item, ...about, ...defined({ method, path, body }), undo: 'none', status: 'planned' });
    return item;
  }

  /** What undo will be able to do depends on all requests. */
  foresee(): void {
    const actions = [...this.actions.values()].flat().sort((a, b) => a.item - b.item);
    for (const [at, forecast] of forecasts(changesIn(this.steps)).entries())
      Object.assign(actions[at] ?? {}, forecast);
  }
}

/** Every reason against a removal that is known without the owner of the token. */
export function reasonsAgainst(
  leaving: Leaving,
  { permissions }: Organization,
  lastAdmin: readonly string[],
): string[] {
  // Without the role, most requests would be refused halfway.
  const isAdmin = permissions?.admin !== false;
  return [
    ...(isAdmin ? [] : ['The token in use does not have the role admin, which this requires.']),
    ...lastAdmin,
    ...(leaving.heir === undefined ? ownerlessReasons(leaving) : heirReasons(leaving, leaving.heir)),
    ...leaving.holdings.flatMap(unknownTeamsReasons),
  ];
}

function heirReasons({ holdings }: Leaving, heir: Member): string[] {
  const leaves = holdings.some(({ member }) => member.id === heir.id);
  const cannot = `${calledMember(heir)} cannot take over teams`;
  return [
    ...(leaves ? [`${cannot}: the member is to be removed, too.`] : []),
    ...(heir.disabled ? [`${cannot}: the member is disabled.`] : []),
  ];
}

function ownerlessReasons(leaving: Leaving): string[] {
  return ownerless(leaving).map(({ title, owners }) => {
    const names = owners.map((owner) => safeLine(nameOf(owner))).join(' and ');
    const only = owners.length === 1 ? 'is the only owner' : 'are the only owners';
    return `${names} ${only} of team ${safeLine(title)}; name a new owner with --reassign-teams-to.`;
  });
}

/** Without all teams and all their owners, a team may be left without one. */
function unknownTeamsReasons({ member, teams, teamsKnown, unseen }: Holdings): string[] {
  const name = calledMember(member);
  if (!teamsKnown) return [`Cannot read the teams of ${name}.`];
  return teams
    .filter(({ id, role }) => role === 'owner' && unseen.some((one) => one.id === id))
    .map(({ title }) => `cannot read whether ${name} is the only owner of team ${safeLine(title)}.`);
}
