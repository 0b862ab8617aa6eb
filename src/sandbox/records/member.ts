import type { Member } from '../../api/resources/members.js';
import type { Role, User } from '../../api/shapes.js';
import type { MemberRole } from '../access.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { apiUrl, fields } from './fields.js';
import { withTold } from './told.js';

/** Columns of `users u`, for records that embed a user. */
export const userColumns = 'u.id AS user_id, u.display_name, u.email, u.photo_url, u.told AS user_told';

export interface UserColumns {
  user_id: string;
  display_name: string;
  email: string;
  photo_url: string | null;
  user_told: string | null;
}

/** The embedded user (spec A, "Shared shapes"). */
export function toUser(row: UserColumns): User {
  const own: User = {
    object: 'user',
    id: row.user_id,
    displayName: row.display_name,
    email: row.email,
    ...(row.photo_url !== null && { photoURL: row.photo_url }),
    urls: { location: apiUrl(`/users/${row.user_id}`) },
  };
  return withTold(own, row.user_told);
}

/** Spaces that a member sees by a grant only; for a guest, all spaces. */
const granted = `(SELECT count(*) FROM (
    SELECT su.space_id FROM space_users su WHERE su.user_id = m.user_id
    UNION
    SELECT st.space_id FROM team_members tm JOIN space_teams st ON st.team_id = tm.team_id
    WHERE tm.org_id = m.org_id AND tm.user_id = m.user_id
  ) g JOIN space_caps caps ON caps.space_id = g.space_id
  WHERE caps.org_id = m.org_id AND (m.role IS NULL OR caps.cap = 0))`;
const teams = '(SELECT count(*) FROM team_members t WHERE t.org_id = m.org_id AND t.user_id = m.user_id)';

/** Columns of a member, from `memberTables`. */
export const memberColumns = `m.role, m.disabled, m.joined_at, m.last_seen_at, m.sso, m.told,
  ${granted} AS granted_spaces, ${teams} AS teams, ${userColumns}`;
export const memberUser = 'LEFT JOIN users u ON u.id = m.user_id';
export const memberTables = `members m ${memberUser}`;

export interface MemberRow extends UserColumns {
  role: Role | null;
  disabled: number;
  joined_at: number;
  last_seen_at: number | null;
  sso: number;
  told: string | null;
  granted_spaces: number;
  teams: number;
}

/** Number of spaces in an organization, and of those that a role sees without a grant. */
interface SpaceCounts {
  all: number;
  open: number;
}

export function countSpaces(db: Database, orgId: string): SpaceCounts {
  const sql =
    'SELECT count(*) AS "all", count(*) FILTER (WHERE cap > 0) AS open FROM space_caps WHERE org_id = ?';
  const count = () => db.get<SpaceCounts>(sql, orgId) ?? { all: 0, open: 0 };
  return db.remember(`spaces of ${orgId}`, count, ['spaces']);
}

/** An organization member (spec A, "Organization member"). */
export function toMember(row: MemberRow, spaces: SpaceCounts): Member {
  const byRole = row.role === null ? 0 : spaces.open;
  const own: Member = {
    object: 'member',
    id: row.user_id,
    role: row.role,
    user: toUser(row),
    disabled: row.disabled === 1,
    ...fields(row, 'joined_at', 'last_seen_at'),
    sso: row.sso === 1,
    spaces: row.role === 'admin' ? spaces.all : byRole + row.granted_spaces,
    teams: row.teams,
  };
  return withTold(own, row.told);
}

/** @throws 404 */
export function memberById(db: Database, orgId: string, userId: string): Member {
  const sql = `SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.user_id = ?`;
  const row = found(db.get<MemberRow>(sql, orgId, userId), 'member', userId);
  return toMember(row, countSpaces(db, orgId));
}

/** The member's role. @throws 404 unless a member */
export function requireMember(db: Database, orgId: string, userId: string): MemberRole {
  const sql = 'SELECT user_id AS userId, role FROM members WHERE org_id = ? AND user_id = ?';
  return found(db.get<MemberRole>(sql, orgId, userId), 'member', userId);
}
