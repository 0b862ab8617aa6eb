import { type Role, roles } from '../api/shapes.js';

/*
 * Who may do what in a space, from what the operations tell:
 *
 * 1. An administrator of the organization has admin everywhere.
 * 2. Else the default level of the space counts, at most the person's own role in the organization. `inherit`
 *    takes that of the collection around it, which limits nothing at the top; null gives nobody access, and a
 *    private space inherits nothing. It gives guests nothing.
 * 3. A grant, to the person or to a team of theirs, can give more. No operation shows grants: only the role that
 *    results can be read (`members spaces`).
 */

/** Where a default level comes from. */
export interface LevelSource {
  object: 'space' | 'collection' | 'organization';
  id?: string;
  title?: string;
}

/** What a space or a collection says of its level. */
export interface Levelled {
  id: string;
  title: string;
  /** Id of the collection around it; none at the top. */
  parent?: string | undefined;
  /** A role, `inherit`, or null for no access. */
  defaultLevel: string | null;
}

/** The most that a default level gives: a role, null for nothing; `from` is what decides it. */
export type DefaultLevel =
  | { known: true; reaches: Role | null; from: LevelSource; why: 'level' | 'private' | 'top' }
  /** The collection of this id could not be read, or its level is none that is known. */
  | { known: false; missing: string };

/** The rank of a role, for comparison: read 1 … admin 6; none 0. */
export function rankOf(role: Role | null): number {
  return role === null ? 0 : roles.length - roles.indexOf(role);
}

/** The lower of two roles; null is none at all. */
export function lowerOf(one: Role | null, other: Role | null): Role | null {
  return rankOf(one) < rankOf(other) ? one : other;
}

/** The higher of two roles. */
export function higherOf(one: Role | null, other: Role | null): Role | null {
  return rankOf(one) < rankOf(other) ? other : one;
}

/**
 * The default level of a space or a collection, through the collections around it.
 * @param place a space with its visibility, or a collection
 * @param collections by id: those around it at least
 */
export function defaultLevelOf(
  place: Levelled & { object: 'space' | 'collection'; visibility?: string },
  collections: ReadonlyMap<string, Levelled>,
): DefaultLevel {
  let { object, ...now }: { object: LevelSource['object'] } & Levelled = place;
  const seen = new Set<string>();
  for (;;) {
    const from = { object, id: now.id, title: now.title };
    if (now.defaultLevel !== 'inherit') return levelOf(now.defaultLevel, from);
    if (object === 'space' && place.visibility === 'private')
      return { known: true, reaches: null, from, why: 'private' };
    const { parent } = now;
    if (parent === undefined)
      return { known: true, reaches: 'admin', from: { object: 'organization' }, why: 'top' };
    const next = collections.get(parent);
    // A circle can only come from a list that was read while collections moved.
    if (next === undefined || seen.has(parent)) return { known: false, missing: parent };
    seen.add(parent);
    [object, now] = ['collection', next];
  }
}

function levelOf(level: string | null, from: LevelSource): DefaultLevel {
  if (level === null) return { known: true, reaches: null, from, why: 'level' };
  const role = roles.find((one) => one === level);
  return role === undefined
    ? { known: false, missing: from.id ?? '' }
    : { known: true, reaches: role, from, why: 'level' };
}

/** What organization role and default level give together; undefined where the level is not known. */
export function roleByLevels(role: Role | null, level: DefaultLevel): Role | null | undefined {
  if (role === 'admin') return 'admin';
  if (role === null) return null;
  return level.known ? lowerOf(role, level.reaches) : undefined;
}

/**
 * Why a person has a role in a space.
 *
 * - `admin`: an administrator of the organization
 * - `default`: the organization role and the default level explain it
 * - `granted`: they explain less, so a grant to the person or to one of their teams gives it
 * - `none`: no access, and nothing gives any
 * - `unexplained`: less than they explain; the platform knows a limit that no operation shows
 * - `unknown`: the role could not be read, or the level that it is compared with
 */
export const reasons = ['admin', 'default', 'granted', 'none', 'unexplained', 'unknown'] as const;
export type Reason = (typeof reasons)[number];

/**
 * @param role the effective role, as the platform tells it; null for none, `unknown` where it could not be read
 * @param byLevels as `roleByLevels`
 */
export function reasonOf(
  role: Role | null | 'unknown',
  { organizationRole, byLevels }: { organizationRole: Role | null; byLevels: Role | null | undefined },
): Reason {
  if (role === 'unknown') return 'unknown';
  if (organizationRole === 'admin' && role === 'admin') return 'admin';
  if (byLevels === undefined) return role === null ? 'none' : 'unknown';
  const difference = rankOf(role) - rankOf(byLevels);
  if (difference > 0) return 'granted';
  if (difference < 0) return 'unexplained';
  return role === null ? 'none' : 'default';
}

/** Whether a collection is one of these, or inside one. */
export function isInside(
  collections: ReadonlyMap<string, Pick<Levelled, 'parent'>>,
  id: string | undefined,
  outer: readonly string[],
): boolean {
  const seen = new Set<string>();
  for (let at = id; at !== undefined && !seen.has(at); at = collections.get(at)?.parent) {
    if (outer.includes(at)) return true;
    seen.add(at);
  }
  return false;
}
