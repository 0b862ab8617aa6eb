import {
  deleteTeamMember,
  listTeamMembers,
  setTeamMember,
  updateTeamMembers,
} from '../api/resources/team-members.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../api/resources/teams.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = ['title', 'members', 'spaces', 'createdAt', 'id'] as const;

/** `user=role`, repeated → `{ user: { role } }`. A user may be an email, so the last `=` counts. */
function memberships(typed: string | string[]): Record<string, { role: string }> {
  const pairs = [typed].flat().map((pair) => {
    const at = pair.lastIndexOf('=');
    if (at < 1 || at === pair.length - 1) throw new Error(`must be user=role, not "${pair}"`);
    return [pair.slice(0, at), { role: pair.slice(at + 1) }] as const;
  });
  return Object.fromEntries(pairs);
}

const teamMembers: Group = {
  name: 'members',
  noun: 'team member',
  summary: 'Members of a team',
  why: 'A team member is an owner, who can manage the team, or a member.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listTeamMembers,
      why: 'Who belongs to a team, and who owns it.',
      args: { teamId: '<team>' },
      columns: [
        'organization.user.displayName',
        'organization.user.email',
        { path: 'team.role', as: 'role', label: 'TEAM ROLE' },
        'organization.role',
        'organization.id',
      ],
      id: 'organization.id',
      examples: [{ run: 'teams members list t1', does: 'who is in a team' }],
    }),
    command({
      name: 'update',
      operation: updateTeamMembers,
      why: 'One request for many people, by id or email; set and delete work on one at a time.',
      args: { teamId: '<team>' },
      flags: {
        memberships: { name: 'membership', value: '<user=role>', variadic: true, parse: memberships },
        add: { value: '<user>', emails: true },
        remove: { value: '<user>', emails: true },
      },
      examples: [
        { run: 'teams members update t1 --add ada@acme.com --remove u2', does: 'add one, remove another' },
        { run: 'teams members update t1 --membership u1=owner', does: 'make a member an owner' },
      ],
    }),
    command({
      name: 'set',
      operation: setTeamMember,
      why: 'The same command adds and changes, so it can be run again. For a whole list: docs bulk teams members set.',
      args: { teamId: '<team>', userId: '<user>' },
      done: 'set',
      examples: [{ run: 'teams members set t1 u1 --role owner', does: 'add an owner, or make a member one' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteTeamMember,
      why: 'They stay members of the organization. A team should keep an owner: docs members offboard sees to that.',
      args: { teamId: '<team>', userId: '<user...>' },
      flags: { userId: { kind: 'team-member' } },
      done: 'removed',
      examples: [{ run: 'teams members delete t1 u1 u2 --yes', does: 'remove two people from a team' }],
    }),
  ],
};

export const teams: Group = {
  name: 'teams',
  noun: 'team',
  summary: 'Teams and their members',
  why: 'A team bundles members; its owners manage who is in it.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listTeams,
      why: 'Teams give their members access to spaces and collections together; --owner finds those of one person.',
      flags: { owner: { kind: 'user' } },
      columns,
      examples: [{ run: 'teams list --owner u1', does: 'the teams a member can manage' }],
    }),
    command({
      name: 'create',
      operation: createTeam,
      why: 'People can be put into it at once with --member user=role, which may be repeated.',
      flags: { members: { name: 'member', value: '<user>', emails: true } },
      columns,
      examples: [{ run: 'teams create --title Writers --member u1 --member u2', does: 'a team of two' }],
    }),
    command({
      name: 'get',
      operation: getTeam,
      why: 'How many members and owners a team has.',
      args: { teamId: '<team>' },
      columns,
      examples: [{ run: 'teams get t1', does: 'one team' }],
    }),
    command({
      name: 'update',
      operation: updateTeam,
      why: 'The title alone changes; its members and its access stay.',
      args: { teamId: '<team>' },
      columns,
      examples: [{ run: 'teams update t1 --title "Technical writers"', does: 'rename a team' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteTeam,
      why: 'Its members stay in the organization.',
      args: { teamId: '<team...>' },
      examples: [{ run: 'teams delete t1 --yes', does: 'delete a team; its members stay' }],
    }),
    teamMembers,
  ],
};
