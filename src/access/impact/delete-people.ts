import { listChangeRequests } from '../../api/resources/change-requests.js';
import { getMember, type Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { deleteTeam, getTeam, type Team } from '../../api/resources/teams.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import { keepsOwner, lastAdminWords } from '../guards.js';
import { nameOf as nameOfPerson, personOf } from '../person.js';
import { readSpacesOf } from '../read/people.js';
import { readTeam, readTeamsOf } from '../read/teams.js';
import type { Affected } from './change.js';
import type { Findings } from './findings.js';
import { tellTeamLosses } from './team-losses.js';

/**
 * What goes with deleted teams: memberships, the grants to them, and what new members join.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteTeams(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const teams = await readAll(found.reading, things, ({ id }) =>
    client.call(getTeam, { path: { organizationId, teamId: id } }),
  );
  for (const { id, title } of teams) found.thing({ object: 'team', id }, title);
  found.limitedUndo(deleteTeam);
  if (found.wants('dependents')) {
    for (const team of teams) tellTeam(found, team);
    await tellDefaultTeam(found, teams);
  }
  if (!found.wants('people')) return;
  await tellTeamLosses(
    found,
    teams.map(({ id }) => id),
  );
}

function tellTeam(found: Findings, { id, title, members, spaces }: Team): void {
  const tell = (kind: 'member' | 'grant', what: string) => found.dependents.push({ kind, id, title, what });
  if (members > 0) tell('member', `Its ${counted(members, 'membership')} ${members === 1 ? 'ends' : 'end'}.`);
  if (spaces > 0) tell('grant', `It has access to ${counted(spaces, 'space')}; no operation tells to which.`);
}

async function tellDefaultTeam(found: Findings, teams: readonly Team[]): Promise<void> {
  const what = { kind: 'saml-providers', id: found.reading.organizationId };
  const providers = await found.items(what, found.organization.samlProviders());
  const gone = new Set(teams.map(({ id }) => id));
  for (const { id, label, defaultTeam } of providers ?? [])
    if (defaultTeam !== undefined && gone.has(defaultTeam.id)) {
      const what = `Its new members join the team ${defaultTeam.title}.`;
      found.dependents.push({ kind: 'default', id, title: label, what });
    }
}

/**
 * What goes with removed members: roles, memberships, and teams that nobody else owns. Their change requests stay.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteMembers(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const members = await readAll(found.reading, things, ({ id }) =>
    client.call(getMember, { path: { organizationId, userId: id } }),
  );
  for (const member of members) found.thing({ object: 'member', id: member.id }, nameOf(member));
  const gone = new Set(members.map(({ id }) => id));
  found.irreversible.push('A removed member loses all grants; a new invitation gives none of them back.');
  if (found.wants('dependents')) {
    for (const member of members) await tellTeamsOf(found, member, gone);
    await tellLastAdmin(found, members, gone);
  }
  if (!found.wants('people', 'dependents')) return;
  for (const member of members) await tellSpacesOf(found, member);
}

function nameOf(member: Member): string {
  return nameOfPerson(personOf(member));
}

async function tellTeamsOf(found: Findings, member: Member, gone: ReadonlySet<string>): Promise<void> {
  const { teams, unread } = await readTeamsOf(found.reading, member);
  found.unknown.push(...unread);
  for (const { id, title, role } of teams) {
    const team = role === 'owner' ? await readTeam(found.reading, { id, title }) : undefined;
    if (team !== undefined && 'error' in team) found.unknown.push(team);
    const owners = team !== undefined && 'owners' in team ? team.owners : undefined;
    const ownerless = owners !== undefined && !keepsOwner(owners, { has: ({ id }) => gone.has(id) });
    const what = ownerless
      ? `Nobody else owns this team of ${nameOf(member)}.`
      : `The membership of ${nameOf(member)} ends.`;
    found.dependents.push({ kind: 'team', id, title, what });
  }
}

async function tellLastAdmin(
  found: Findings,
  members: readonly Member[],
  gone: ReadonlySet<string>,
): Promise<void> {
  if (!members.some(({ role }) => role === 'admin')) return;
  const list = { kind: 'administrators', id: found.reading.organizationId };
  const admins = await found.items(list, found.organization.administrators());
  const what = admins && lastAdminWords(admins, { has: ({ id }) => gone.has(id) });
  const last = members.find(({ role }) => role === 'admin');
  if (what === undefined || last === undefined) return;
  found.dependents.push({ kind: 'sign-in', id: last.id, title: nameOf(last), what });
}

async function tellSpacesOf(found: Findings, member: Member): Promise<void> {
  const { spaces, unread } = await readSpacesOf(found.reading, member, (space) => space);
  if (unread !== undefined) found.unknown.push(unread);
  const person = { id: member.id, ...(member.user.email !== undefined && { email: member.user.email }) };
  if (found.wants('people'))
    for (const { space, role } of spaces)
      found.people.push({
        person,
        space: { id: space.id, title: space.title },
        from: role,
        to: null,
        certain: true,
      });
  if (!found.wants('dependents')) return;
  await readAll(found.reading, spaces, ({ space }) => tellRequests(found, space, member));
}

/** Pending change requests that the member made. */
async function tellRequests(found: Findings, space: Space, member: Member): Promise<void> {
  const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  const { client } = found.reading;
  const path = { spaceId: space.id };
  for (const status of ['open', 'draft'] as const) {
    if (counts[status] === 0) continue;
    const query = { status, contributor: member.id };
    const what = { kind: `${status}-change-requests`, id: space.id, title: space.title };
    const list = await found.items(what, client.call(listChangeRequests, { path, query }));
    for (const { id, subject, number, createdBy } of list ?? [])
      if (createdBy?.id === member.id)
        found.dependents.push({
          kind: 'change-request',
          id,
          title: subject,
          what: `Change request #${number} of ${space.title} (${status}) was made by ${nameOf(member)}; it stays.`,
        });
  }
}

/** Everybody who signs in with SSO; undefined where the members could not be read. */
export async function ssoMembers(found: Findings): Promise<number | undefined> {
  const what = { kind: 'members', id: found.reading.organizationId };
  const members = await found.items(what, found.organization.members());
  return members?.filter(({ sso }) => sso).length;
}
