import {
  deleteMember,
  getMember,
  linkMemberSso,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  updateMember,
} from '../../api/resources/members.js';
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
      aliases: ['ls'],
      operation: listMembers,
      why: 'Includes guests, who have no role; --role guest lists only them.',
      columns,
      examples: [
        { run: 'members list --role admin', does: 'list the admins of the organization' },
        { run: 'members list --search ada --json', does: 'find a member by name or email' },
      ],
    }),
    command({
      name: 'get',
      operation: getMember,
      why: 'Shows the role, teams and SSO state of a member, and when they joined and were last seen.',
      args: { userId: '<user>' },
      columns,
      examples: [{ run: 'members get u1', does: 'show a member' }],
    }),
    command({
      name: 'update',
      operation: updateMember,
      why: 'The platform refuses to demote the last admin of an organization.',
      args: { userId: '<user...>' },
      columns,
      examples: [
        { run: 'members update u1 --role read', does: 'change the role of a member' },
        { run: 'members update - --role none --yes', does: 'turn the members read from stdin into guests' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteMember,
      why: 'The platform refuses to remove the last admin of an organization.',
      args: { userId: '<user...>' },
      done: 'removed',
      examples: [{ run: 'members delete u1 u2 --yes', does: 'remove two members' }],
    }),
    command({
      name: 'link-sso',
      operation: linkMemberSso,
      why: 'Use it for a member who joined before SSO was set up. From then on they sign in through SSO.',
      args: { userId: '<user...>' },
      columns,
      examples: [{ run: 'members link-sso u1', does: 'mark a member as an SSO member' }],
    }),
    command({
      name: 'spaces',
      operation: listMemberSpaces,
      why: 'Shows every space that the member can access and their permission on it.',
      args: { userId: '<user>' },
      columns: ['space.title', 'permission', 'space.visibility', 'space.id'],
      id: 'space.id',
      examples: [{ run: 'members spaces u1', does: 'list the spaces a member can access, with permissions' }],
    }),
    command({
      name: 'teams',
      operation: listMemberTeams,
      why: 'Use it before a member changes role or leaves.',
      args: { userId: '<user>' },
      columns: ['team.title', 'member.role', 'team.members', 'team.id'],
      id: 'team.id',
      examples: [
        {
          run: 'members teams u1 --title docs',
          does: 'list the teams of a member whose title contains docs',
        },
      ],
    }),
    offboard,
    review,
  ],
};
