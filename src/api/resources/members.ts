import { gives, promotes, raises } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import {
  choice,
  id,
  known,
  nullable,
  order,
  permissions,
  Role,
  reference,
  roles,
  shape,
  timestamp,
  User,
} from '../shapes.js';
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
  exposes: { role: promotes },
});

export const deleteMember = operation('members.delete', 'DELETE', member, {
  summary: 'Remove a member from the organization',
  returns: nothing,
});

export const linkMemberSso = operation('members.link-sso', 'POST', `${member}/sso`, {
  summary: 'Mark a member as an SSO member',
  returns: one(Member),
});

const MemberSpace = shape({ permission: Role, space: Space });

export const listMemberSpaces = operation('members.spaces', 'GET', `${member}/spaces`, {
  summary: 'List the spaces a member can access',
  query: { order },
  returns: page(MemberSpace),
});

const MemberTeam = shape({ team: Team, member: shape({ role: TeamRole }) });

export const listMemberTeams = operation('members.teams', 'GET', `${member}/teams`, {
  summary: 'List the teams of a member',
  query: { title: Type.Optional(Type.String({ description: 'Only teams with this text in the title' })) },
  returns: page(MemberTeam),
});

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
  exposes: { role: raises((name) => `Whoever joins by the invite ${name}`) },
});

export const deleteInvite = operation('invites.delete', 'DELETE', invite, {
  summary: 'Delete a link invite',
  success: 205,
  returns: nothing,
});

/** Team members (spec A, "Team membership listing item" and "States and transitions"). */

export const TeamMembership = shape({
  organization: Member,
  team: shape({ role: TeamRole }),
  permissions: permissions(['view']),
});
export type TeamMembership = Static<typeof TeamMembership>;

const ofTeam = '/v1/orgs/{organizationId}/teams/{teamId}/members';
const inTeam = `${ofTeam}/{userId}` as const;

export const listTeamMembers = operation('team-members.list', 'GET', ofTeam, {
  summary: 'List the members of a team',
  returns: page(TeamMembership),
});

const users = (description: string) => Type.Optional(Type.Array(reference(), { description }));

export const updateTeamMembers = operation('team-members.update', 'PUT', ofTeam, {
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
  exposes: { add: gives('role'), memberships: gives('role') },
});

export const setTeamMember = operation('team-members.set', 'PUT', inTeam, {
  summary: 'Add a user to a team or change their role in it',
  body: body({ role: Type.Optional(TeamRole) }),
  returns: nothing,
  // Who is in a team has its access, whatever the role in it.
  exposes: ['role'],
});

export const deleteTeamMember = operation('team-members.delete', 'DELETE', inTeam, {
  summary: 'Remove a user from a team',
  returns: nothing,
});
