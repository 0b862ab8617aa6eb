import {
  deleteMember,
  getMember,
  linkMemberSso,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  updateMember,
} from '../../api/resources/members.js';
import { roleOf, spaceRank } from '../access.js';
import { handle } from '../handle.js';
import type { Condition } from '../paging.js';
import {
  countSpaces,
  type MemberRow,
  memberById,
  memberColumns,
  memberTables,
  memberUser,
  requireMember,
  toMember,
} from '../records/member.js';
import { type SpaceRow, toSpace } from '../records/space.js';
import { type TeamRow, teamColumns, toTeam } from '../records/team.js';
import { notFound, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { fold } from '../text.js';

export const handlers = [
  handle(listMembers, ({ db, org, query, page }) => {
    const spaces = countSpaces(db, org.id);
    const seen = query.sort === 'lastSeenAt';
    return page({
      select: memberColumns,
      ...(query.search === undefined ? { from: 'members m', join: memberUser } : { from: memberTables }),
      where: [
        ['m.org_id = ?', org.id],
        seen ? ['m.last_seen_at IS NOT NULL'] : undefined,
        withRole(query.role),
        query.search === undefined ? undefined : ['instr(u.folded, ?) > 0', fold(query.search)],
      ],
      by: [seen ? 'm.last_seen_at' : 'm.joined_at', 'm.user_id'],
      order: query.order ?? 'desc',
      item: (row: MemberRow) => toMember(row, spaces),
    });
  }),

  handle(getMember, ({ db, org, path }) => memberById(db, org.id, path.userId)),

  handle(updateMember, ({ db, org, path, body }) => {
    if (body.role !== 'admin') keepLastAdmin(db, org.id, path.userId);
    db.run('UPDATE members SET role = ? WHERE org_id = ? AND user_id = ?', body.role, org.id, path.userId);
    return memberById(db, org.id, path.userId);
  }),

  handle(deleteMember, ({ db, org, path }) => {
    keepLastAdmin(db, org.id, path.userId);
    const removed = db.run('DELETE FROM members WHERE org_id = ? AND user_id = ?', org.id, path.userId);
    if (removed === 0) throw notFound('member', path.userId);
    const inOrg = 'SELECT id FROM spaces WHERE org_id = ?';
    db.run(`DELETE FROM space_users WHERE user_id = ? AND space_id IN (${inOrg})`, path.userId, org.id);
  }),

  handle(linkMemberSso, ({ db, org, path }) => {
    db.run('UPDATE members SET sso = 1 WHERE org_id = ? AND user_id = ?', org.id, path.userId);
    return memberById(db, org.id, path.userId);
  }),

  handle(listMemberSpaces, ({ db, org, path, query, page }) => {
    const member = requireMember(db, org.id, path.userId);
    const [rank, ...values] = spaceRank(member);
    return page({
      select: [`s.*, ${rank} AS rank`, ...values],
      from: 'space_caps caps JOIN spaces s ON s.id = caps.space_id',
      where: [
        ['caps.org_id = ?', org.id],
        [`${rank} > 0`, ...values],
      ],
      by: ['s.created_at', 's.id'],
      order: query.order ?? 'desc',
      item: (row: SpaceRow & { rank: number }) => {
        const permission = roleOf(row.rank) ?? 'read';
        return { permission, space: toSpace(row, permission) };
      },
    });
  }),

  handle(listMemberTeams, ({ db, org, path, query, caller, page }) => {
    requireMember(db, org.id, path.userId);
    const [columns, ...values] = teamColumns(caller);
    return page({
      select: [`${columns}, tm.role AS team_role`, ...values],
      from: 'team_members tm JOIN teams t ON t.id = tm.team_id',
      where: [
        ['tm.org_id = ? AND tm.user_id = ?', org.id, path.userId],
        query.title === undefined ? undefined : ['instr(t.folded, ?) > 0', fold(query.title)],
      ],
      by: ['t.created_at', 't.id'],
      item: (row: TeamRow & { team_role: 'owner' | 'member' }) => ({
        team: toTeam(row),
        member: { role: row.team_role },
      }),
    });
  }),
];

function withRole(role: string | undefined): Condition {
  if (role === undefined) return undefined;
  return role === 'guest' ? ['m.role IS NULL'] : ['m.role = ?', role];
}

/** An organization always has an administrator (platform-facts). */
function keepLastAdmin(db: Database, orgId: string, userId: string): void {
  const sql = "SELECT user_id FROM members WHERE org_id = ? AND role = 'admin' LIMIT 2";
  const admins = db.all<{ user_id: string }>(sql, orgId);
  if (admins.length === 1 && admins[0]?.user_id === userId) {
    throw refusal(409, 'Cannot remove or demote the last admin of an organization.');
  }
}
