import type { Role } from '../../api/shapes.js';
import { lowerOf, rankOf } from '../levels.js';
import type { PersonAccess } from '../read/people.js';
import type { TeamMembers } from '../read/teams.js';

/** A team that is left or deleted. */
export interface LostTeam extends Pick<TeamMembers, 'id' | 'title' | 'owners' | 'roles'> {
  /** How many spaces it has a grant in, as the platform counts them; undefined where that was not read. */
  spaces?: number | undefined;
}

/** The roles of a person in spaces: null for none, `unknown` where it could not be read. */
export type RoleIn = (spaceId: string) => Role | null | 'unknown';

/**
 * The most that teams can give in spaces. A grant to a team holds for each of its members, so it gives no more
 * than the least role among them. Of administrators, who have admin without a grant, nothing follows.
 */
export class TeamGrants {
  readonly #most = new Map<string, Map<string, Role | null>>();
  readonly #teams: ReadonlyMap<string, LostTeam>;

  constructor(teams: Iterable<LostTeam>) {
    this.#teams = new Map([...teams].map((team) => [team.id, team]));
  }

  /** Learns from a person's roles in some spaces, which are those after no change. */
  learn(person: { id: string; role: Role | null }, spaceIds: Iterable<string>, roleIn: RoleIn): void {
    if (person.role === 'admin') return;
    const own = [...this.#teams.values()].filter(({ roles }) => roles.has(person.id));
    if (own.length === 0) return;
    for (const space of spaceIds) {
      const role = roleIn(space);
      if (role === 'unknown') continue;
      for (const { id } of own) {
        const known = this.#most.get(id) ?? new Map<string, Role | null>();
        known.set(space, known.has(space) ? lowerOf(known.get(space) ?? null, role) : role);
        this.#most.set(id, known);
      }
    }
  }

  /** The most that any of these teams can give in a space. */
  mostOf(teamIds: Iterable<string>, spaceId: string): Role | null {
    let most: Role | null = null;
    for (const id of teamIds) {
      const one = this.#mostOf(id, spaceId);
      if (rankOf(one) > rankOf(most)) most = one;
    }
    return most;
  }

  #mostOf(teamId: string, spaceId: string): Role | null {
    if (this.#teams.get(teamId)?.spaces === 0) return null;
    const known = this.#most.get(teamId);
    return known?.has(spaceId) ? (known.get(spaceId) ?? null) : 'admin';
  }
}

/** The roles of one person, as far as their list of spaces was read. */
export function roleInOf({ spaces, partial = [] }: PersonAccess): RoleIn {
  const held = new Map((spaces ?? partial).map(({ space, role }) => [space.id, role]));
  return (id) => held.get(id) ?? (spaces === undefined ? 'unknown' : null);
}
