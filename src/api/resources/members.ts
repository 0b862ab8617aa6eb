import { body, nothing, one, operation, page } from '../operation.js';
import { choice, id, known, nullable, order, Role, roles, shape, timestamp, User } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { Space } from './spaces.js';
import { Team, TeamRole } from './teams.js';

/** Organization members (spec A, "Organization member"). */

export const Member = shape({
  object: Type.Literal('member'),
  id,
  role: nullable(Role),
  user: User,
  disabled: Type.Boolean(),
  joinedAt: timestamp,
  lastSeenAt: Type.Optional(timestamp),
  sso: Type.Boolean(),
  spaces: Type.Number(),
  teams: Type.Number(),
});
export type Member = Static<typeof Member>;

/** What the list of members can be filtered by; guests have no role. */
const roleFilter = choice([...roles, 'guest'], 'Only members with this role');
export type RoleFilter = Static<typeof roleFilter>;

const members = '/v1/orgs/{organizationId}/members';
const member = `${members}/{userId}` as const;

export const listMembers = operation('members.list', 'GET', members, {
  summary: 'List the members of an organization',
  query: {
    order,
    role: Type.Optional(roleFilter),
    search: Type.Optional(Type.String({ description: 'Only members with this text in their name or email' })),
    sort: Type.Optional(
      known(['joinedAt', 'lastSeenAt'], 'Sort key; lastSeenAt lists only active members', {
        default: 'joinedAt',
      }),
    ),
  },
  returns: page(Member),
});

export const getMember = operation('members.get', 'GET', member, {
  summary: 'Get a member',
  returns: one(Member),
});

export const updateMember = operation('members.update', 'PATCH', member, {
  summary: 'Change the role of a member',
  body: body({ role: nullable(Role, 'Role in the organization; null makes the member a guest') }),
  returns: one(Member),
});

export const deleteMember = operation('members.delete', 'DELETE', member, {
  summary: 'Remove a member from the organization',
  returns: nothing,
});

export const linkMemberSso = operation('members.link-sso', 'POST', `${member}/sso`, {
  summary: 'Mark a member as an SSO member',
  returns: one(Member),
});

export const MemberSpace = shape({ permission: Role, space: Space });

export const listMemberSpaces = operation('members.spaces', 'GET', `${member}/spaces`, {
  summary: 'List the spaces a member can access',
  query: { order },
  returns: page(MemberSpace),
});

export const MemberTeam = shape({ team: Team, member: shape({ role: TeamRole }) });

export const listMemberTeams = operation('members.teams', 'GET', `${member}/teams`, {
  summary: 'List the teams of a member',
  query: { title: Type.Optional(Type.String({ description: 'Only teams with this text in the title' })) },
  returns: page(MemberTeam),
});
