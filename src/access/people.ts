import {
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  listTeamMembers,
  type Member,
  type RoleFilter,
} from '../api/resources/members.js';
import type { Space } from '../api/resources/spaces.js';
import type { Team } from '../api/resources/teams.js';
import type { Role } from '../api/shapes.js';
import { readAll, readEach } from '../jobs/sequence.js';
import { misfitsOf } from '../snapshot/checked-client.js';
import { organization } from '../snapshot/organization.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../snapshot/unread.js';
import { isOnlyOwner } from './guards.js';
import { type Person, personOf } from './person.js';
import { type LevelledSpace, placeOf } from './structure.js';

/** Who is in which team, with which role. */

/** A team that a person is in. */
interface TeamOf {
  id: string;
  title: string;
  role: 'owner' | 'member';
}

/** A team with all its members. */
export interface TeamMembers {
  id: string;
  title: string;
  owners: Person[];
  /** Role in the team by member id. */
  roles: ReadonlyMap<string, TeamOf['role']>;
}

/** Reads the members of one team; what cannot be read is returned. @throws DocsError as `readFailure` */
export async function readTeam(
  reading: Reading,
  { id, title }: { id: string; title: string },
): Promise<TeamMembers | Unread> {
  const roles = new Map<string, TeamOf['role']>();
  const owners: Person[] = [];
  const unread = await eachInTeam(reading, { id, title }, (member, role) => {
    roles.set(member.id, role);
    if (role === 'owner') owners.push(personOf(member));
  });
  return unread ?? { id, title, owners, roles };
}

/** Calls `take` with each member of a team. @returns what could not be read @throws DocsError as `readFailure` */
async function eachInTeam(
  { client, organizationId, signal }: Reading,
  { id, title }: { id: string; title: string },
  take: (member: Member, role: TeamOf['role']) => void,
): Promise<Unread | undefined> {
  try {
    const path = { organizationId, teamId: id };
    for await (const { organization, team } of client.call(listTeamMembers, { path }))
      take(organization, team.role);
    return undefined;
  } catch (cause) {
    return unreadOf(cause, signal, { kind: 'team-members', id, title });
  }
}

/** Reads the teams of one person. @returns those found before a read failed, too @throws as `readFailure` */
export async function readTeamsOf(
  reading: Reading,
  { id, user }: Member,
): Promise<{ teams: TeamOf[]; unread: Unread[] }> {
  const path = { organizationId: reading.organizationId, userId: id };
  const what = { kind: 'member-teams', id, title: user.email ?? id };
  const { items, unread } = await readPartly(reading.client.call(listMemberTeams, { path }), reading, what);
  const teams = items.map(({ team, member }) => ({ id: team.id, title: team.title, role: member.role }));
  return { teams, unread };
}

/** The teams of a person, as far as they are known. */
interface TeamsOf {
  teams: (TeamOf & { onlyOwner: boolean })[];
  /** Whether these are all: no list that could have more failed. */
  known: boolean;
  /** What could not be read of this person alone. */
  unread: Unread[];
}

export interface Teams {
  /** All teams, if `unread` does not tell that their list failed. */
  list: readonly Pick<Team, 'id' | 'title' | 'members' | 'spaces'>[];
  /** What could not be read, and is the same for everybody: the list of teams, members of teams. */
  unread: readonly Unread[];
  /** The teams of a person; sends at most one request per page of them where teams were not listed. */
  of(member: Member): Promise<TeamsOf>;
}

/** Memberships that are held at most; above it, each person's teams are read when they are asked for. */
const mostHeld = 50_000;
/** Items on a page of a list. */
const pageSize = 1000;

