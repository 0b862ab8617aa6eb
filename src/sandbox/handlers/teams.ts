import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import { fold } from '../fold.js';
import { handle } from '../handle.js';
import { requireMember } from '../records/member.js';
import { type TeamRow, teamById, teamColumns, toTeam } from '../records/team.js';
import { found, notFound } from '../refusal.js';

/** The teams in which a member is an owner: those it can manage. */
const managedBy = `EXISTS (SELECT 1 FROM team_members o
  WHERE o.team_id = t.id AND o.user_id = ? AND o.role = 'owner')`;

export const handlers = [
  handle(listTeams, ({ db, org, query, caller, page }) => {
    if (query.owner !== undefined) requireMember(db, org.id, query.owner);
    return page({
      select: teamColumns(caller),
      from: 'teams t',
      where: [
        ['t.org_id = ?', org.id],
        query.title === undefined ? undefined : ['instr(t.folded, ?) > 0', fold(query.title)],
        query.owner === undefined ? undefined : [managedBy, query.owner],
      ],
      by: ['t.created_at', 't.id'],
      item: (row: TeamRow) => toTeam(row),
    });
  }),

  handle(createTeam, ({ db, org, body, caller, clock, newId }) => {
    const id = newId();
    db.run(
      'INSERT INTO teams (id, org_id, title, folded, created_at) VALUES (?, ?, ?, ?, ?)',
      ...[id, org.id, body.title, fold(body.title), clock.now()],
    );
    for (const userId of new Set(body.members)) {
      requireMember(db, org.id, userId);
      const sql = "INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?, ?, ?, 'member')";
      db.run(sql, id, org.id, userId);
    }
    return found(teamById(db, org.id, id, caller), 'team', id);
  }),

  handle(getTeam, ({ db, org, path, caller }) =>
    found(teamById(db, org.id, path.teamId, caller), 'team', path.teamId),
  ),

  handle(updateTeam, ({ db, org, path, body, caller }) => {
    const sql = 'UPDATE teams SET title = ?, folded = ? WHERE id = ? AND org_id = ?';
    db.run(sql, body.title, fold(body.title), path.teamId, org.id);
    return found(teamById(db, org.id, path.teamId, caller), 'team', path.teamId);
  }),

  handle(deleteTeam, ({ db, org, path }) => {
    const removed = db.run('DELETE FROM teams WHERE id = ? AND org_id = ?', path.teamId, org.id);
    if (removed === 0) throw notFound('team', path.teamId);
  }),
];
