import { deleteInvite, getInvite, type Invite, updateInvite } from '../../api/resources/members.js';
import type { Role } from '../../api/shapes.js';
import { handle } from '../handle.js';
import { orgTable } from '../org-table.js';

const invites = orgTable({
  table: 'invites',
  what: 'invite',
  item: ({ id, role, redundant }: { id: string; role: Role; redundant: number }): Invite => ({
    object: 'invite',
    id,
    role,
    redundant: redundant === 1,
  }),
});

export const handlers = [
  handle(getInvite, (call) => invites.get(call, call.path.inviteId)),
  handle(updateInvite, (call) => invites.update(call, call.path.inviteId, { role: call.body.role })),
  handle(deleteInvite, (call) => invites.remove(call, call.path.inviteId)),
];
