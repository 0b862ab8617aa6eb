import * as api from '../../api/resources/members.js';
import * as teamApi from '../../api/resources/teams.js';
import type { Role } from '../../api/shapes.js';
import { type MemberRole, roleOf, spaceRank } from '../access.js';
import { type Call, handle } from '../handle.js';
import { orgTable } from '../org-table.js';
import { type Condition, filter, titleFilter } from '../paging.js';
import type { SpaceRow } from '../records/in-path.js';
import { type UserColumns, userColumns } from '../records/in-path.js';
import { layoutOf } from '../records/layout.js';
import { toUser } from '../records/org.js';
import { toSpace } from '../records/space.js';
import { found, notFound, refusal } from '../refusal.js';
import type { Caller } from '../scope.js';
import type { Database, SqlValue } from '../store/database.js';
import { fold } from '../store/rows.js';

/** SQL for the columns of a team from `teams t` as the caller sees it, with its values. */
function teamColumns({ userId, role }: Caller): [sql: string, ...values: SqlValue[]] {
  return [
    `t.id, t.title, t.created_at, t.told,
    (SELECT count(*) FROM team_members x WHERE x.team_id = t.id) AS members,
    (SELECT count(*) FROM space_teams x JOIN spaces s ON s.id = x.space_id
      WHERE x.team_id = t.id AND s.deleted_at IS NULL) AS spaces,
    (? OR EXISTS (SELECT 1 FROM team_members x
      WHERE x.team_id = t.id AND x.user_id = ? AND x.role = 'owner')) AS manages`,
    role === 'admin' ? 1 : 0,
    userId,
  ];
}

interface TeamRow {
  /** Whether the caller can manage it. */
  manages: number;
}

const teamLayout = layoutOf(teamApi.Team, { computed: ['permissions'], counted: ['members', 'spaces'] });

const permissions = ({ manages }: TeamRow) => ({ permissions: { admin: manages === 1, view: true } });

/** A team (spec A, "Team"). */
function toTeam(row: TeamRow): teamApi.Team {
  return teamLayout.item(row, permissions(row));
}

export const teams = orgTable({
  ...{ table: 'teams', what: 'team', columns: teamColumns, layout: teamLayout, folds: true },
  computed: permissions,
});

/** Spaces that a member sees by a grant only; for a guest, all spaces. */
const granted = `(SELECT count(*) FROM (
    SELECT su.space_id FROM space_users su WHERE su.user_id = m.user_id
    UNION
    SELECT st.space_id FROM team_members tm JOIN space_teams st ON st.team_id = tm.team_id
    WHERE tm.org_id = m.org_id AND tm.user_id = m.user_id
  ) g JOIN space_caps caps ON caps.space_id = g.space_id
  WHERE caps.org_id = m.org_id AND (m.role IS NULL OR caps.cap = 0))`;
const teamCount = '(SELECT count(*) FROM team_members t WHERE t.org_id = m.org_id AND t.user_id = m.user_id)';

/** Columns of a member, from `memberTables`. */
const memberColumns = `m.role, m.disabled, m.joined_at, m.last_seen_at, m.sso, m.told,
  ${granted} AS granted_spaces, ${teamCount} AS teams, ${userColumns}`;
const memberUser = 'LEFT JOIN users u ON u.id = m.user_id';
const memberTables = `members m ${memberUser}`;

interface MemberRow extends UserColumns {
  role: Role | null;
  granted_spaces: number;
}

/** Number of spaces in an organization, and of those that a role sees without a grant. */
interface SpaceCounts {
  all: number;
  open: number;
}

function countSpaces(db: Database, orgId: string): SpaceCounts {
  const sql =
    'SELECT count(*) AS "all", count(*) FILTER (WHERE cap > 0) AS open FROM space_caps WHERE org_id = ?';
  const count = () => db.get<SpaceCounts>(sql, orgId) ?? { all: 0, open: 0 };
  return db.remember(`spaces of ${orgId}`, count, ['spaces']);
}

export const memberLayout = layoutOf(api.Member, {
  computed: ['user', 'spaces'],
  columns: { id: 'user_id' },
  counted: ['teams'],
});

/** An organization member (spec A, "Organization member"). */
function toMember(row: MemberRow, spaces: SpaceCounts): api.Member {
  const byRole = row.role === null ? 0 : spaces.open;
  const own = row.role === 'admin' ? spaces.all : byRole + row.granted_spaces;
  return memberLayout.item(row, { user: toUser(row), spaces: own });
}

/** @throws 404 */
export function memberById(db: Database, orgId: string, userId: string): api.Member {
  const sql = `SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.user_id = ?`;
  const row = found(db.get<MemberRow>(sql, orgId, userId), 'member', userId);
  return toMember(row, countSpaces(db, orgId));
}

/** The member's role. @throws 404 unless a member */
function requireMember(db: Database, orgId: string, userId: string): MemberRole {
  const sql = 'SELECT user_id AS userId, role FROM members WHERE org_id = ? AND user_id = ?';
  return found(db.get<MemberRole>(sql, orgId, userId), 'member', userId);
}

/** The teams that a member owns, and so may manage. */
const ownedBy = `EXISTS (SELECT 1 FROM team_members o
  WHERE o.team_id = t.id AND o.user_id = ? AND o.role = 'owner')`;

/** The teamHandlers themselves require an administrator or an owner of the team. */
const ownersToo = { needs: 'read' } as const;

