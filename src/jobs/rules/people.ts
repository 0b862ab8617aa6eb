import type { LooseInput } from '../../api/client.js';
import { operationsIn } from '../../api/operation.js';
import * as membersApi from '../../api/resources/members.js';
import * as orgsApi from '../../api/resources/orgs.js';
import * as teamsApi from '../../api/resources/teams.js';
import { defined } from '../../base/values.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Reads, type Resource, readAt } from '../reads.js';
import type { Rule } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  type Family,
  never,
  picked,
  type RuleTable,
  readOf,
  reverts,
  sets,
  stateUnknown,
} from './builders.js';

const rules: RuleTable = {
  'members.update': (op, find) => ({
    ...sets()(op, find),
    forecast: (input, before) => ({ undo: 'exact', ...(demotes(input, before) && { why: byAnother }) }),
    survey: readAdmins,
    obstacle: withoutAdmin,
  }),
  'members.link-sso': (op, find) =>
    never('the platform cannot remove a member from SSO', {
      read: readOf(op, find, ['sso']),
      wanted: () => ({ sso: true }),
      oneWay: true,
    }),

  'teams.create': creates({
    left: (answer, input) => ({ title: answer.title ?? null, members: newMembers(input) }),
    lookup: 'title',
  }),
  'teams.delete': deletes(
    { read: readTeam },
    'the team is recreated with its members and owners, but with a new id, and without access to spaces and SAML providers',
    { again: teamAgain },
  ),

  // Without a role the platform keeps the member's own.
  'team-members.set': membership((input) => defined({ role: bodyOf(input).role })),
  'team-members.delete': membership(() => null),
  'team-members.update': reverts({
    needs: (input) => touched(input).map((userId) => memberRequest({ ...input.path, userId })),
    read: readTouchedMembers,
    shares: (input) => ({
      fields: Object.fromEntries(touched(input).map((user) => [user, placeIn(input, user)])),
    }),
    wanted: touchedAfter,
    back: (before, { input }) => ({
      request: requestFor(membersApi.updateTeamMembers, input.path, touchedBefore(before)),
      expect: touchedAfter(input, before),
    }),
  }),
};

export const people: Family = { operations: operationsIn(orgsApi, membersApi, teamsApi), rules };

/** A member who gave up the role cannot take it back. */
const byAnother = 'it needs an administrator: another one, if you demote yourself';

function demotes(input: LooseInput, before: State | undefined): boolean {
  return before?.role === 'admin' && bodyOf(input).role !== 'admin';
}

/** One list for all requests: only the undo of a demotion takes another administrator. */
async function readAdmins(
  reads: Reads,
  inputs: readonly LooseInput[],
): Promise<readonly (State | undefined)[]> {
  const lowered = inputs.filter((input) => bodyOf(input).role !== 'admin');
  const orgs = new Set(lowered.flatMap(({ path }) => path?.organizationId ?? []));
  const admins = new Set<string>();
  for (const organizationId of orgs) {
    const found = await listAt(reads, membersApi.listMembers, { organizationId }, { role: 'admin' });
    for (const { id } of found) admins.add(`${organizationId} ${id}`);
  }
  return inputs.map(({ path }) =>
    admins.has(`${path?.organizationId} ${path?.userId}`) ? { role: 'admin' } : undefined,
  );
}

async function withoutAdmin(reads: Reads, { path }: LooseInput): Promise<string | undefined> {
  const org = await readAt(reads, orgsApi.getOrg, path);
  const { admin } = (org?.permissions ?? {}) as { admin?: boolean };
  return admin === false ? 'it needs an administrator, which the token in use is not' : undefined;
}

/** The request that removes a member, which names the member. */
function memberRequest(path: LooseInput['path']): Change {
  return requestFor(membersApi.deleteMember, path);
}

function teamAgain({ title, members }: Resource, { path }: LooseInput): Change[] {
  const roles = Object.entries((members ?? {}) as Roles);
  const ids = roles.map(([id]) => id);
  const others = roles.filter(([, role]) => role !== 'member').map(([id, role]) => [id, { role }]);
  const team = requestFor(teamsApi.createTeam, path, { title, members: ids });
  const memberships = Object.fromEntries(others);
  // A creation takes members only.
  if (others.length === 0) return [team];
  return [team, requestFor(membersApi.updateTeamMembers, path, { memberships })];
}

