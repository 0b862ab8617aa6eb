import { body, nothing, one, operation } from '../operation.js';
import { choice, id, Role, roles, shape } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Link invites of an organization (spec A, "Invite link"). */

export const Invite = shape({
  object: Type.Literal('invite'),
  id,
  role: Role,
  redundant: Type.Boolean(),
});
export type Invite = Static<typeof Invite>;

const invite = '/v1/orgs/{organizationId}/link-invites/{inviteId}';

export const getInvite = operation('invites.get', 'GET', invite, {
  summary: 'Get a link invite',
  returns: one(Invite),
  needs: 'admin',
});

export const updateInvite = operation('invites.update', 'PATCH', invite, {
  summary: 'Change the role of a link invite',
  body: body({ role: choice(roles, 'Role of people who join through the invite') }),
  returns: one(Invite),
});

export const deleteInvite = operation('invites.delete', 'DELETE', invite, {
  summary: 'Delete a link invite',
  success: 205,
  returns: nothing,
});
