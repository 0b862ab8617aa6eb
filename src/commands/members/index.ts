import * as api from '../../api/resources/members.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { offboard } from './offboard.js';
import { review } from './review.js';

const columns = [
  'user.displayName',
  'user.email',
  'role',
  'lastSeenAt',
  'joinedAt',
  'teams',
  'spaces',
  'sso',
  'id',
] as const;

export const members: Group = {
  name: 'members',
  noun: 'member',
  summary: 'Manage members of an organization',
  why: 'A member is a user with a role in the organization; a member without a role is a guest.',
  commands: [
    command({
      name: 'list',
      operation: api.listMembers,
      why: 'Includes guests, who have no role; --role guest lists only them.',
      flags: { sort: { description: 'Sort key; by lastSeenAt, members who were never seen come last' } },
      pages: async () => (await import('../../api/members-by-last-seen.js')).memberPages,
      columns,
      examples: {
        'members list --role admin': 'list the admins of the organization',
        'members list --sort lastSeenAt --order asc': 'list those who were away longest, and who never came',
        'members list --search ada --json': 'find a member by name or email',
      },
    }),
    command({
      name: 'get',
      operation: api.getMember,
      why: 'Shows the role, teams and SSO state of a member, and when they joined and were last seen.',
      args: { userId: '<user>' },
      columns,
      examples: { 'members get u1': 'show a member' },
    }),
    command({
      name: 'update',
      operation: api.updateMember,
      why:
        'Refuses to demote the last admin, and the member who owns the token in use, whatever --yes says: another ' +
        'admin has to do that.',
      args: { userId: '<user...>' },
      flags: { role: { nullName: 'guest (no role)' } },
      columns,
      examples: {
        'members update u1 --role read': 'change the role of a member',
        'members update - --role none --yes': 'turn the members read from stdin into guests',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteMember,
      why:
        'Refuses to remove the last admin, and the member who owns the token in use, whatever --yes says: another ' +
        'admin has to do that.',
      args: { userId: '<user...>' },
      done: 'removed',
      examples: { 'members delete u1 u2 --yes': 'remove two members' },
    }),
    command({
      name: 'link-sso',
      operation: api.linkMemberSso,
      done: 'linked',
      says: ({ sentence }) => `${sentence} to SSO`,
      why: 'Use it for a member who joined before SSO was set up. From then on they sign in through SSO.',
      args: { userId: '<user...>' },
      columns,
      examples: { 'members link-sso u1': 'mark a member as an SSO member' },
    }),
    command({
      name: 'spaces',
      operation: api.listMemberSpaces,
      why: 'Shows every space that the member can access and their permission on it.',
      args: { userId: '<user>' },
      columns: ['space.title', 'permission', 'space.visibility', 'space.id'],
      id: 'space.id',
      examples: { 'members spaces u1': 'list the spaces a member can access, with permissions' },
    }),
    command({
      name: 'teams',
      operation: api.listMemberTeams,
      why: 'Use it before a member changes role or leaves.',
      args: { userId: '<user>' },
      columns: ['team.title', 'member.role', 'team.members', 'team.id'],
      id: 'team.id',
      examples: {
        'members teams u1 --title docs': 'list the teams of a member that have docs in their title',
      },
    }),
    offboard,
    review,
  ],
};
