import type { LooseInput } from '../../api/client.js';
import { deleteInvite, getInvite, updateInvite } from '../../api/resources/invites.js';
import {
  deleteMember,
  getMember,
  linkMemberSso,
  listMemberTeams,
  updateMember,
} from '../../api/resources/members.js';
import { getOrg, pingOrg, updateOrg } from '../../api/resources/orgs.js';
import {
  deleteTeamMember,
  listTeamMembers,
  setTeamMember,
  updateTeamMembers,
} from '../../api/resources/team-members.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import type { Change, NoWayBack, Reads, Resource, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  likeness,
  never,
  picked,
  readFields,
  requestFor,
  sets,
} from './builders.js';

/** Organizations, invites, members, teams and who is in them. */
export const people: Rules = {
  [updateOrg.id]: sets(updateOrg, {
    get: getOrg,
    unread: { logo: 'the platform does not tell the URL a logo was taken from' },
  }),
  [pingOrg.id]: never('it only tells the organization that you were here', { harmless: true }),

  [updateInvite.id]: sets(updateInvite, { get: getInvite }),
  [deleteInvite.id]: deletes({
    read: readFields(getInvite, ['role']),
    why: 'the platform has no operation that makes an invite link',
  }),

  [updateMember.id]: sets(updateMember, { get: getMember }),
  [deleteMember.id]: deletes({
    read: readFields(getMember, ['role']),
    why: 'the platform has no operation that adds a member: the person has to be invited again',
  }),
  [linkMemberSso.id]: never('the platform has no operation that takes a member out of SSO', {
    read: readFields(getMember, ['sso']),
    wanted: () => ({ sso: true }),
    oneWay: true,
  }),

  [createTeam.id]: creates({
    remove: deleteTeam,
    parameter: 'teamId',
    left: (answer, input) => ({ title: answer.title ?? null, members: newMembers(input) }),
    lookup: likeness(listTeams, ({ title }, body) => title === body.title),
  }),
  [updateTeam.id]: sets(updateTeam, { get: getTeam }),
  [deleteTeam.id]: deletes({
    read: readTeam,
    why: 'the team is made anew with its members, but with another id, owners as members, and without access to spaces',
    again: ({ title, members }, { path }) =>
      requestFor(createTeam, path ?? {}, { title, members: Object.keys(members as object) }),
  }),

  [setTeamMember.id]: {
    before: 'always',
    forecast: () => ({ undo: 'exact' }),
    read: readMembership,
    // Without a role the platform keeps the one that the member has.
    wanted: (input) => {
      const { role } = bodyOf(input);
      return role === undefined ? {} : { role };
    },
    back: membershipBack,
  },
  [deleteTeamMember.id]: {
    before: 'always',
    forecast: () => ({ undo: 'exact' }),
    read: readMembership,
    wanted: () => null,
    back: membershipBack,
  },
  [updateTeamMembers.id]: {
    before: 'always',
    forecast: () => ({ undo: 'exact' }),
    read: readTouchedMembers,
    wanted: touchedAfter,
    back: touchedBack,
  },
};

/** Roles in the team by user. */
type Roles = Readonly<Record<string, string>>;

function newMembers(input: LooseInput): Roles {
  const members = (bodyOf(input).members ?? []) as string[];
  return Object.fromEntries(members.map((id) => [id, 'member']));
}

/** The title of a team and the roles of its members: the members are worth a second read. */
async function readTeam(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const team = await reads.one(getTeam, requestFor(getTeam, path).input);
  if (team === null) return null;
  const members = await reads.all(listTeamMembers, requestFor(listTeamMembers, path).input);
  const roles = (members ?? []).map((item) => [userOf(item).id, roleIn(item)] as const);
  return { ...picked(team, ['title']), members: Object.fromEntries(roles) };
}

function userOf(item: Resource): { id: string; email: string | undefined } {
  const member = item.organization as { id: string; user?: { email?: string } };
  return { id: member.id, email: member.user?.email };
}

function roleIn(item: Resource): string {
  return (item.team as { role: string }).role;
}

/** A member's role in a team: from the teams of the member, which are few. */
async function readMembership(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const teams = await reads.all(listMemberTeams, requestFor(listMemberTeams, path).input);
  const own = teams?.find((item) => (item.team as { id: string }).id === path.teamId);
  return own === undefined ? null : { role: (own.member as { role: string }).role };
}

function membershipBack({ input, before }: Change): WayBack | NoWayBack {
  if (before === undefined) return { undo: 'none', why: 'the role in the team before is not known' };
  const path = input.path ?? {};
  const request =
    before === null
      ? requestFor(deleteTeamMember, path)
      : requestFor(setTeamMember, path, { role: before.role });
  const removed = input.body === undefined;
  const { role = before?.role ?? 'member' } = bodyOf(input);
  return { undo: 'exact', request, expect: removed ? null : { role } };
}

/** All users that an update of a team names, by id or email, as they were named. */
function touched(input: LooseInput): string[] {
  const {
    add = [],
    remove = [],
    memberships = {},
  } = bodyOf(input) as {
    add?: string[];
    remove?: string[];
    memberships?: Record<string, unknown>;
  };
  return [...new Set([...add, ...remove, ...Object.keys(memberships)])];
}

/** The roles of the users that the update names; null for who is not in the team. */
async function readTouchedMembers(reads: Reads, input: LooseInput): Promise<State> {
  const members = await reads.all(listTeamMembers, requestFor(listTeamMembers, input.path ?? {}).input);
  if (members === null) return null;
  const roles = new Map<string, string>();
  for (const item of members) {
    const { id, email } = userOf(item);
    roles.set(id, roleIn(item));
    if (email !== undefined) roles.set(email, roleIn(item));
  }
  return Object.fromEntries(touched(input).map((user) => [user, roles.get(user) ?? null]));
}

/** Removal wins; a member who is added keeps the role that there is (spec A, "Team membership"). */
function touchedAfter(input: LooseInput, before: State | undefined): State {
  const { remove = [], memberships = {} } = bodyOf(input) as {
    remove?: string[];
    memberships?: Record<string, { role: string }>;
  };
  const after = (user: string): unknown => {
    if (remove.includes(user)) return null;
    return memberships[user]?.role ?? before?.[user] ?? 'member';
  };
  return Object.fromEntries(touched(input).map((user) => [user, after(user)]));
}

function touchedBack({ input, before }: Change): WayBack | NoWayBack {
  if (before === undefined || before === null) {
    return { undo: 'none', why: 'who was in the team before is not known' };
  }
  const users = Object.entries(before);
  const remove = users.filter(([, role]) => role === null).map(([user]) => user);
  const memberships = users.filter(([, role]) => role !== null).map(([user, role]) => [user, { role }]);
  const body = {
    ...(remove.length > 0 && { remove }),
    ...(memberships.length > 0 && { memberships: Object.fromEntries(memberships) }),
  };
  return {
    undo: 'exact',
    request: requestFor(updateTeamMembers, input.path ?? {}, body),
    expect: touchedAfter(input, before),
  };
}
