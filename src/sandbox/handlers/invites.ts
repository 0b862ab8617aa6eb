import { deleteInvite, getInvite, type Invite, updateInvite } from '../../api/resources/invites.js';
import type { Role } from '../../api/shapes.js';
import type { Database } from '../database.js';
import { handle } from '../handle.js';
import { found, notFound } from '../refusal.js';

export const handlers = [
  handle(getInvite, ({ db, org, path }) => inviteById(db, org.id, path.inviteId)),

  handle(updateInvite, ({ db, org, path, body }) => {
    db.run('UPDATE invites SET role = ? WHERE id = ? AND org_id = ?', body.role, path.inviteId, org.id);
    return inviteById(db, org.id, path.inviteId);
  }),

  handle(deleteInvite, ({ db, org, path }) => {
    const removed = db.run('DELETE FROM invites WHERE id = ? AND org_id = ?', path.inviteId, org.id);
    if (removed === 0) throw notFound('invite', path.inviteId);
  }),
];

function inviteById(db: Database, orgId: string, id: string): Invite {
  const sql = 'SELECT role, redundant FROM invites WHERE id = ? AND org_id = ?';
  const row = found(db.get<{ role: Role; redundant: number }>(sql, id, orgId), 'invite', id);
  return { object: 'invite', id, role: row.role, redundant: row.redundant === 1 };
}
