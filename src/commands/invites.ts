import { deleteInvite, getInvite, updateInvite } from '../api/resources/invites.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

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
      why: 'To see what somebody gets who opens the link, before it is passed on.',
      args: { inviteId: '<invite>' },
      columns,
      examples: [{ run: 'invites get i1', does: 'what a link invite gives' }],
    }),
    command({
      name: 'update',
      operation: updateInvite,
      why: 'For a link that is out already: what it gives from now on, without a new one.',
      args: { inviteId: '<invite>' },
      columns,
      examples: [{ run: 'invites update i1 --role read', does: 'let it give less' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteInvite,
      why: 'The link then opens nothing. The platform lists no invites, so keep the ids of those you use.',
      args: { inviteId: '<invite...>' },
      examples: [{ run: 'invites delete i1 --yes', does: 'make the link useless' }],
    }),
  ],
};
