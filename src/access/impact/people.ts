import { listChangeRequests } from '../../api/resources/change-requests.js';
import { getMember, type Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { deleteTeam, getTeam, type Team } from '../../api/resources/teams.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import { keepsOwner, lastAdminWords } from '../guards.js';
import { type PersonAccess, readPeople, readSpacesOf, readTeam, readTeamsOf } from '../people.js';
import { nameOf as nameOfPerson, personOf } from '../person.js';
import { type LevelChange, roleChanges, roleInOf } from '../role-changes.js';
import { openWhatIf, roleChangeOfRow } from '../what-if.js';
import type { Affected, Findings } from './findings.js';

/** People whose role changes. Who has one is in the spaces of each member, a request for each. */

/** Tells everybody who has a role in spaces that go. */
export function tellLost(found: Findings, spaces: readonly { id: string; title: string }[]): Promise<void> {
  // The level does not matter where nothing is left to have a role in.
  const before = { known: false, missing: '' } as const;
  return tellRoleChanges(
    found,
    spaces.map(({ id, title }) => ({ space: { id, title }, before, after: 'gone' })),
  );
}

/** Tells the people whose role changes with the level of spaces, or with the spaces themselves. */
export async function tellRoleChanges(found: Findings, changes: readonly LevelChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { reading } = found;
  await found.attempt({ kind: 'members', id: reading.organizationId }, async () => {
    for await (const people of readPeople(reading)) tellWindow(found, changes, people);
  });
}

function tellWindow(found: Findings, changes: readonly LevelChange[], people: readonly PersonAccess[]): void {
  found.unknown.push(...people.flatMap(({ unread }) => unread));
  const known = people.map((one) => ({
    person: { id: one.member.id, ...defined({ email: one.member.user.email }) },
    organizationRole: one.member.role,
    roleIn: roleInOf(one),
  }));
  for (const change of changes) {
    const held = known.map(({ roleIn, ...one }) => ({ ...one, role: roleIn(change.space.id) }));
    const { changes: told, unknown } = roleChanges(change, held);
    found.people.push(...told);
    for (const person of unknown) found.unknownRole(person, change.space);
  }
}

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

/**
 * What people may lose with deleted teams, as `docs access what-if --delete-team` answers it: none of these losses
 * is certain, since no operation tells to whom a grant was given, but the roles of all members bound them.
 */
async function tellTeamLosses(found: Findings, teamIds: readonly string[]): Promise<void> {
  const none = { roles: new Map(), levels: new Map(), left: new Map() };
  const asked = await openWhatIf(found.reading, { ...none, deleted: new Set(teamIds) });
  for await (const rows of asked.rows())
    for (const row of rows) {
      const change = roleChangeOfRow(row);
      if (change === undefined) found.unknownRole(knownPerson(row.person), row.space);
      else found.people.push(change);
    }
  const { unread, failures } = asked.tally;
  found.unknown.push(...unread);
  const more = failures - unread.length;
  if (more === 0) return;
  const what = { kind: 'more-lists', id: found.reading.organizationId };
  found.cannotTell(what, 'not_all_read', `${counted(more, 'more list')} could not be read.`);
}

function knownPerson({ id, email }: { id: string; email: string | null }): { id: string; email?: string } {
  return { id, ...(email !== null && { email }) };
}