const teamHandlers = [
  handle(teamApi.listTeams, (call) => {
    const { owner, title } = call.query;
    if (owner !== undefined) requireMember(call.db, call.org.id, owner);
    return teams.list(call, titleFilter(title), filter(ownedBy, owner));
  }),

  handle(teamApi.createTeam, (call) => {
    const { db, org, body } = call;
    const { id } = teams.create(call, { title: body.title });
    for (const userId of new Set(body.members)) {
      requireMember(db, org.id, userId);
      const sql = "INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?, ?, ?, 'member')";
      db.run(sql, id, org.id, userId);
    }
    return teams.get(call, id);
  }),

  ...teams.handlers([teamApi.getTeam, teamApi.updateTeam, teamApi.deleteTeam]),

  handle(api.listTeamMembers, (call) => {
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
    api.updateTeamMembers,
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
      for (const userId of removed) removeTeamMember(db, path.teamId, userId);
    },
    ownersToo,
  ),

  handle(
    api.setTeamMember,
    (call) => {
      requireManager(call);
      requireMember(call.db, call.org.id, call.path.userId);
      setRole(call, call.path.userId, call.body.role);
    },
    ownersToo,
  ),

  handle(
    api.deleteTeamMember,
    (call) => {
      requireManager(call);
      const { db, path } = call;
      if (removeTeamMember(db, path.teamId, path.userId) === 0) throw notFound('team member', path.userId);
    },
    ownersToo,
  ),
];

type TeamRole = 'owner' | 'member';
type Managing = Pick<Call<typeof api.deleteTeamMember>, 'db' | 'org' | 'caller'> & {
  path: { teamId: string };
};

/** An owner "can manage team members" (spec A, "Team member role"), and so can an administrator. */
function requireManager(call: Managing): void {
  const { permissions } = teams.get(call, call.path.teamId);
  if (!permissions.admin) throw refusal(403, 'this requires the role admin, or being an owner of the team');
}

/** Adds a member to a team or changes its role; without a role, members keep theirs. */
function setRole({ db, org, path }: Managing, userId: string, role?: TeamRole): void {
  db.run(
    `INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?1, ?2, ?3, coalesce(?4, 'member'))
     ON CONFLICT (team_id, user_id) DO UPDATE SET role = coalesce(?4, role)`,
    ...[path.teamId, org.id, userId, role ?? null],
  );
}

function removeTeamMember(db: Database, teamId: string, userId: string): number {
  return db.run('DELETE FROM team_members WHERE team_id = ? AND user_id = ?', teamId, userId);
}

function userByIdOrEmail(db: Database, orgId: string, key: string): string {
  const sql = `SELECT m.user_id FROM users u JOIN members m ON m.user_id = u.id
    WHERE m.org_id = ?1 AND (u.id = ?2 OR u.email = ?2) ORDER BY u.id <> ?2`;
  return found(db.get<{ user_id: string }>(sql, orgId, key), 'member', key).user_id;
}

const memberHandlers = [
  handle(api.listMembers, ({ db, org, query, page }) => {
    const spaces = countSpaces(db, org.id);
    const seen = query.sort === 'lastSeenAt';
    return page({
      select: memberColumns,
      ...(query.search === undefined ? { from: 'members m', join: memberUser } : { from: memberTables }),
      where: [
        ['m.org_id = ?', org.id],
        seen ? ['m.last_seen_at IS NOT NULL'] : undefined,
        withRole(query.role),
        filter('instr(u.folded, ?) > 0', query.search && fold(query.search)),
      ],
      by: [seen ? 'm.last_seen_at' : 'm.joined_at', 'm.user_id'],
      order: query.order ?? 'desc',
      item: (row: MemberRow) => toMember(row, spaces),
    });
  }),

  handle(api.getMember, ({ db, org, path }) => memberById(db, org.id, path.userId)),

  handle(api.updateMember, ({ db, org, path, body }) => {
    if (body.role !== 'admin') keepLastAdmin(db, org.id, path.userId);
    db.run('UPDATE members SET role = ? WHERE org_id = ? AND user_id = ?', body.role, org.id, path.userId);
    return memberById(db, org.id, path.userId);
  }),

  handle(api.deleteMember, ({ db, org, path }) => {
    keepLastAdmin(db, org.id, path.userId);
    const removed = db.run('DELETE FROM members WHERE org_id = ? AND user_id = ?', org.id, path.userId);
    if (removed === 0) throw notFound('member', path.userId);
    const inOrg = 'SELECT id FROM spaces WHERE org_id = ?';
    db.run(`DELETE FROM space_users WHERE user_id = ? AND space_id IN (${inOrg})`, path.userId, org.id);
  }),

  handle(api.linkMemberSso, ({ db, org, path }) => {
    db.run('UPDATE members SET sso = 1 WHERE org_id = ? AND user_id = ?', org.id, path.userId);
    return memberById(db, org.id, path.userId);
  }),

  handle(api.listMemberSpaces, ({ db, org, path, query, page }) => {
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

  handle(api.listMemberTeams, ({ db, org, path, query, caller, page }) => {
    requireMember(db, org.id, path.userId);
    const [columns, ...values] = teamColumns(caller);
    return page({
      select: [`${columns}, tm.role AS team_role`, ...values],
      from: 'team_members tm JOIN teams t ON t.id = tm.team_id',
      where: [['tm.org_id = ? AND tm.user_id = ?', org.id, path.userId], titleFilter(query.title)],
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
    throw refusal(409, 'cannot remove or demote the last admin of an organization');
  }
}

export const handlers = [...memberHandlers, ...teamHandlers];
