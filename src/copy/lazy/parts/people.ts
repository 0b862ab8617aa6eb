import { getInvite } from '../../../api/resources/invites.js';
import { getMember, listMemberSpaces, listMembers, listMemberTeams } from '../../../api/resources/members.js';
import { getOrg } from '../../../api/resources/orgs.js';
import { listTeamMembers } from '../../../api/resources/team-members.js';
import { getTeam } from '../../../api/resources/teams.js';
import { putOrganization } from '../../../sandbox/copy/organization.js';
import { putAccess, putMember, putTeam, putTeamMember } from '../../../sandbox/copy/people.js';
import { stranger, toldRole } from '../caller.js';
import { orHidden } from '../platform-refusal.js';
import type { Loaders, Loading } from './part.js';
import { keep } from './structure.js';

/** People and teams. */
export const people: Loaders = {
  async org(loading, organizationId) {
    const org = await loading.client.call(getOrg, { path: { organizationId } });
    loading.put((db) => putOrganization(db, org));
    const caller = { organizationId, userId: loading.callerId };
    const member = await orHidden(() => loading.client.call(getMember, { path: caller }));
    const known = member ?? stranger(loading.callerId, toldRole(org), org.createdAt);
    loading.put((db) => putMember(db, organizationId, known));
  },

  async member(loading, organizationId, userId) {
    await loading.need(['org', organizationId]);
    const member = await loading.client.call(getMember, { path: { organizationId, userId } });
    loading.put((db) => putMember(db, organizationId, member));
  },

  /** A member by their email, as the list of members finds them. */
  async 'member-by-email'(loading, organizationId, search) {
    await loading.need(['org', organizationId]);
    const input = { path: { organizationId }, query: { search } };
    for await (const member of loading.client.call(listMembers, input)) {
      if (member.user.email === search) loading.put((db) => putMember(db, organizationId, member));
    }
  },

  /** Two administrators: enough to know whether someone is the last one. */
  async admins(loading, organizationId) {
    await loading.need(['org', organizationId]);
    const input = { path: { organizationId }, query: { role: 'admin' as const } };
    for await (const member of loading.client.call(listMembers, input, { most: 2 }))
      loading.put((db) => putMember(db, organizationId, member));
  },

  /** The teams that a member is in. */
  async 'member-teams'(loading, organizationId, userId) {
    await loading.need(['member', organizationId, userId]);
    for await (const { team, member } of loading.client.call(listMemberTeams, {
      path: { organizationId, userId },
    }))
      loading.put((db) => {
        putTeam(db, organizationId, team);
        putTeamMember(db, organizationId, team.id, { user: { id: userId }, team: member });
        putTeam(db, organizationId, team);
      });
    const member = await loading.client.call(getMember, { path: { organizationId, userId } });
    loading.put((db) => putMember(db, organizationId, member));
  },

  /** What a member can do in which spaces. */
  async access(loading, organizationId, userId) {
    await loading.need(['member', organizationId, userId]);
    const input = { path: { organizationId, userId } };
    for await (const { permission, space } of loading.client.call(listMemberSpaces, input)) {
      const { permissions: _, ...shown } = space;
      if (loading.row('SELECT 1 FROM spaces WHERE id = ?', space.id) === undefined)
        await keep(loading, shown);
      loading.put((db) => putAccess(db, userId, space.id, permission));
    }
    const member = await loading.client.call(getMember, input);
    loading.put((db) => putMember(db, organizationId, member));
  },

  /** The teams that the token's owner is in: owners of a team may change it without being administrators. */
  async 'own-teams'(loading, organizationId) {
    const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
    const { role } = loading.row<{ role: string | null }>(sql, organizationId, loading.callerId) ?? {};
    if (role !== 'admin') await loading.need(['member-teams', organizationId, loading.callerId]);
  },

  /** The spaces that the token sees: an administrator sees all of them. */
  async seen(loading, organizationId) {
    await loading.need(['access', organizationId, loading.callerId]);
  },

  async team(loading, organizationId, teamId) {
    await loading.need(['org', organizationId]);
    const team = await loading.client.call(getTeam, { path: { organizationId, teamId } });
    loading.put((db) => putTeam(db, organizationId, team));
  },

  async 'team-members'(loading, organizationId, teamId) {
    await loading.need(['team', organizationId, teamId]);
    for await (const { organization: member, team } of loading.client.call(listTeamMembers, {
      path: { organizationId, teamId },
    }))
      loading.put((db) => {
        putMember(db, organizationId, member);
        putTeamMember(db, organizationId, teamId, { user: { id: member.id }, team });
        // Once more: its counts are those that were told, with what is held now.
        putMember(db, organizationId, member);
      });
    await again(loading, organizationId, teamId);
  },

  async invite(loading, organizationId, inviteId) {
    await loading.need(['org', organizationId]);
    const invite = await loading.client.call(getInvite, { path: { organizationId, inviteId } });
    loading.put((db) => {
      db.run(
        'INSERT OR REPLACE INTO invites (id, org_id, role, redundant) VALUES (?, ?, ?, ?)',
        ...[invite.id, organizationId, invite.role, invite.redundant ? 1 : 0],
      );
    });
  },
};

/** Puts a team once more, so that its counts are those that were told with what is held now. */
async function again({ client, put }: Loading, organizationId: string, teamId: string): Promise<void> {
  const team = await client.call(getTeam, { path: { organizationId, teamId } });
  put((db) => putTeam(db, organizationId, team));
}
