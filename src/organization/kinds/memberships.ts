import { deleteTeamMember, listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, liveItem, readFor } from './declare.js';
import { unlessRefused } from './refused.js';

const fields = fieldsFrom(setTeamMember, {
  role: { show: ({ team }) => (team as { role?: string } | undefined)?.role },
});
const name = 'memberships';

/** Memberships of teams, which files write down with the person: `teams: {writers: owner}`. */
export const memberships: Kind = {
  name,
  one: 'team member',
  spot: { file: 'people.yaml', list: 'people', children: 'teams' },
  parents: ['teams'],
  key: 'own',
  parameter: 'userId',
  scope: 'teams',
  names: 'people',
  fields,
  reads: [listTeamMembers],
  async *list(reading) {
    yield* readFor(await reading.all('teams'), (team) => membersOf(reading, team));
  },
  create: { op: setTeamMember },
  update: setTeamMember,
  remove: deleteTeamMember,
};

async function membersOf(reading: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const missed = { kind: name, within: parent, what: `the members of the team ${parent.title}` } as const;
  return (await unlessRefused(reading, missed, () => listMembersOf(reading, parent))) ?? [];
}

async function listMembersOf({ client, organizationId }: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  const path = { organizationId, teamId: parent.id };
  for await (const { organization, team } of client.call(listTeamMembers, { path })) {
    const { id, role, sso, user } = organization;
    const { email, displayName } = user;
    const own = { id: user.id, ...(email !== undefined && { email }) };
    const resource = { organization: { id, role, sso, user: own }, team: { role: team.role } };
    items.push(
      liveItem({ name, fields }, resource, { id, parent, natural: id, title: email ?? displayName }),
    );
  }
  return items;
}
