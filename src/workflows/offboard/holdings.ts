import { readSpacesOf } from '../../access/read/people.js';
import { readTeam, readTeamsOf, type TeamMembers } from '../../access/read/teams.js';
import { sourceLists } from '../../api/organization-spaces.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import type { Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import { allSpaces } from '../../snapshot/spaces.js';
import { type Reading, readFailure, type Unread } from '../../snapshot/unread.js';
import type { Held, Unseen } from './report.js';

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
  owned: TeamMembers[];
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
    const found = await readSpacesHeld(reading, await readTeamsHeld(reading, member));
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
  const holdings = await readAll(reading, members, (member) => readTeamsHeld(reading, member));
  return { holdings, owned: await readOwnedTeams(reading, holdings) };
}

async function readTeamsHeld(reading: Reading, member: Member): Promise<Holdings> {
  const { teams, unread } = await readTeamsOf(reading, member);
  const lists = { spaces: [], reached: [], changeRequests: [] };
  return {
    member,
    teams: teams.map((team) => ({ ...team, onlyOwner: false })),
    ...lists,
    unseen: unread.map(({ error }) => ({ what: 'teams', error: error.toJSON() })),
    teamsKnown: unread.length === 0,
  };
}

async function readSpacesHeld(reading: Reading, found: Holdings): Promise<Holdings> {
  const { spaces, unread } = await readSpacesOf(reading, found.member, (space) => space);
  found.spaces.push(...spaces.map(({ space, role }) => ({ id: space.id, title: space.title, role })));
  found.reached.push(...spaces.map(({ space }) => space));
  if (unread !== undefined) found.unseen.push({ what: 'spaces', error: unread.error.toJSON() });
  return found;
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
