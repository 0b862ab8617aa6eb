import type { Team } from '../../api/resources/teams.js';
import { orgTable } from '../org-table.js';
import type { Caller } from '../scope.js';
import type { SqlValue } from '../store/database.js';
import { fields } from './fields.js';
import { withTold } from './told.js';

/** SQL for the columns of a team from `teams t` as the caller sees it, with its values. */
export function teamColumns({ userId, role }: Caller): [sql: string, ...values: SqlValue[]] {
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

export interface TeamRow {
  id: string;
  title: string;
  created_at: number;
  told: string | null;
  members: number;
  spaces: number;
  /** Whether the caller can manage it. */
  manages: number;
}

/** A team (spec A, "Team"). */
export function toTeam(row: TeamRow): Team {
  const own: Team = {
    object: 'team',
    ...fields(row, 'id', 'title', 'members', 'spaces', 'created_at'),
    permissions: { admin: row.manages === 1, view: true },
  };
  return withTold(own, row.told);
}

export const teams = orgTable({ table: 'teams', what: 'team', columns: teamColumns, item: toTeam });
