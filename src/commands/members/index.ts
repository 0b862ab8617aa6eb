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
  summary: 'Members of an organization',
  why: 'A member is a user with a role in the organization; members without one are guests.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listMembers,
      why: '--role guest lists the members without a role.',
      columns,
      examples: [
        { run: 'members list --role admin', does: 'list the admins' },
        { run: 'members list --search ada --json', does: 'find a person by name or email' },
      ],
    }),
    command({
      name: 'get',
      operation: getMember,
      why: 'Shows role, teams, SSO, and when the member joined and was last seen.',
      args: { userId: '<user>' },
      columns,
      examples: [{ run: 'members get u1', does: 'show a member' }],
    }),
    command({
      name: 'update',
      operation: updateMember,
      why: 'The last admin of an organization cannot be demoted.',
      args: { userId: '<user...>' },
      columns,
      examples: [
        { run: 'members update u1 --role read', does: 'give one member another role' },
        { run: 'members update - --role none --yes', does: 'turn the members read from stdin into guests' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteMember,
      why: 'The last admin of an organization cannot be removed.',
      args: { userId: '<user...>' },
      done: 'removed',
      examples: [{ run: 'members delete u1 u2 --yes', does: 'remove two members' }],
    }),
    command({
      name: 'link-sso',
      operation: linkMemberSso,
      why: 'For members who joined before SSO was set up: from then on they sign in with SSO.',
      args: { userId: '<user...>' },
      columns,
      examples: [{ run: 'members link-sso u1', does: 'link a member to SSO' }],
    }),
    command({
      name: 'spaces',
      operation: listMemberSpaces,
      why: 'Lists every space that a member can access, with the permission.',
      args: { userId: '<user>' },
      columns: ['space.title', 'permission', 'space.visibility', 'space.id'],
      id: 'space.id',
      examples: [{ run: 'members spaces u1', does: 'list the spaces of a member' }],
    }),
    command({
      name: 'teams',
      operation: listMemberTeams,
      why: 'Lists the teams that a member belongs to, with the role in each.',
      args: { userId: '<user>' },
      columns: ['team.title', 'member.role', 'team.members', 'team.id'],
      id: 'team.id',
      examples: [
        { run: 'members teams u1 --title docs', does: 'list the teams of a member with docs in the title' },
      ],
    }),
    offboard,
    review,
  ],
};
