import { linkMemberSso, listMembers, type Member, updateMember } from '../../api/resources/members.js';
import { listSamlProviders, updateSamlProvider } from '../../api/resources/saml.js';
import { listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import { listTeams, updateTeam } from '../../api/resources/teams.js';
import { Type } from '../../api/type.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, listed, liveItem, readFor, referenceTo, registered } from './declare.js';
import { unlessRefused } from './refused.js';

/** Who is in the organization, in which teams, and how they sign in. */

const member = {
  ...registered('member'),
  fields: [
    ...fieldsFrom(updateMember, { role: { nullAs: 'guest' } }),
    {
      key: 'sso',
      name: 'sso',
      schema: Type.Boolean({ description: linkMemberSso.summary }),
      setBy: { op: linkMemberSso, body: () => undefined },
      oneWay: { to: true, message: 'No operation removes a member from SSO.' },
    },
  ],
};

export const people: Kind = {
  ...member,
  spot: { file: 'people.yaml', list: 'people' },
  parents: ['root'],
  key: { field: 'email' },
  reads: [listMembers],
  list: (reading) => listed(reading, listMembers, personOf),
  cannot: {
    create: {
      message: 'No operation creates a member.',
      hint: ({ key }) => `Invite ${key}, who then joins.`,
    },
  },
};

/** Organizations have many members, so each is kept as small as undo allows. */
function personOf({ id, role, sso, disabled, user: { id: userId, email, displayName } }: Member): LiveItem {
  const user = { id: userId, ...(email !== undefined && { email }) };
  // A disabled admin counts for no guard.
  const resource = { id, role, sso, ...(disabled && { disabled }), user };
  const title = email ?? displayName;
  return liveItem(member, resource, { title, ...(email !== undefined && { natural: email }) });
}

const team = { ...registered('team'), fields: fieldsFrom(updateTeam, { title: { required: true } }) };

export const teams: Kind = {
  ...team,
  spot: { file: 'teams.yaml', list: 'teams' },
  parents: ['root'],
  key: 'own',
  leftOut: { members: 'people.yaml lists the teams of each person' },
  reads: [listTeams],
  list: (reading) => listed(reading, listTeams, (one) => liveItem(team, one)),
};

const membership = {
  ...registered('team-member'),
  fields: fieldsFrom(setTeamMember, {
    role: { show: ({ team: own }) => (own as { role?: string } | undefined)?.role },
  }),
};

/** Memberships of teams, which files write down with the person: `teams: {writers: owner}`. */
export const memberships: Kind = {
  ...membership,
  spot: { file: 'people.yaml', list: 'people', children: 'teams' },
  parents: ['teams'],
  key: 'own',
  scope: 'teams',
  names: 'people',
  reads: [listTeamMembers],
  async *list(reading) {
    yield* readFor(await reading.all('teams'), (parent) => membersOf(reading, parent));
  },
};

async function membersOf(reading: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const missed = { kind: membership.name, within: parent, what: `the members of the team ${parent.title}` };
  return (await unlessRefused(reading, missed, () => listMembersOf(reading, parent))) ?? [];
}

async function listMembersOf({ client, organizationId }: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  const path = { organizationId, teamId: parent.id };
  for await (const { organization, team: own } of client.call(listTeamMembers, { path })) {
    const { id, role, sso, user } = organization;
    const { email, displayName } = user;
    const shown = { id: user.id, ...(email !== undefined && { email }) };
    const resource = { organization: { id, role, sso, user: shown }, team: { role: own.role } };
    items.push(liveItem(membership, resource, { id, parent, natural: id, title: email ?? displayName }));
  }
  return items;
}

const provider = {
  ...registered('saml-provider'),
  fields: fieldsFrom(updateSamlProvider, {
    label: { required: true },
    entityID: {},
    certificate: { file: ({ key }) => `certificates/${key}.pem` },
    ssoURL: {},
    defaultTeam: {
      refers: 'teams',
      show: ({ defaultTeam }) => referenceTo('teams', (defaultTeam as { id?: string } | undefined)?.id),
    },
    defaultRole: { nullAs: 'guest' },
  }),
};

export const saml: Kind = {
  ...provider,
  spot: { file: 'saml.yaml', list: 'providers' },
  parents: ['root'],
  key: 'own',
  reads: [listSamlProviders],
  list: (reading) =>
    listed(reading, listSamlProviders, (one) => {
      const resource = { ...one, defaultTeam: one.defaultTeam && { id: one.defaultTeam.id } };
      return liveItem(provider, resource, { title: one.label });
    }),
};
