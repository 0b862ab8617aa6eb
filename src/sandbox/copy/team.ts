import type { TeamMembership } from '../../api/resources/team-members.js';
import type { Team } from '../../api/resources/teams.js';
import type { User } from '../../api/shapes.js';
import { type TeamRow, teamColumns, toTeam } from '../records/team.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { fold } from '../text/fold.js';
import { msOf, tell, upsert } from './rows.js';

/** A membership as backups hold it: who, and with which role. */
export type TeamMemberItem = Pick<TeamMembership, 'team'> & { user: Pick<User, 'id'> };

/**
 * Puts a team. Its counts of members and spaces are right once its members are there and it is put again; the
 * platform does not tell which spaces it has access to (access.ts). Call within a write.
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
