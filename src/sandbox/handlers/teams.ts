import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import { handle } from '../handle.js';
import { requireMember } from '../records/member.js';
import { teams } from '../records/team.js';
import { fold } from '../text/fold.js';

/** The teams that a member owns, and so may manage. */
const ownedBy = `EXISTS (SELECT 1 FROM team_members o
  WHERE o.team_id = t.id AND o.user_id = ? AND o.role = 'owner')`;

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
];

function titled(title: string) {
  return { title, folded: fold(title) };
}
