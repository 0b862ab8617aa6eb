import type { Client } from '../../api/client.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listMemberSpaces, listMemberTeams, type Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { runInOrder } from '../../jobs/in-order.js';
import { spacesOfScope } from '../../jobs/space-scope.js';
import { readFailure, type Unread } from '../../jobs/unread.js';
import type { Held, Person, Unseen } from './report.js';

/** Reads everything that people hold: teams, spaces, open change requests. What cannot be read is told. */

export interface Reading {
  client: Client;
  organizationId: string;
  concurrency: number;
  signal: AbortSignal;
}

/** A team with all its owners. */
export interface OwnedTeam {
  id: string;
  title: string;
  owners: Person[];
  /** Everybody in it, by id, with the role in it. */
  roles: ReadonlyMap<string, string>;
}

/** What a person holds, and what could not be read of it. */
export interface Holdings {
  member: Member;
  teams: Held['teams'];
  spaces: Held['spaces'];
  changeRequests: Held['changeRequests'];
  unseen: Unseen[];
  /** Whether their teams are known: without them nothing can be planned. */
  teamsKnown: boolean;
}

interface Looking extends Holdings {
  /** The spaces they can access, as the platform shows them. */
  reached: Space[];
}

/**
 * Looks at what each of them holds.
 * @param onDone called after each person
 * @returns in the order given, with the teams that any of them owns
 * @throws DocsError where the token is refused or the run is to end
 */
export async function readHoldings(
  reading: Reading,
  members: readonly Member[],
  onDone: (done: number) => void = () => {},
): Promise<{ holdings: Holdings[]; owned: OwnedTeam[] }> {
  const people: Looking[] = [];
  for await (const one of each(reading, members, (member) => readOne(reading, member))) {
    people.push(one);
    onDone(people.length);
  }
  const owned = await readOwnedTeams(reading, people);
  await readContributions(reading, people);
  const holdings = people.map(({ reached: _, ...held }) => held);
  return { holdings, owned };
}

/** The same for the teams alone: all that it takes to remove somebody. */
export async function readTeams(
  reading: Reading,
  members: readonly Member[],
): Promise<{ holdings: Holdings[]; owned: OwnedTeam[] }> {
  const people: Looking[] = [];
  for await (const one of each(reading, members, (member) => readTeamsOf(reading, nothingOf(member))))
    people.push(one);
  return { holdings: people, owned: await readOwnedTeams(reading, people) };
}

/** The results of an action for each item, some at a time; the first failure is thrown. */
export async function* each<T, R>(
  { concurrency }: Pick<Reading, 'concurrency'>,
  items: readonly T[],
  act: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const settled = (index: number) =>
    act(items[index] as T).then(
      (value) => ({ value }),
      (failure: unknown) => ({ failure }),
    );
  for await (const result of runInOrder(items.length, settled, { concurrency })) {
    if ('failure' in result) throw result.failure;
    yield result.value;
  }
}

function nothingOf(member: Member): Looking {
  return { member, teams: [], spaces: [], changeRequests: [], unseen: [], teamsKnown: false, reached: [] };
}

async function readTeamsOf({ client, organizationId, signal }: Reading, found: Looking): Promise<Looking> {
  const path = { organizationId, userId: found.member.id };
  try {
    for await (const { team, member: own } of client.call(listMemberTeams, { path }))
      found.teams.push({ id: team.id, title: team.title, role: own.role, onlyOwner: false });
    found.teamsKnown = true;
  } catch (cause) {
    found.unseen.push({ what: 'teams', error: readFailure(cause, signal).toJSON() });
  }
  return found;
}

async function readOne(reading: Reading, member: Member): Promise<Looking> {
  const { client, organizationId, signal } = reading;
  const path = { organizationId, userId: member.id };
  const found = await readTeamsOf(reading, nothingOf(member));
  try {
    for await (const { permission, space } of client.call(listMemberSpaces, { path })) {
      found.spaces.push({ id: space.id, title: space.title, role: permission });
      found.reached.push(space);
    }
  } catch (cause) {
    found.unseen.push({ what: 'spaces', error: readFailure(cause, signal).toJSON() });
  }
  return found;
}

