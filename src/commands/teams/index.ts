import * as members from '../../api/resources/members.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import { capital, type Group, type Says } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { counted } from '../../output/text.js';

const columns = ['title', { path: 'members', lead: true }, 'spaces', 'createdAt', 'id'] as const;

/** `user=role`, repeated → `{ user: { role } }`. A user may be an email, so the last `=` counts. */
function memberships(typed: string | string[]): Record<string, { role: string }> {
  const pairs = [typed].flat().map((pair) => {
    const at = pair.lastIndexOf('=');
    if (at < 1 || at === pair.length - 1) throw new Error(`must be user=role, not "${pair}"`);
    return [pair.slice(0, at), { role: pair.slice(at + 1) }] as const;
  });
  return Object.fromEntries(pairs);
}

/** `Added 2 members to team Writers (t1) and removed member Ada (u1)`. One who is in both is removed. */
const saysMembers: Says = ({ sent, named, path }) => {
  const removed = textsIn(sent('remove'));
  const added = textsIn(sent('add')).filter((user) => !removed.includes(user));
  const roles = Object.keys(sent('memberships') ?? {}).filter((user) => !removed.includes(user));
  const team = named('team', path('teamId'));
  const who = (users: readonly string[]) =>
    users.length === 1 ? named('member', users[0]) : counted(users.length, 'member');
  const parts = [
    [added, `added ${who(added)}`, 'to'],
    [removed, `removed ${who(removed)}`, 'from'],
    [roles, `set the role of ${who(roles)}`, 'in'],
  ] as const;
  const [first, ...others] = parts.filter(([users]) => users.length > 0);
  if (first === undefined) return `Updated the members of ${team}`;
  const [, did, to] = first;
  const text = [`${did} ${to} ${team}`, ...others.map(([, words]) => words)].join(' and ');
  return capital(text);
};

function textsIn(list: unknown): string[] {
  return [...new Set(Array.isArray(list) ? list.map(String) : [])];
}

const teamMembers: Group = {
  name: 'members',
  noun: 'team member',
  summary: 'Manage the members of a team',
  why: 'A member of a team has the role owner, who can manage the team, or member.',
  commands: [
    command({
      name: 'list',
      operation: members.listTeamMembers,
      why: 'Shows who belongs to the team and who owns it.',
      args: { teamId: '<team>' },
      columns: [
        'organization.user.displayName',
        { path: 'organization.user.email', lead: true },
        { path: 'team.role', as: 'role', label: 'TEAM ROLE', lead: true },
        { path: 'organization.role', lead: true },
        'organization.id',
      ],
      id: 'organization.id',
      examples: { 'teams members list t1': 'list the members of a team' },
    }),
    command({
      name: 'update',
      operation: members.updateTeamMembers,
      why:
        'Sends one request for many people, named by id or email. To change one person at a time, use set ' +
        'and delete.',
      args: { teamId: '<team>' },
      flags: {
        memberships: { name: 'membership', value: '<user=role>', variadic: true, parse: memberships },
        add: { value: '<user>', emails: true },
        remove: { value: '<user>', emails: true },
      },
      says: saysMembers,
      examples: {
        'teams members update t1 --add farah@acme.example --remove u2': 'add one member and remove another',
        'teams members update t1 --membership u1=owner': 'make a member an owner',
      },
    }),
    command({
      name: 'set',
      operation: members.setTeamMember,
      why:
        'Safe to run again: it adds the user or updates their role. For a whole list, use docs bulk teams ' +
        'members set.',
      args: { teamId: '<team>', userId: '<user>' },
      done: 'set',
      says: ({ named, path, sent, count, what }) => {
        const role = sent('role');
        const team = named('team', path('teamId'));
        if (count !== undefined) return `Set ${what} of ${team}`;
        const member = capital(what);
        return role === undefined
          ? `${member} is in ${team}`
          : `${member} now has the role ${String(role)} in ${team}`;
      },
      examples: { 'teams members set t1 u1 --role owner': 'add an owner, or promote a member' },
    }),
    command({
      name: 'delete',
      operation: members.deleteTeamMember,
      why:
        'They stay members of the organization. It does not check that the team keeps an owner; docs ' +
        'members offboard does, and assigns a new one.',
      args: { teamId: '<team>', userId: '<user...>' },
      flags: { userId: { kind: 'team-member' } },
      done: 'removed',
      says: ({ sentence, named, path }) => `${sentence} from ${named('team', path('teamId'))}`,
      examples: { 'teams members delete t1 u1 u2 --yes': 'remove two members from a team' },
    }),
  ],
};

export const teams: Group = {
  name: 'teams',
  noun: 'team',
  summary: 'Manage teams and their members',
  why: 'A team groups members; its owners manage its membership.',
  commands: [
    command({
      name: 'list',
      operation: listTeams,
      why:
        'A team gives all its members access to spaces and collections. --owner filters by the owner of a ' +
        'team.',
      flags: { owner: { kind: 'member' } },
      columns,
      examples: { 'teams list --owner u1': 'list the teams a member owns' },
    }),
    command({
      name: 'create',
      operation: createTeam,
      why: 'Repeat --member to add members at the same time, by id or email.',
      flags: { members: { name: 'member', value: '<user>', kind: 'member' } },
      columns,
      says: ({ sentence, answered }) => {
        const members = answered('members');
        return typeof members === 'number' && members > 0
          ? `${sentence} with ${counted(members, 'member')}`
          : sentence;
      },
      examples: { 'teams create --title Writers --member u1 --member u2': 'create a team with two members' },
    }),
    command({
      name: 'get',
      operation: getTeam,
      why: 'Shows how many members and owners the team has.',
      args: { teamId: '<team>' },
      columns,
      examples: { 'teams get t1': 'show a team' },
    }),
    command({
      name: 'update',
      operation: updateTeam,
      why: 'Changes the title only; members and access stay.',
      args: { teamId: '<team>' },
      columns,
      examples: { 'teams update t1 --title "Technical writers"': 'rename a team' },
    }),
    command({
      name: 'delete',
      operation: deleteTeam,
      why: 'Its members stay in the organization.',
      args: { teamId: '<team...>' },
      examples: { 'teams delete t1 --yes': 'delete a team, keep its members' },
    }),
    teamMembers,
  ],
};
