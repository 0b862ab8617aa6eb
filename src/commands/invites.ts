import { deleteInvite, getInvite, updateInvite } from '../api/resources/invites.js';
import type { Group } from './command.js';
import { command } from './define.js';

const columns = ['id', 'role', 'redundant'] as const;

export const invites: Group = {
  name: 'invites',
  noun: 'invite',
  summary: 'Link invites of an organization',
  why: 'Whoever opens a link invite joins the organization with its role.',
  commands: [
    command({
      name: 'get',
      operation: getInvite,
      args: { inviteId: '<invite>' },
      columns,
      examples: [{ run: 'invites get i1', does: 'what a link invite gives' }],
    }),
    command({
      name: 'update',
      operation: updateInvite,
      args: { inviteId: '<invite>' },
      columns,
      examples: [{ run: 'invites update i1 --role read', does: 'let it give less' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteInvite,
      args: { inviteId: '<invite...>' },
      examples: [{ run: 'invites delete i1 --yes', does: 'make the link useless' }],
    }),
  ],
};
