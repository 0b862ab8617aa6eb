import type { Role } from '../api/shapes.js';
import { collectionLevel, rank, roleOf, spaceRank } from './access.js';
import { type OrgRow, orgById, type SpaceRow, spaceById } from './records/in-path.js';
import { found, notFound, refusal } from './refusal.js';
import type { Database } from './store/database.js';

export interface User {
  userId: string;
  email: string;
}

export interface Caller extends User {
  /** Role in the organization of the request; null for a guest, or without an organization. */
  role: Role | null;
  /** What applies to this request: the role, or the level in the path's space or collection. */
  level: Role | null;
}

export type Org = OrgRow;

/** Where a request happens. */
export interface Scope {
  caller: Caller;
  org: Org | undefined;
  space: SpaceRow | undefined;
}

/**
 * Finds the organization, space or collection of a path and checks the caller's role or level there.
 * @throws 404 if it is unknown, deleted or not visible; 403 if the role or level is too low
 */
export function resolveScope(
  db: Database,
  { needs, deletedToo }: { needs: Role; deletedToo: boolean },
  path: Readonly<Record<string, string>>,
  user: User,
): Scope {
  const scope = locate(db, path, user, deletedToo);
  const { level, role } = scope.caller;
  const guestReads = role === null && needs === 'read' && scope.space === undefined;
  if (scope.org !== undefined && !guestReads && rank(level) < rank(needs)) {
    throw refusal(403, `this requires the role ${needs}; yours is ${level ?? 'guest'}`);
  }
  return scope;
}

function locate(
  db: Database,
  path: Readonly<Record<string, string>>,
  user: User,
  deletedToo: boolean,
): Scope {
  const { organizationId, spaceId, collectionId } = path;
  if (organizationId !== undefined) return inOrg(db, organizationId, user, 'organization', organizationId);
  if (spaceId !== undefined) return inSpace(db, spaceId, user, deletedToo);
  if (collectionId !== undefined) return inCollection(db, collectionId, user);
  return { caller: callerOf(user, null), org: undefined, space: undefined };
}

/** Written out: what a request makes by spreads has a layout of its own, which takes longer to make and to read. */
function callerOf({ userId, email }: User, role: Role | null, level = role): Caller {
  return { userId, email, role, level };
}

/** The caller in an organization. @throws 404 about `what`, unless the user is a member */
function inOrg(db: Database, orgId: string, user: User, what: string, id: string): Scope & { org: Org } {
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const read = () => db.get<{ role: Role | null }>(sql, orgId, user.userId);
  const member = db.remember(`member ${orgId} ${user.userId}`, read, ['members']);
  if (member === undefined) throw notFound(what, id);
  const org = found(orgById(db, orgId), what, id);
  return { caller: callerOf(user, member.role), org, space: undefined };
}

function inSpace(db: Database, spaceId: string, user: User, deletedToo: boolean): Scope {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  if (space.deleted_at !== null && !deletedToo) throw notFound('space', spaceId);
  const { caller, org } = inOrg(db, space.org_id, user, 'space', spaceId);
  const level = levelInSpace(db, space, caller);
  if (level === null) throw notFound('space', spaceId);
  return { caller: callerOf(user, caller.role, level), org, space };
}

/** The level of a member of its organization in a space that is not deleted; null for none. */
export function levelInSpace(db: Database, space: SpaceRow, caller: Caller): Role | null {
  if (caller.role === 'admin') return 'admin';
  const [sql, ...values] = spaceRank(caller);
  const row = db.get<{ rank: number }>(
    `SELECT ${sql} AS rank FROM (SELECT ? AS space_id, coalesce(
       (SELECT cap FROM space_caps WHERE space_id = ?), 0) AS cap) caps`,
    ...[...values, space.id, space.id],
  );
  return roleOf(row?.rank ?? 0);
}

function inCollection(db: Database, collectionId: string, user: User): Scope {
  const row = db.get<{ org_id: string }>('SELECT org_id FROM collections WHERE id = ?', collectionId);
  const { org_id: orgId } = found(row, 'collection', collectionId);
  const { caller, org } = inOrg(db, orgId, user, 'collection', collectionId);
  const level = collectionLevel(db, collectionId, caller);
  if (level === null) throw notFound('collection', collectionId);
  return { caller: callerOf(user, caller.role, level), org, space: undefined };
}
