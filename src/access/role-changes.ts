import type { Role } from '../api/shapes.js';
import { defined } from '../base/values.js';
import type { RoleChange } from './impact/shapes.js';
import { type DefaultLevel, higherOf, lowerOf, rankOf, roleByLevels } from './levels.js';
import type { PersonAccess, TeamMembers } from './people.js';

/*
 * What a change does to the role of one person in one space. The platform tells the role and the levels, not
 * the grants, so the role afterwards is known within bounds: at least what the new levels and a visible grant
 * give, at most what the levels or a hidden grant can give. A grant is visible where the role is higher than
 * the levels explain.
 */

/** A person with their role in one space. */
export interface Held {
  person: RoleChange['person'];
  organizationRole: Role | null;
  /** The effective role as the platform tells it; null for none, `unknown` where it could not be read. */
  role: Role | null | 'unknown';
}

/** What changes about a space. */
export interface LevelChange {
  space: RoleChange['space'];
  before: DefaultLevel;
  /** `gone`: the space is deleted, or leaves the organization with its grants. */
  after: DefaultLevel | 'gone';
}

/** What changes about a person in this space, beside its level. */
export interface PersonChange {
  /** The new role in the organization; undefined where it stays. */
  organizationRole?: Role | null | undefined;
  /** The most that the teams which the person loses can give here; undefined where none is lost. */
  lostGrant?: Role | null | undefined;
}

interface Bounds {
  least: Role | null;
  most: Role | null;
}

/**
 * How the role of a person in a space changes.
 * @returns undefined where it certainly stays; `unknown` where it may change and today's role is not known
 */
export function roleChangeOf(
  held: Held,
  level: LevelChange,
  change: PersonChange = {},
): RoleChange | 'unknown' | undefined {
  const { person, role: from } = held;
  if (!isTouched(held, level, change)) return undefined;
  const { least: to, most } = boundsAfter(held, level, change);
  if (from === 'unknown') return 'unknown';
  const [low, now, high] = [rankOf(to), rankOf(from), rankOf(most)];
  if (low === now && high === now) return undefined;
  const upper = high > low ? (most ?? undefined) : undefined;
  return {
    person,
    space: level.space,
    from,
    to,
    ...defined({ most: upper }),
    certain: low > now || high < now,
  };
}

/**
 * The changes among many people in one space, in their order; `unknown` are those whose role could not be read
 * and may change. People whose role certainly stays are in neither.
 */
export function roleChanges(
  level: LevelChange,
  people: Iterable<Held>,
): { changes: RoleChange[]; unknown: RoleChange['person'][] } {
  const changes: RoleChange[] = [];
  const unknown: RoleChange['person'][] = [];
  for (const held of people) {
    const change = roleChangeOf(held, level);
    if (change === 'unknown') unknown.push(held.person);
    else if (change !== undefined) changes.push(change);
  }
  return { changes, unknown };
}

/** Whether anything that the role rests on changes. */
export function isTouched(
  { organizationRole }: Pick<Held, 'organizationRole'>,
  level: LevelChange,
  change: PersonChange = {},
): boolean {
  const next = change.organizationRole === undefined ? organizationRole : change.organizationRole;
  if (level.after === 'gone') return true;
  if (organizationRole === 'admin' && next === 'admin') return false;
  if (change.lostGrant !== undefined && change.lostGrant !== null) return true;
  const [before, after] = [levelBounds(organizationRole, level.before), levelBounds(next, level.after)];
  const isAdmin = organizationRole === 'admin' || next === 'admin';
  const isKnown = level.before.known && level.after.known;
  if (isAdmin || !isKnown) return next !== organizationRole || !isSameLevel(level.before, level.after);
  return before.most !== after.most;
}

function isSameLevel(one: DefaultLevel, other: DefaultLevel): boolean {
  if (one.known && other.known) return one.reaches === other.reaches;
  return !one.known && !other.known && one.missing === other.missing;
}

/** Between which roles the person's role is afterwards. */
function boundsAfter(held: Held, { before, after }: LevelChange, change: PersonChange): Bounds {
  if (after === 'gone') return { least: null, most: null };
  const { organizationRole, role } = held;
  const next = change.organizationRole === undefined ? organizationRole : change.organizationRole;
  if (next === 'admin') return { least: 'admin', most: 'admin' };
  const grant = grantBounds(held, before);
  if (mayGive(change.lostGrant, grant.least)) grant.least = null;
  const levels = levelBounds(next, after);
  // Below the member's own role, the role is at least the default level: it bounds one that is not known.
  const isBound = role !== 'unknown' && rankOf(role) < rankOf(organizationRole) && isSameLevel(before, after);
  if (!after.known && isBound) levels.most = lowerOf(levels.most, role);
  // The platform gives less than the levels explain, so they promise nothing.
  if (isUnexplained(held, before)) levels.least = null;
  return { least: higherOf(levels.least, grant.least), most: higherOf(levels.most, grant.most) };
}

/** Whether teams that can give up to `most` can be what gives the role. */
function mayGive(most: Role | null | undefined, role: Role | null): boolean {
  return most !== undefined && rankOf(most) >= rankOf(role);
}

/** Between which roles the grants of a person are, directly and through teams. */
export function grantBounds({ organizationRole, role }: Held, level: DefaultLevel): Bounds {
  if (role === 'unknown' || organizationRole === 'admin')
    return { least: null, most: role === 'unknown' ? 'admin' : role };
  const { most } = levelBounds(organizationRole, level);
  return { least: rankOf(role) > rankOf(most) ? role : null, most: role };
}

/** Between which roles organization role and default level are together. */
function levelBounds(organizationRole: Role | null, level: DefaultLevel): Bounds {
  const role = roleByLevels(organizationRole, level);
  return role === undefined ? { least: null, most: organizationRole } : { least: role, most: role };
}

function isUnexplained({ organizationRole, role }: Held, level: DefaultLevel): boolean {
  if (role === 'unknown') return false;
  return rankOf(role) < rankOf(levelBounds(organizationRole, level).least);
}

/** A team that is left or deleted. */
export interface LostTeam extends Pick<TeamMembers, 'id' | 'title' | 'owners' | 'roles'> {
  /** How many spaces it has a grant in, as the platform counts them; undefined where that was not read. */
  spaces?: number | undefined;
}

/** The roles of a person in spaces: null for none, `unknown` where it could not be read. */
type RoleIn = (spaceId: string) => Role | null | 'unknown';

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
