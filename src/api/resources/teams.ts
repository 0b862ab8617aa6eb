import { gives } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { choice, id, meant, permissions, references, shape, timestamp } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Teams and team members (spec A, "Team", "Team member role", "Team membership listing item"). */

export const TeamRole = meant(
  'role',
  choice(['owner', 'member'], 'owner: manages the members of the team; member: belongs to the team'),
);

export const Team = shape({
  object: Type.Literal('team'),
  id,
  title: Type.String(),
  members: Type.Number(),
  spaces: Type.Number(),
  createdAt: timestamp,
  permissions: permissions(['admin', 'view']),
});
export type Team = Static<typeof Team>;

const teams = '/v1/orgs/{organizationId}/teams';
const team = `${teams}/{teamId}` as const;
const title = Type.String({ minLength: 1, maxLength: 64, description: 'Title' });

export const listTeams = operation('teams.list', 'GET', teams, {
  summary: 'List the teams of an organization',
  query: {
    owner: Type.Optional(Type.String({ description: 'Only teams that this member can manage' })),
    title: Type.Optional(Type.String({ description: 'Only teams with this text in the title' })),
  },
  returns: page(Team),
});

export const createTeam = operation('teams.create', 'PUT', teams, {
  summary: 'Create a team',
  body: body({
    title,
    members: Type.Optional(references('Members of the new team, by id')),
  }),
  success: 201,
  returns: one(Team),
  // Who is in a team has its access.
  exposes: { members: gives('role') },
});

export const getTeam = operation('teams.get', 'GET', team, { summary: 'Get a team', returns: one(Team) });

export const updateTeam = operation('teams.update', 'PATCH', team, {
  summary: 'Rename a team',
  body: body({ title }),
  returns: one(Team),
});

export const deleteTeam = operation('teams.delete', 'DELETE', team, {
  summary: 'Delete a team',
  returns: nothing,
});