/**
 * Reads the teams of many people with few requests: the members of each team, or, where that is more requests or
 * more than can be held, later the teams of each person.
 * @param people how many people will be asked about; all members where it is not given
 * @returns with what could not be read in `unread`
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function openTeams(reading: Reading, people = Number.POSITIVE_INFINITY): Promise<Teams> {
  const what = { kind: 'teams', id: reading.organizationId };
  const { items, unread } = await readPartly(organization(reading).teams(), reading, what);
  const list = items.map(({ id, title, members, spaces }) => ({ id, title, members, spaces }));
  const held = list.reduce((sum, { members }) => sum + members, 0);
  const pages = list.reduce((sum, { members }) => sum + Math.max(1, Math.ceil(members / pageSize)), 0);
  if (held > mostHeld || pages > people) return byPerson(reading, list, unread);
  return listed(reading, list, unread);
}

/** Every team's members, read at once. */
async function listed(reading: Reading, list: Teams['list'], unread: Unread[]): Promise<Teams> {
  const teamsOf = new Map<string, TeamsOf['teams']>();
  for (const team of await readAll(reading, list, (one) => readTeam(reading, one))) {
    if ('error' in team) {
      unread.push(team);
      continue;
    }
    const { id, title, owners, roles } = team;
    for (const [user, role] of roles) {
      const own = { id, title, role, onlyOwner: isOnlyOwner(role, owners.length) };
      const known = teamsOf.get(user);
      if (known === undefined) teamsOf.set(user, [own]);
      else known.push(own);
    }
  }
  const known = unread.length === 0;
  return { list, unread, of: async ({ id }) => ({ teams: teamsOf.get(id) ?? [], known, unread: [] }) };
}

/** Each person's teams when they are asked for; of a team, only the number of its owners is kept. */
function byPerson(reading: Reading, list: Teams['list'], unread: Unread[]): Teams {
  const owners = new Map<string, Promise<number | undefined>>();
  const countOwners = async (team: TeamOf): Promise<number | undefined> => {
    let count = 0;
    const failed = await eachInTeam(reading, team, (_, role) => {
      if (role === 'owner') count += 1;
    });
    if (failed === undefined) return count;
    unread.push(failed);
    return undefined;
  };
  const ownersOf = (team: TeamOf): Promise<number | undefined> => {
    const asked = owners.get(team.id) ?? countOwners(team);
    owners.set(team.id, asked);
    return asked;
  };
  const of = async (member: Member): Promise<TeamsOf> => {
    if (member.teams === 0) return { teams: [], known: true, unread: [] };
    const { teams, unread: failed } = await readTeamsOf(reading, member);
    const own: TeamsOf['teams'] = [];
    for (const team of teams) {
      const count = team.role === 'owner' ? await ownersOf(team) : 0;
      own.push({ ...team, onlyOwner: count !== undefined && isOnlyOwner(team.role, count) });
    }
    return { teams: own, known: failed.length === 0, unread: failed };
  };
  return { list, unread, of };
}

/**
 * Reads the members of an organization with what they can access. Only a window of them is held at a time, so
 * memory does not grow with their number.
 */

/** A space with the role that somebody has in it. */
export interface SpaceRole<S = LevelledSpace> {
  space: S;
  role: Role;
}

export interface PersonAccess {
  member: Member;
  /** Every space that they can access; undefined where that could not be read. */
  spaces: SpaceRole[] | undefined;
  /** Where `spaces` is undefined: those found before the read failed, which are not all. */
  partial?: SpaceRole[];
  /** Undefined where teams were not asked for. */
  teams: TeamsOf | undefined;
  /** What could not be read of this person; what all miss is in `Teams.unread`. */
  unread: Unread[];
}

export interface People {
  /** Only members with one of these roles; all where there are none. */
  roles?: readonly RoleFilter[];
  /** Only these members; one request each. Not beside `roles`. */
  ids?: readonly string[];
  /** Which of them are read any further; all where it is not given. */
  only?(member: Member): boolean;
  /** Told of members whose answer lacks what is declared; without it, the list fails after the last other one. */
  onMisfit?(unread: readonly Unread[]): void;
  /** Where teams are to be told, too: as `openTeams`. */
  teams?: Teams;
}

/** How many members are in a window, as a multiple of the concurrency. */
const ahead = 8;

