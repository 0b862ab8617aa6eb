import {
  deleteTeamMember,
  listTeamMembers,
  setTeamMember,
  updateTeamMembers,
} from '../../api/resources/members.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import { type Call, handle } from '../handle.js';
import {
  countSpaces,
  type MemberRow,
  memberColumns,
  memberUser,
  requireMember,
  toMember,
} from '../records/member.js';
import { teams } from '../records/team.js';
import { found, notFound, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { fold } from '../text.js';

/** The teams that a member owns, and so may manage. */
const ownedBy = `EXISTS (SELECT 1 FROM team_members o
  WHERE o.team_id = t.id AND o.user_id = ? AND o.role = 'owner')`;

/** The handlers themselves require an administrator or an owner of the team. */
const ownersToo = { needs: 'read' } as const;

export const handlers = [
  handle(listTeams, (call) => {
    const { owner, title } = call.query;
    if (owner !== undefined) requireMember(call.db, call.org.id, owner);
    return teams.list(
      call,
      title === undefined ? undefined : ['instr(t.folded, ?) > 0', fold(title)],
      owner === undefined ? undefined : [ownedBy, owner],
    );
  }),

  handle(createTeam, (call) => {
    const { db, org, body, clock } = call;
    const { id } = teams.create(call, { ...titled(body.title), created_at: clock.now() });
    for (const userId of new Set(body.members)) {
      requireMember(db, org.id, userId);
      const sql = "INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?, ?, ?, 'member')";
      db.run(sql, id, org.id, userId);
    }
    return teams.get(call, id);
  }),

  handle(getTeam, (call) => teams.get(call, call.path.teamId)),
  handle(updateTeam, (call) => teams.update(call, call.path.teamId, titled(call.body.title))),
  handle(deleteTeam, (call) => teams.remove(call, call.path.teamId)),

  handle(listTeamMembers, (call) => {
    const { db, org, path, page } = call;
    teams.get(call, path.teamId);
    const spaces = countSpaces(db, org.id);
    return page({
      select: `${memberColumns}, tm.role AS team_role`,
      from: 'team_members tm JOIN members m USING (org_id, user_id)',
      join: memberUser,
      where: [['tm.team_id = ?', path.teamId]],
      by: ['m.joined_at', 'm.user_id'],
      item: (row: MemberRow & { team_role: TeamRole }) => ({
        organization: toMember(row, spaces),
        team: { role: row.team_role },
        permissions: { view: true },
      }),
    });
  }),

  handle(
    updateTeamMembers,
    (call) => {
      requireManager(call);
      const { db, org, path, body } = call;
      const user = (key: string) => userByIdOrEmail(db, org.id, key);
      const added = (body.add ?? []).map(user);
      const roles = Object.entries(body.memberships ?? {});
      const changed = roles.map(([key, { role }]) => ({ userId: user(key), role }));
      const removed = (body.remove ?? []).map(user);
      for (const userId of added) setRole(call, userId);
      for (const { userId, role } of changed) setRole(call, userId, role);
      for (const userId of removed) remove(db, path.teamId, userId);
    },
    ownersToo,
  ),

  handle(
    setTeamMember,
    (call) => {
      requireManager(call);
      requireMember(call.db, call.org.id, call.path.userId);
      setRole(call, call.path.userId, call.body.role);
    },
    ownersToo,
  ),

  handle(
    deleteTeamMember,
    (call) => {
      requireManager(call);
      const { db, path } = call;
      if (remove(db, path.teamId, path.userId) === 0) throw notFound('team member', path.userId);
    },
    ownersToo,
  ),
];

function titled(title: string) {
  return { title, folded: fold(title) };
}

type TeamRole = 'owner' | 'member';
type Managing = Pick<Call<typeof deleteTeamMember>, 'db' | 'org' | 'caller'> & { path: { teamId: string } };

/** An owner "can manage team members" (spec A, "Team member role"), and so can an administrator. */
function requireManager(call: Managing): void {
  const { permissions } = teams.get(call, call.path.teamId);
  if (!permissions.admin) throw refusal(403, 'This requires the role admin, or being an owner of the team.');
}

/** Adds a member to a team or changes its role; without a role, members keep theirs. */
function setRole({ db, org, path }: Managing, userId: string, role?: TeamRole): void {
  db.run(
    `INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?1, ?2, ?3, coalesce(?4, 'member'))
     ON CONFLICT (team_id, user_id) DO UPDATE SET role = coalesce(?4, role)`,
    ...[path.teamId, org.id, userId, role ?? null],
  );
}

function remove(db: Database, teamId: string, userId: string): number {
  return db.run('DELETE FROM team_members WHERE team_id = ? AND user_id = ?', teamId, userId);
}

function userByIdOrEmail(db: Database, orgId: string, key: string): string {
  const sql = `SELECT m.user_id FROM users u JOIN members m ON m.user_id = u.id
    WHERE m.org_id = ?1 AND (u.id = ?2 OR u.email = ?2) ORDER BY u.id <> ?2`;
  return found(db.get<{ user_id: string }>(sql, orgId, key), 'member', key).user_id;
}
