import type { Member } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import type { Team } from '../../api/resources/teams.js';
import { readAll } from '../../jobs/sequence.js';
import { counted } from '../../output/text.js';
import { keepsOwner, lastAdminWords } from '../guards.js';
import { type PersonAccess, readPeople, readSpacesOf, readTeam, readTeamsOf } from '../people.js';

import { nameOf, personOf } from '../person.js';
import { type LevelChange, roleChanges, roleInOf } from '../role-changes.js';
import { openWhatIf } from '../what-if.js';
import { type Findings, pendingRequests } from './findings.js';
import type { ImpactQuestion } from './shapes.js';

/** People whose role changes, and what goes with teams and members. */

/** Tells everybody who has a role in spaces that go. */
export function tellLost(found: Findings, spaces: readonly { id: string; title: string }[]): Promise<void> {
  // The level does not matter where nothing is left to have a role in.
  const before = { known: false, missing: '' } as const;
  const gone = spaces.map(({ id, title }) => ({ space: { id, title }, before, after: 'gone' as const }));
  return tellRoleChanges(found, gone);
}

/**
 * Tells the people whose role changes with the level of spaces, or with the spaces themselves. Who has a role is in
 * the spaces of each member, a request for each.
 */
export async function tellRoleChanges(found: Findings, changes: readonly LevelChange[]): Promise<void> {
  if (changes.length === 0) return;
  await found.attempt({ kind: 'members', id: found.reading.organizationId }, async () => {
    for await (const people of readPeople(found.reading)) tellWindow(found, changes, people);
  });
}

function tellWindow(found: Findings, changes: readonly LevelChange[], people: readonly PersonAccess[]): void {
  found.unknown.push(...people.flatMap(({ unread }) => unread));
  const known = people.map((one) => ({ ...heldBy(one.member), roleIn: roleInOf(one) }));
  for (const change of changes) {
    const held = known.map(({ roleIn, ...one }) => ({ ...one, role: roleIn(change.space.id) }));
    const { changes: roles, unknown } = roleChanges(change, held);
    found.people.push(...roles);
    for (const person of unknown) found.unknownRole(person, change.space);
  }
}

/** A member as changes of roles name them, with their role in the organization. */
export function heldBy({ id, role, user: { email } }: Member) {
  return { person: { id, email }, organizationRole: role };
}

/**
 * What goes with deleted teams: memberships, the grants to them, and what new members join.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteTeams(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const teams = await found.deleted<Team>(things);
  const ids = new Set(teams.map(({ id }) => id));
  if (found.wants('dependents')) {
    for (const team of teams) tellTeam(found, team);
    const providers = await found.own('saml-providers', found.organization.samlProviders());
    for (const { id, label, defaultTeam } of providers ?? [])
      if (defaultTeam !== undefined && ids.has(defaultTeam.id))
        found.depends('default', { id, title: label }, `Its new members join the team ${defaultTeam.title}.`);
  }
  if (found.wants('people')) await tellTeamLosses(found, ids);
}

function tellTeam(found: Findings, team: Team): void {
  const { members, spaces } = team;
  const end = members === 1 ? 'ends' : 'end';
  if (members > 0) found.depends('member', team, `Its ${counted(members, 'membership')} ${end}.`);
  const where = `It has access to ${counted(spaces, 'space')}; the API cannot show to which.`;
  if (spaces > 0) found.depends('grant', team, where);
}

/**
 * What people may lose with deleted teams, as `docs impact access --delete-team` answers it: none of these losses
 * is certain, since no operation tells to whom a grant was given, but the roles of all members bound them.
 */
async function tellTeamLosses(found: Findings, deleted: ReadonlySet<string>): Promise<void> {
  const none = { roles: new Map(), levels: new Map(), left: new Map() };
  const asked = await openWhatIf(found.reading, { ...none, deleted });
  for await (const rows of asked.rows())
    for (const { person: who, space, from, to, most, certain } of rows) {
      const person = { id: who.id, email: who.email ?? undefined };
      if (from === 'unknown' || to === 'unknown' || most === 'unknown') found.unknownRole(person, space);
      else
        found.people.push({
          person,
          space,
          from,
          to,
          most: most === to ? undefined : (most ?? undefined),
          certain,
        });
    }
  const { unread, failures } = asked.tally;
  found.unknown.push(...unread);
  const more = failures - unread.length;
  if (more === 0) return;
  const what = { kind: 'more-lists', id: found.reading.organizationId };
  found.cannotTell(what, 'not_all_read', `${counted(more, 'more list')} could not be read.`);
}

/**
 * What goes with removed members: roles, memberships, and teams that nobody else owns. Their change requests stay.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteMembers(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const members = await found.read(things, called);
  const gone = new Set(members.map(({ id }) => id));
  found.irreversible.push('A removed member loses all grants; a new invitation gives none of them back.');
  if (found.wants('dependents')) {
    for (const member of members) await tellTeamsOf(found, member, gone);
    await tellLastAdmin(found, members, gone);
  }
  if (!found.wants('people', 'dependents')) return;
  for (const member of members) await tellSpacesOf(found, member);
}

function called(member: Member): string {
  return nameOf(personOf(member));
}

async function tellTeamsOf(found: Findings, member: Member, gone: ReadonlySet<string>): Promise<void> {
  const { teams, unread } = await readTeamsOf(found.reading, member);
  found.unknown.push(...unread);
  for (const own of teams) {
    const team = own.role === 'owner' ? await readTeam(found.reading, own) : undefined;
    if (team !== undefined && 'error' in team) found.unknown.push(team);
    const owners = team !== undefined && 'owners' in team ? team.owners : undefined;
    const isOwnerless = owners !== undefined && !keepsOwner(owners, { has: ({ id }) => gone.has(id) });
    const what = isOwnerless
      ? `This team of ${called(member)} has no other owner.`
      : `The membership of ${called(member)} ends.`;
    found.depends('team', own, what);
  }
}

async function tellLastAdmin(
  found: Findings,
  members: readonly Member[],
  gone: ReadonlySet<string>,
): Promise<void> {
  const admin = members.find(({ role }) => role === 'admin');
  if (admin === undefined) return;
  const admins = await found.own('administrators', found.organization.administrators());
  const what = admins && lastAdminWords(admins, { has: ({ id }) => gone.has(id) });
  if (what !== undefined) found.depends('sign-in', { id: admin.id, title: called(admin) }, what);
}

async function tellSpacesOf(found: Findings, member: Member): Promise<void> {
  const { spaces, unread } = await readSpacesOf(found.reading, member, (space) => space);
  if (unread !== undefined) found.unknown.push(unread);
  const { person } = heldBy(member);
  if (found.wants('people'))
    for (const { space, role } of spaces) {
      const { id, title } = space;
      found.people.push({ person, space: { id, title }, from: role, to: null, certain: true });
    }
  if (!found.wants('dependents')) return;
  await readAll(found.reading, spaces, ({ space }) => tellRequests(found, space, member));
}

/** Pending change requests that the member made. */
async function tellRequests(found: Findings, space: Space, member: Member): Promise<void> {
  const { id, title, changeRequestsOpen: open, changeRequestsDraft: draft } = space;
  for (const one of await pendingRequests(found, { id, title, open, draft }, member.id)) {
    if (one.createdBy?.id !== member.id) continue;
    const what = `Change request #${one.number} of ${title} (${one.status}) was made by ${called(member)}; it stays.`;
    found.depends('change-request', { id: one.id, title: one.subject }, what);
  }
}