/**
 * Members with the spaces they can access, a window of them at a time: one request for each page of members, and one
 * for each page of a person's spaces.
 * @returns windows, none of them empty; each member once, unless thousands moved in the list while it was read
 * @throws DocsError where the members cannot be listed, or one of `ids` is not a member; where the token is
 *   refused or the run was interrupted
 */
export async function* readPeople(reading: Reading, people: People = {}): AsyncGenerator<PersonAccess[]> {
  for await (const members of windowsOf(membersOf(reading, people), reading.concurrency * ahead))
    yield await readAll(reading, members, (member) => readPerson(reading, member, people.teams));
}

/** One member with the spaces and, where `teams` are given, the teams. @throws DocsError as `readFailure` */
async function readPerson(reading: Reading, member: Member, teams?: Teams): Promise<PersonAccess> {
  const own = await teams?.of(member);
  const { spaces, unread } = await readSpacesOf(reading, member, placeOf);
  const failed = [...(own?.unread ?? []), ...(unread === undefined ? [] : [unread])];
  const told = unread === undefined ? { spaces } : { spaces: undefined, partial: spaces };
  return { member, ...told, teams: own, unread: failed };
}

/**
 * The spaces that a member can access.
 * @param keep what is kept of a space
 * @returns where a page failed, what was found before it with the failure
 * @throws DocsError as `readFailure`
 */
export async function readSpacesOf<S>(
  { client, organizationId, signal }: Reading,
  { id, user }: Member,
  keep: (space: Space) => S,
): Promise<{ spaces: SpaceRole<S>[]; unread?: Unread }> {
  const spaces: SpaceRole<S>[] = [];
  try {
    const listing = client.call(listMemberSpaces, { path: { organizationId, userId: id } });
    for await (const { permission, space } of listing) spaces.push({ space: keep(space), role: permission });
    return { spaces };
  } catch (cause) {
    return {
      spaces,
      unread: unreadOf(cause, signal, { kind: 'member-spaces', id, title: user.email ?? id }),
    };
  }
}

async function* membersOf(reading: Reading, people: People): AsyncGenerator<Member> {
  const { ids, roles = [], only = () => true } = people;
  const { client, organizationId } = reading;
  const seen = new Recent();
  if (ids !== undefined) {
    const read = (userId: string) => client.call(getMember, { path: { organizationId, userId } });
    for await (const member of readEach(reading, [...new Set(ids)], read)) if (only(member)) yield member;
    return;
  }
  for (const role of roles.length === 0 ? [undefined] : new Set(roles)) {
    const query = role === undefined ? {} : { role };
    const listing = client.call(listMembers, { path: { organizationId }, query });
    for await (const member of unlessMisfits(listing, people)) {
      const wanted = only(member);
      if (seen.isNew(member.id) && wanted) yield member;
    }
  }
}

/** The members that can be used; the others are reported. @throws every other failure */
async function* unlessMisfits(
  members: AsyncIterable<Member>,
  { onMisfit }: Pick<People, 'onMisfit'>,
): AsyncGenerator<Member> {
  try {
    yield* members;
  } catch (cause) {
    const misfits = misfitsOf(cause, 'member');
    if (misfits === undefined || onMisfit === undefined) throw cause;
    onMisfit(misfits);
  }
}

/** The ids seen last. A list that changes while it is read repeats what is near the end of a page. */
class Recent {
  readonly #most = 10_000;
  #now = new Set<string>();
  #before = new Set<string>();

  /** Whether an id is none of the last ones; from now on it is. */
  isNew(id: string): boolean {
    if (this.#now.has(id) || this.#before.has(id)) return false;
    this.#now.add(id);
    if (this.#now.size === this.#most) [this.#before, this.#now] = [this.#now, new Set()];
    return true;
  }
}

async function* windowsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let window: T[] = [];
  try {
    for await (const item of items) {
      window.push(item);
      if (window.length < size) continue;
      yield window;
      window = [];
    }
  } catch (cause) {
    if (window.length > 0) yield window;
    throw cause;
  }
  if (window.length > 0) yield window;
}
