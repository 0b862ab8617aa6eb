import { body, nothing, operation, page } from '../operation.js';
import { permissions, reference, shape } from '../shapes.js';
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

export const listTeamMembers = operation('team-members.list', 'GET', members, {
  summary: 'List the members of a team',
  returns: page(TeamMembership),
});

const users = (description: string) => Type.Optional(Type.Array(reference(), { description }));

export const updateTeamMembers = operation('team-members.update', 'PUT', members, {
  summary: 'Add, remove or change several team members at once',
  body: body({
    add: users('User to add, by id or email'),
    remove: users('User to remove, by id or email; removal wins over --add'),
    memberships: Type.Optional(
      Type.Record(reference(), body({ role: TeamRole }), {
        description: 'Role of a user in the team',
      }),
    ),
  }),
  returns: nothing,
});

export const setTeamMember = operation('team-members.set', 'PUT', member, {
  summary: 'Add a user to a team or change their role in it',
  body: body({ role: Type.Optional(TeamRole) }),
  returns: nothing,
});

export const deleteTeamMember = operation('team-members.delete', 'DELETE', member, {
  summary: 'Remove a user from a team',
  returns: nothing,
});
