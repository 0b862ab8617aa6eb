import type { Member, TeamMembership } from '../../api/resources/members.js';
import type { Team } from '../../api/resources/teams.js';
import { type Role, roles, type User } from '../../api/shapes.js';
import { type MemberRole, rank, spaceRank } from '../access.js';
import {
  countSpaces,
  type MemberRow,
  memberColumns,
  memberTables,
  toMember,
  toUser,
  type UserColumns,
  userColumns,
} from '../records/member.js';
import { type TeamRow, teamColumns, toTeam } from '../records/team.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { fold } from '../text.js';
import { bit, msOf, msOrNull, tell, upsert } from './rows.js';

/**
 * Puts a member and their user. Counts of teams and spaces are right once these are there and the member is put
 * again. Call within a write.
 */
export function putMember(db: Database, orgId: string, member: Member): void {
  const { user } = member;
  putUser(db, user);
  upsert(db, 'members', ['org_id', 'user_id'], {
    org_id: orgId,
    user_id: user.id,
    role: roleHere(member.role),
    disabled: bit(member.disabled),
    joined_at: msOf(member.joinedAt),
    last_seen_at: msOrNull(member.lastSeenAt),
    sso: bit(member.sso),
  });
  const key = { org_id: orgId, user_id: user.id };
  tell(db, { table: 'members', key }, member, () => ownMember(db, orgId, user.id));
}

function ownMember(db: Database, orgId: string, userId: string): Member {
  const sql = `SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.user_id = ?`;
  return toMember(found(db.get<MemberRow>(sql, orgId, userId), 'member', userId), countSpaces(db, orgId));
}

/** A role that the sandbox does not know gives nothing here, as that of a guest; it is shown as told. */
function roleHere(role: string | null): Role | null {
  return roles.find((known) => known === role) ?? null;
}

/** Puts a user as the list of members has them. Call within a write. */
function putUser(db: Database, user: User): void {
  const { id, displayName = id } = user;
  const email = freeEmail(db, user);
  upsert(db, 'users', ['id'], {
    id,
    display_name: displayName,
    email,
    folded: fold(`${displayName}\n${user.email ?? ''}`),
    photo_url: user.photoURL ?? null,
  });
  const read = () => db.get<UserColumns>(`SELECT ${userColumns} FROM users u WHERE u.id = ?`, id);
  tell(db, { table: 'users', key: { id } }, user, () => toUser(found(read(), 'user', id)));
}

/**
 * Puts the user that a comment, a change request or a team names, unless there is one: the list of members,
 * which is read first, tells more. Users outside the organization, such as authors who left, get a row.
 */
export function ensureUser(db: Database, user: User): void {
  if (db.get('SELECT 1 FROM users WHERE id = ?', user.id) === undefined) putUser(db, user);
}

/** Emails are unique here; a user without one, or with that of another user, gets one that nobody has. */
function freeEmail(db: Database, { id, email }: User): string {
  const taken = 'SELECT 1 FROM users WHERE email = ? AND id <> ?';
  if (email !== undefined && db.get(taken, email, id) === undefined) return email;
  return `${id}@unknown.invalid`;
}

/** A membership as backups hold it: who, and with which role. */
export type TeamMemberItem = Pick<TeamMembership, 'team'> & { user: Pick<User, 'id'> };

/**
 * Puts a team. Its counts of members and spaces are right once its members are there and it is put again; the
 * platform does not tell which spaces it has access to. Call within a write.
 */
export function putTeam(db: Database, orgId: string, team: Omit<Team, 'permissions'>): void {
  const { id, title } = team;
  upsert(db, 'teams', ['id'], {
    id,
    org_id: orgId,
    title,
    folded: fold(title),
    created_at: msOf(team.createdAt),
  });
  tell(db, { table: 'teams', key: { id } }, team, () => ownTeam(db, id));
}

/**
 * Puts a member into a team. Call within a write.
 * @returns false, without a change, if the user is not a member of the organization
 */
export function putTeamMember(
  db: Database,
  orgId: string,
  teamId: string,
  { user, team }: TeamMemberItem,
): boolean {
  const isMember = 'SELECT 1 FROM members WHERE org_id = ? AND user_id = ?';
  if (db.get(isMember, orgId, user.id) === undefined) return false;
  const key = { team_id: teamId, user_id: user.id };
  const role = team.role === 'owner' ? 'owner' : 'member';
  upsert(db, 'team_members', Object.keys(key), { ...key, org_id: orgId, role });
  tell(db, { table: 'team_members', key }, team, () => ({ role }));
  return true;
}

function ownTeam(db: Database, id: string): Team {
  const [columns, ...values] = teamColumns({ userId: '', email: '', role: 'admin', level: 'admin' });
  const row = db.get<TeamRow>(`SELECT ${columns} FROM teams t WHERE t.id = ?`, ...values, id);
  return toTeam(found(row, 'team', id));
}

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