/** Each team that one of them owns, read once. */
async function readOwnedTeams(reading: Reading, people: readonly Looking[]): Promise<OwnedTeam[]> {
  const teams = new Map<string, { id: string; title: string }>();
  for (const { teams: own } of people)
    for (const team of own) if (team.role === 'owner') teams.set(team.id, team);
  const owned: OwnedTeam[] = [];
  for await (const read of each(reading, [...teams.values()], (team) => readTeam(reading, team))) {
    if ('owners' in read) owned.push(read);
    else
      for (const person of people)
        if (person.teams.some(({ id }) => id === read.id)) person.unseen.push(read);
  }
  return owned;
}

/** A team and who is in it. */
export async function readTeam(
  { client, organizationId, signal }: Reading,
  { id, title }: { id: string; title: string },
): Promise<OwnedTeam | Unseen> {
  const roles = new Map<string, string>();
  const owners: Person[] = [];
  try {
    for await (const { organization, team } of client.call(listTeamMembers, {
      path: { organizationId, teamId: id },
    })) {
      roles.set(organization.id, team.role);
      if (team.role === 'owner') owners.push(personOf(organization));
    }
    return { id, title, owners, roles };
  } catch (cause) {
    return { what: `members of team ${title}`, id, error: readFailure(cause, signal).toJSON() };
  }
}

export function personOf({ id, user }: Member): Person {
  return { id, displayName: user.displayName, ...(user.email !== undefined && { email: user.email }) };
}

const pending = ['open', 'draft'] as const;

/** One list of change requests: of a person, in a space, with a status. */
interface Question {
  person: Looking;
  space: { id: string; title: string };
  status: (typeof pending)[number];
}

/**
 * Open and draft change requests. The platform lists them a space; only spaces that have any are asked, in
 * the whole organization, since people contribute to spaces that they can no longer access.
 */
async function readContributions(reading: Reading, people: readonly Looking[]): Promise<void> {
  const { client, organizationId, concurrency, signal } = reading;
  const whole = { spaces: [], collections: [], sites: [] };
  const listing = { client, organization: organizationId, concurrency, signal };
  let spaces: (Space | { id: string })[] = [];
  try {
    const listed = await spacesOfScope(listing, whole, (space) => space);
    spaces = listed.spaces;
    for (const person of people) person.unseen.push(...listed.unread.map(spacesUnseen));
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON();
    for (const person of people)
      person.unseen.push({ what: 'change requests in spaces that they cannot access', error });
  }
  const questions = people.flatMap((person) => questionsOf(person, spaces));
  for await (const read of each(reading, questions, (question) => ask(reading, question))) {
    const { person, found, unseen } = read;
    person.changeRequests.push(...found);
    if (unseen !== undefined) person.unseen.push(unseen);
  }
}

function spacesUnseen({ kind, id, title, error }: Unread): Unseen {
  const name = title === undefined ? id : title;
  return { what: `change requests in ${kind.replace('-', ' ')} ${name}`, id, error: error.toJSON() };
}

function isWhole(space: Space | { id: string }): space is Space {
  return 'title' in space;
}

function questionsOf(person: Looking, listed: readonly (Space | { id: string })[]): Question[] {
  const spaces = new Map<string, Space>();
  for (const space of [...person.reached, ...listed]) if (isWhole(space)) spaces.set(space.id, space);
  return [...spaces.values()].flatMap((space) => {
    const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
    const { id, title } = space;
    return pending
      .filter((status) => counts[status] !== 0)
      .map((status) => ({ person, space: { id, title }, status }));
  });
}

async function ask({ client, signal }: Reading, { person, space, status }: Question) {
  const found: Held['changeRequests'] = [];
  try {
    const query = { status, contributor: person.member.id };
    for await (const item of client.call(listChangeRequests, { path: { spaceId: space.id }, query })) {
      const { id, number, subject } = item;
      found.push({ id, number, subject, status: item.status, space });
    }
    return { person, found };
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON();
    const unseen: Unseen = { what: `${status} change requests of space ${space.title}`, id: space.id, error };
    return { person, found, unseen };
  }
}
