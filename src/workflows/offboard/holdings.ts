import { sourceLists } from '../../api/organization-spaces.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listMemberSpaces, listMemberTeams, type Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { defined } from '../../defined.js';
import { readAll } from '../../jobs/in-order.js';
import { type Reading, readFailure, type Unread } from '../../reading/reading.js';
import { allSpaces } from '../../reading/spaces.js';
import type { Held, Person, Unseen } from './report.js';

export interface OwnedTeam {
  id: string;
  title: string;
  owners: Person[];
  /** Role in the team by member id. */
  roles: ReadonlyMap<string, string>;
}

export interface Holdings {
  member: Member;
  teams: Held['teams'];
  spaces: Held['spaces'];
  /** The same spaces, as the platform shows them. */
  reached: Space[];
  changeRequests: Held['changeRequests'];
  unseen: Unseen[];
  /** Whether `teams` is complete, which planning requires. */
  teamsKnown: boolean;
}

export interface AllHoldings {
  holdings: Holdings[];
  owned: OwnedTeam[];
}

/**
 * Reads everything that members hold: teams, spaces, pending change requests. Failed reads are reported.
 * @param onDone called after each member
 * @returns in the order given
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function readHoldings(
  reading: Reading,
  members: readonly Member[],
  onDone: (done: number) => void,
): Promise<AllHoldings> {
  let done = 0;
  const holdings = await readAll(reading, members, async (member) => {
    const found = await readSpacesOf(reading, await readTeamsOf(reading, member));
    done += 1;
    onDone(done);
    return found;
  });
  const owned = await readOwnedTeams(reading, holdings);
  await readContributions(reading, holdings);
  return { holdings, owned };
}

/** Reads only the teams, which is all that a removal needs. @throws DocsError as `readHoldings` */
export async function readTeams(reading: Reading, members: readonly Member[]): Promise<AllHoldings> {
  const holdings = await readAll(reading, members, (member) => readTeamsOf(reading, member));
  return { holdings, owned: await readOwnedTeams(reading, holdings) };
}

async function readTeamsOf({ client, organizationId, signal }: Reading, member: Member): Promise<Holdings> {
  const lists = { teams: [], spaces: [], reached: [], changeRequests: [], unseen: [] };
  const found: Holdings = { member, ...lists, teamsKnown: false };
  try {
    const path = { organizationId, userId: member.id };
    for await (const { team, member: own } of client.call(listMemberTeams, { path }))
      found.teams.push({ id: team.id, title: team.title, role: own.role, onlyOwner: false });
    found.teamsKnown = true;
  } catch (cause) {
    found.unseen.push({ what: 'teams', error: readFailure(cause, signal).toJSON() });
  }
  return found;
}

async function readSpacesOf({ client, organizationId, signal }: Reading, found: Holdings): Promise<Holdings> {
  try {
    const path = { organizationId, userId: found.member.id };
    for await (const { permission, space } of client.call(listMemberSpaces, { path })) {
      found.spaces.push({ id: space.id, title: space.title, role: permission });
      found.reached.push(space);
    }
  } catch (cause) {
    found.unseen.push({ what: 'spaces', error: readFailure(cause, signal).toJSON() });
  }
  return found;
}

async function readOwnedTeams(reading: Reading, people: readonly Holdings[]): Promise<OwnedTeam[]> {
  const owned = people.flatMap(({ teams }) => teams.filter(({ role }) => role === 'owner'));
  const teams = new Map(owned.map((team) => [team.id, team]));
  const read = await readAll(reading, [...teams.values()], (team) => readTeam(reading, team));
  return read.flatMap((team) => {
    if ('owners' in team) return team;
    for (const { teams: own, unseen } of people) if (own.some(({ id }) => id === team.id)) unseen.push(team);
    return [];
  });
}

export async function readTeam(
  { client, organizationId, signal }: Reading,
  { id, title }: { id: string; title: string },
): Promise<OwnedTeam | Unseen> {
  const roles = new Map<string, string>();
  const owners: Person[] = [];
  try {
    const path = { organizationId, teamId: id };
    for await (const { organization, team } of client.call(listTeamMembers, { path })) {
      roles.set(organization.id, team.role);
      if (team.role === 'owner') owners.push(personOf(organization));
    }
    return { id, title, owners, roles };
  } catch (cause) {
    return { what: `members of team ${title}`, id, error: readFailure(cause, signal).toJSON() };
  }
}

export function personOf({ id, user }: Member): Person {
  return defined({ id, displayName: user.displayName, email: user.email });
}

const pending = ['open', 'draft'] as const;

interface Question {
  person: Holdings;
  space: { id: string; title: string };
  status: (typeof pending)[number];
}

/**
 * Open and draft change requests. The platform lists them per space; only spaces that have any are asked,
 * in the whole organization, since people contribute to spaces that they can no longer access.
 */
async function readContributions(reading: Reading, people: readonly Holdings[]): Promise<void> {
  const spaces = await readAllSpaces(reading, people);
  const questions = people.flatMap((person) => questionsOf(person, spaces));
  const answers = await readAll(reading, questions, (question) => ask(reading, question));
  for (const { person, found, unseen } of answers) {
    person.changeRequests.push(...found);
    if (unseen !== undefined) person.unseen.push(unseen);
  }
}

async function readAllSpaces(reading: Reading, people: readonly Holdings[]): Promise<Space[]> {
  const { spaces, unread } = await allSpaces(reading, (space) => space);
  for (const { unseen } of people) unseen.push(...unread.map(spacesUnseen));
  return spaces;
}

function spacesUnseen({ kind, id, title = id, error }: Unread): Unseen {
  return { what: `change requests in ${placeWords(kind, title)}`, id, error: error.toJSON() };
}

function placeWords(kind: string, title: string): string {
  if (kind in sourceLists) return `spaces of ${kind}`;
  return kind === 'member' ? `spaces of ${title}` : `${kind.replace('-', ' ')} ${title}`;
}

function questionsOf(person: Holdings, listed: readonly Space[]): Question[] {
  const spaces = new Map([...person.reached, ...listed].map((space) => [space.id, space]));
  return [...spaces.values()].flatMap(({ id, title, changeRequestsOpen, changeRequestsDraft }) => {
    const counts = { open: changeRequestsOpen, draft: changeRequestsDraft };
    const asked = pending.filter((status) => counts[status] !== 0);
    return asked.map((status) => ({ person, space: { id, title }, status }));
  });
}

async function ask({ client, signal }: Reading, { person, space, status }: Question) {
  const found: Held['changeRequests'] = [];
  try {
    const query = { status, contributor: person.member.id };
    const input = { path: { spaceId: space.id }, query };
    for await (const { id, number, subject, status: now } of client.call(listChangeRequests, input))
      found.push({ id, number, subject, status: now, space });
    return { person, found };
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON();
    const unseen: Unseen = { what: `${status} change requests of space ${space.title}`, id: space.id, error };
    return { person, found, unseen };
  }
}
