import { deleteInvite, getInvite, updateInvite } from '../api/resources/members.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = ['id', 'role', 'redundant'] as const;

export const invites: Group = {
  name: 'invites',
  noun: 'invite',
  summary: 'Manage the link invites of an organization',
  why: 'Anyone who opens a link invite joins the organization with the role of the invite.',
  commands: [
    command({
      name: 'get',
      operation: getInvite,
      why: 'Use it to check the role of an invite before you share the link.',
      args: { inviteId: '<invite>' },
      columns,
      examples: { 'invites get i1': 'show the role that an invite grants' },
    }),
    command({
      name: 'update',
      operation: updateInvite,
      why: 'Changes the access that a shared link grants from now on.',
      args: { inviteId: '<invite>' },
      columns,
      examples: { 'invites update i1 --role read': 'lower the role of an invite' },
    }),
    command({
      name: 'delete',
      operation: deleteInvite,
      why: 'The link stops working. The API cannot list invites, so keep the ids of those in use.',
      args: { inviteId: '<invite...>' },
      examples: { 'invites delete i1 --yes': 'revoke the link' },
    }),
  ],
};
