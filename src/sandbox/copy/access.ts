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
  const [byLevel = 0] = byLevels(db, userId, spaceId).map((space) => space.rank);
  return putGrant(db, userId, { spaceId, rank: byLevel }, role);
}

/**
 * Puts what a member can do in all spaces of the organization; in one that is not named, nothing. As `putAccess`.
 * @returns how many permissions are higher here than the platform told
 */
export function putMemberAccess(db: Database, userId: string, roles: ReadonlyMap<string, Role>): number {
  const put = (space: SpaceRank) => putGrant(db, userId, space, roles.get(space.spaceId) ?? null);
  return byLevels(db, userId).filter((space) => !put(space)).length;
}

interface SpaceRank {
  spaceId: string;
  rank: number;
}

function putGrant(db: Database, userId: string, { spaceId, rank: byLevel }: SpaceRank, role: Role | null) {
  if (rank(role) > byLevel) {
    const sql = 'INSERT OR REPLACE INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)';
    db.run(sql, spaceId, userId, role);
  } else db.run('DELETE FROM space_users WHERE space_id = ? AND user_id = ?', spaceId, userId);
  return rank(role) >= byLevel;
}

/** What a member could do in each space, or one, without any grant to the person. */
function byLevels(db: Database, userId: string, spaceId?: string): SpaceRank[] {
  const members = db.all<MemberRole & { orgId: string }>(
    'SELECT org_id AS orgId, user_id AS userId, role FROM members WHERE user_id = ?',
    userId,
  );
  return members.flatMap(({ orgId, role }) => {
    // Grants to nobody.
    const [sql, ...values] = spaceRank({ userId: '', role });
    return db.all<SpaceRank>(
      `SELECT caps.space_id AS spaceId, ${sql} AS rank FROM space_caps caps
       WHERE caps.org_id = ? AND caps.space_id = coalesce(?, caps.space_id)`,
      ...[...values, orgId, spaceId ?? null],
    );
  });
}
