import type { Role } from '../../api/shapes.js';
import { type MemberRole, rank, spaceRank } from '../access.js';
import type { Database } from '../store/database.js';

/**
 * Puts what a member can do in a space. The platform tells the permission, not where it comes from, so a copy
 * holds it as a grant to the person, but only where levels do not give as much already: the default level of the
 * space, at most the role of the person (rules 2 and 4 of access.ts). Teams have no grants in a copy, so removing
 * someone from a team takes nothing away there, and changing a level changes what others get by it. Put members,
 * collections and the space first. Call within a write.
 * @param role null if the person has no access
 * @returns false if levels give more than the platform told, which no grant can take away
 */
export function putAccess(db: Database, userId: string, spaceId: string, role: Role | null): boolean {
  db.run('DELETE FROM space_users WHERE space_id = ? AND user_id = ?', spaceId, userId);
  const byLevel = rankIn(db, userId, spaceId);
  if (rank(role) > byLevel)
    db.run('INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)', spaceId, userId, role);
  return rank(role) >= byLevel;
}

function rankIn(db: Database, userId: string, spaceId: string): number {
  const member = db.get<MemberRole>(
    `SELECT m.user_id AS userId, m.role FROM spaces s JOIN members m ON m.org_id = s.org_id
     WHERE s.id = ? AND m.user_id = ?`,
    ...[spaceId, userId],
  );
  if (member === undefined) return 0;
  const [sql, ...values] = spaceRank(member);
  const read = `SELECT ${sql} AS rank FROM space_caps caps WHERE caps.space_id = ?`;
  return db.get<{ rank: number }>(read, ...values, spaceId)?.rank ?? 0;
}
