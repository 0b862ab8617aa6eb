import { listMemberTeams, listTeamMembers, type Member } from '../../api/resources/members.js';
import type { Team } from '../../api/resources/teams.js';
import { readAll } from '../../jobs/in-order.js';
import { organization } from '../../snapshot/organization.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../../snapshot/unread.js';
import { isOnlyOwner } from '../guards.js';
import { type Person, personOf } from '../person.js';

/** Who is in which team, with which role. */

/** A team that a person is in. */
export interface TeamOf {
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
export interface TeamsOf {
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
  if (held > mostHeld || pages > people) return new TeamsByPerson(reading, list, unread);
  return listed(reading, list, unread);
}

/** Every team's members, read at once. */
async function listed(reading: Reading, list: Teams['list'], unread: Unread[]): Promise<Teams> {
  const byPerson = new Map<string, TeamsOf['teams']>();
  for (const team of await readAll(reading, list, (one) => readTeam(reading, one))) {
    if ('error' in team) {
      unread.push(team);
      continue;
    }
    const { id, title, owners, roles } = team;
    for (const [user, role] of roles) {
      const own = { id, title, role, onlyOwner: isOnlyOwner(role, owners.length) };
      const known = byPerson.get(user);
      if (known === undefined) byPerson.set(user, [own]);
      else known.push(own);
    }
  }
  const known = unread.length === 0;
  return { list, unread, of: async ({ id }) => ({ teams: byPerson.get(id) ?? [], known, unread: [] }) };
}

/** Each person's teams when they are asked for; of a team, only the number of its owners is kept. */
class TeamsByPerson implements Teams {
  readonly list: Teams['list'];
  readonly unread: Unread[];
  readonly #reading: Reading;
  readonly #owners = new Map<string, Promise<number | undefined>>();

  constructor(reading: Reading, list: Teams['list'], unread: Unread[]) {
    this.#reading = reading;
    this.list = list;
    this.unread = unread;
  }

  async of(member: Member): Promise<TeamsOf> {
    if (member.teams === 0) return { teams: [], known: true, unread: [] };
    const { teams, unread } = await readTeamsOf(this.#reading, member);
    const own: TeamsOf['teams'] = [];
    for (const team of teams) {
      const owners = team.role === 'owner' ? await this.#ownersOf(team) : 0;
      own.push({ ...team, onlyOwner: owners !== undefined && isOnlyOwner(team.role, owners) });
    }
    return { teams: own, known: unread.length === 0, unread };
  }

  #ownersOf(team: TeamOf): Promise<number | undefined> {
    const known = this.#owners.get(team.id);
    if (known !== undefined) return known;
    const asked = this.#countOwners(team);
    this.#owners.set(team.id, asked);
    return asked;
  }

  async #countOwners({ id, title }: TeamOf): Promise<number | undefined> {
    let owners = 0;
    const unread = await eachInTeam(this.#reading, { id, title }, (_, role) => {
      if (role === 'owner') owners += 1;
    });
    if (unread === undefined) return owners;
    this.unread.push(unread);
    return undefined;
  }
}
