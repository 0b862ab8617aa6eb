import { body, nothing, operation, page } from '../operation.js';
import { permissions, shape } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { Member } from './members.js';
import { TeamRole } from './teams.js';

/** Team members (spec A, "Team membership listing item" and "States and transitions"). */

export const TeamMembership = shape({
  organization: Member,
  team: shape({ role: TeamRole }),
  permissions: permissions(['view']),
});
export type TeamMembership = Static<typeof TeamMembership>;

const members = '/v1/orgs/{organizationId}/teams/{teamId}/members';
const member = `${members}/{userId}` as const;

export const listTeamMembers = operation({
  id: 'team-members.list',
  method: 'GET',
  path: members,
  summary: 'List the members of a team',
  success: 200,
  returns: page(TeamMembership),
});

const users = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

export const updateTeamMembers = operation({
  id: 'team-members.update',
  method: 'PUT',
  path: members,
  summary: 'Add, remove or change several team members at once',
  body: body({
    add: users('User to add, by id or email'),
    remove: users('User to remove, by id or email; removal wins over --add'),
    memberships: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), body({ role: TeamRole }), {
        description: 'Role of a user in the team',
      }),
    ),
  }),
  success: 204,
  returns: nothing,
});

export const setTeamMember = operation({
  id: 'team-members.set',
  method: 'PUT',
  path: member,
  summary: 'Add a user to a team or change their role in it',
  body: body({ role: Type.Optional(TeamRole) }),
  success: 204,
  returns: nothing,
});

export const deleteTeamMember = operation({
  id: 'team-members.delete',
  method: 'DELETE',
  path: member,
  summary: 'Remove a user from a team',
  success: 204,
  returns: nothing,
});
