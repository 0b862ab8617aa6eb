import { operations } from '../api/resources/index.js';
import type { Organization } from '../api/resources/orgs.js';
import { type Role, roles } from '../api/shapes.js';

/** The role of the token in its organization, and which operations it suffices for. */

/** From high to low. */
export const ownRoles = [...roles, 'guest'] as const;
export type OwnRole = (typeof ownRoles)[number];

type Permissions = Organization['permissions'];

/** The role that the permissions of a token in an organization stand for; undefined if they leave several open. */
export function roleOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin === true) return 'admin';
  return permissions?.createContent === true ? 'create' : undefined;
}

/** The highest role that they leave open. */
export function atMostOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin !== false) return undefined;
  return permissions.createContent === false ? 'review' : 'create';
}

/** 0 is the highest. */
export function rank(role: OwnRole): number {
  return ownRoles.indexOf(role);
}

/** What a command calls: of several operations it calls one, or, written by hand, any of them. */
export interface Calls {
  operations: readonly { id: string; path: string }[];
  /** Whether it is made of its operations, so that one of them suffices. */
  ofOperations: boolean;
}

/**
 * The role that a command needs: of one made of operations the least that one of them takes, else the highest that
 * it may take. Undefined if it calls none.
 */
export function neededRole({ operations: called, ofOperations }: Calls): Role | undefined {
  const ranks = called.flatMap(({ id }) => {
    const found = operations.find((one) => one.id === id);
    return found === undefined ? [] : [rank(found.needs)];
  });
  if (ranks.length === 0) return undefined;
  return roles[ofOperations ? Math.max(...ranks) : Math.min(...ranks)];
}

/** The role, or the highest that it can be. */
export interface Known {
  role: OwnRole | null;
  roleAtMost?: OwnRole | undefined;
}

/**
 * Whether the role suffices for a command. Rights in a space may be higher than the role, and a command written by
 * hand may do with less than all that it declares, so for these a role that is too low leaves it open.
 */
export function allowsRole({ role, roleAtMost }: Known, calls: Calls): 'yes' | 'no' | 'unknown' {
  const needed = neededRole(calls);
  if (needed === undefined) return 'yes';
  const highest = role ?? roleAtMost;
  if (highest === undefined) return 'unknown';
  if (rank(highest) <= rank(needed)) return role === null ? 'unknown' : 'yes';
  const isOfOrganization = calls.operations.every(({ path }) => path.startsWith('/v1/orgs/'));
  return calls.ofOperations && isOfOrganization ? 'no' : 'unknown';
}
