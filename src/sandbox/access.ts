import { type Role, roles } from '../api/shapes.js';
import type { Database, SqlValue } from './store/database.js';

/*
 * Who may see and do what:
 *
 * 1. An operation of an organization needs the role that its declaration names; a guest (null) may
 *    only read. Anyone outside the organization gets 404.
 * 2. A member's level in a space or collection is the default level, at most the member's own role.
 *    `inherit` takes the parent collection's, which does not limit at the top; null gives nobody
 *    access; a private space inherits nothing.
 * 3. Grants to a user, or to a team of theirs, raise the level in one space, for guests too. The
 *    creator of a space is granted admin in it.
 * 4. Administrators of the organization have admin everywhere.
 * 5. An operation on a space or collection requires that level in it. Callers with none get 404.
 */

/** The rank of a role: read 1 … admin 6; null, a guest, 0. */
export function rank(role: Role | null): number {
  return role === null ? 0 : roles.length - roles.indexOf(role);
}

export function roleOf(rank: number): Role | null {
  return roles[roles.length - rank] ?? null;
}

/** What a member's level depends on; `role` is the one in the organization. */
export interface MemberRole {
  userId: string;
  role: Role | null;
}

/** SQL for a member's rank in the space of `space_caps caps`, a view without deleted spaces; its values. */
export function spaceRank({ userId, role }: MemberRole): [sql: string, ...values: SqlValue[]] {
  if (role === 'admin') return ['6'];
  const granted =
    'coalesce((SELECT max(g.rank) FROM space_grants g WHERE g.space_id = caps.space_id AND g.user_id = ?), 0)';
  return [`max(min(caps.cap, ?), ${granted})`, rank(role), userId];
}

/** A member's level in one collection, or null for none. */
export function collectionLevel(db: Database, collectionId: string, { role }: MemberRole): Role | null {
  if (role === 'admin') return 'admin';
  const sql = 'SELECT cap FROM collection_caps WHERE collection_id = ?';
  const row = db.get<{ cap: number }>(sql, collectionId);
  return roleOf(Math.min(row?.cap ?? 0, rank(role)));
}