type Roles = Readonly<Record<string, string>>;

function newMembers(input: LooseInput): Roles {
  const members = (bodyOf(input).members ?? []) as string[];
  return Object.fromEntries(members.map((id) => [id, 'member']));
}

/** Two reads: the deletion of a team loses its members. */
async function readTeam(reads: Reads, { path }: LooseInput): Promise<State> {
  const team = await readAt(reads, teamsApi.getTeam, path);
  if (team === null) return null;
  const members = await listAt(reads, membersApi.listTeamMembers, path);
  const roles = members.map((item) => [userOf(item).id, roleIn(item)] as const);
  return { ...picked(team, ['title']), members: Object.fromEntries(roles) };
}

function userOf(item: Resource): { id: string; email: string | undefined } {
  const member = item.organization as { id: string; user?: { email?: string } };
  return { id: member.id, email: member.user?.email };
}

function roleIn(item: Resource): string {
  return (item.team as { role: string }).role;
}

/** From the teams of the member, which are fewer than the members of the team. */
async function readMembership(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const teams = await listAt(reads, membersApi.listMemberTeams, path);
  const own = teams.find((item) => (item.team as { id: string }).id === path.teamId);
  return own === undefined ? null : { role: (own.member as { role: string }).role };
}

/** A change of one member's place in a team; before it, the member may not have been in the team. */
function membership(wanted: (input: LooseInput) => State): Rule {
  return {
    before: 'always',
    forecast: () => ({ undo: 'exact' }),
    needs: ({ path }) => [memberRequest(path)],
    read: readMembership,
    shares: (input) => ({ fields: { role: placeIn(input, input.path?.userId) }, whole: true }),
    wanted,
    back({ input, before }) {
      if (before === undefined) return stateUnknown;
      const { path } = input;
      const request = before
        ? requestFor(membersApi.setTeamMember, path, { role: before.role })
        : requestFor(membersApi.deleteTeamMember, path);
      const removed = input.body === undefined;
      const { role = before?.role ?? 'member' } = bodyOf(input);
      return { undo: 'exact', request, expect: removed ? null : { role } };
    },
  };
}

/** A member's place in a team, as every operation on it calls it. */
function placeIn({ path }: LooseInput, user: string | undefined): string {
  return `${path?.teamId} ${user}`;
}

/** All users in an update of a team, by id or email as given. */
function touched(input: LooseInput): string[] {
  const { add = [], remove = [], memberships = {} }: TeamUpdate = bodyOf(input);
  return [...new Set([...add, ...remove, ...Object.keys(memberships)])];
}

interface TeamUpdate {
  add?: string[];
  remove?: string[];
  memberships?: Record<string, { role: string }>;
}

/** The roles of the users in the update; null outside of the team. */
async function readTouchedMembers(reads: Reads, input: LooseInput): Promise<State> {
  const members = await reads.all(
    membersApi.listTeamMembers,
    requestFor(membersApi.listTeamMembers, input.path).input,
  );
  if (members === null) return null;
  const roles = new Map<string, string>();
  for (const item of members) {
    const { id, email } = userOf(item);
    roles.set(id, roleIn(item));
    if (email !== undefined) roles.set(email, roleIn(item));
  }
  return Object.fromEntries(touched(input).map((user) => [user, roles.get(user) ?? null]));
}

/** Removal wins; a member who is added again keeps the role (spec A, "Team membership"). */
function touchedAfter(input: LooseInput, before: State | undefined): State {
  const { remove = [], memberships = {} }: TeamUpdate = bodyOf(input);
  const after = (user: string): unknown =>
    remove.includes(user) ? null : (memberships[user]?.role ?? before?.[user] ?? 'member');
  return Object.fromEntries(touched(input).map((user) => [user, after(user)]));
}

/** The update that restores the roles before it. */
function touchedBefore(before: Resource): Record<string, unknown> {
  const users = Object.entries(before);
  const remove = users.filter(([, role]) => role === null).map(([user]) => user);
  const memberships = users.filter(([, role]) => role !== null).map(([user, role]) => [user, { role }]);
  return {
    ...(remove.length > 0 && { remove }),
    ...(memberships.length > 0 && { memberships: Object.fromEntries(memberships) }),
  };
}
