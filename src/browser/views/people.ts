import {
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  listTeamMembers,
  type Member,
} from '../../api/resources/members.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { grouped } from '../../output/counted.js';
import { orgPath, spacePath } from '../parts/address.js';
import { badge, copyable, facts, type Html, html, name, type Part, table, time } from '../parts/html.js';
import { cutOf, onePage, pageLinks, pageQuery } from '../parts/lists.js';
import { inOrg, type View } from '../parts/visit.js';

/** The members of an organization, and its teams. */

export const membersView: View = async (visit, [orgId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const [search, page] = [visit.query.get('search') ?? '', visit.query.get('page') ?? undefined];
  const query = { ...pageQuery(page), ...(search !== '' && { search }) };
  const cut = await cutOf(client.call(listMembers, { path: { organizationId: orgId }, query }, onePage));
  const rows = cut.items.map((member) => memberRow(member, orgId));
  const heads = ['Name', 'Email', 'Role', 'Spaces', 'Teams', 'Joined'];
  const body = [
    html`<form class="search" role="search" action="${visit.at}" method="get">
<label for="search">Name or email</label> <input id="search" name="search" type="search" value="${search}">
<button type="submit">Search</button></form>`,
    rows.length === 0 ? html`<p>No members.</p>` : table('Members', heads, rows),
    pageLinks(cut, visit.at, { search, page }),
  ];
  return { title: 'Members', trail, beside, body };
};

function memberRow({ id, user, role, spaces, teams, joinedAt, disabled }: Member, orgId: string): Part[] {
  return [
    html`<a href="${orgPath(orgId, 'members', id)}">${name(user.displayName)}</a>`,
    html`<bdi>${user.email ?? ''}</bdi>`,
    html`${role ?? 'guest'} ${disabled && badge('disabled')}`,
    grouped(spaces),
    grouped(teams),
    time(joinedAt),
  ];
}

export const memberView: View = async (visit, [orgId = '', userId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, userId };
  const page = visit.query.get('page') ?? undefined;
  const member = await client.call(getMember, { path });
  const teams = await cutOf(client.call(listMemberTeams, { path }));
  const spaces = await cutOf(client.call(listMemberSpaces, { path, query: pageQuery(page) }, onePage));
  const spaceRows = spaces.items.map(({ space, permission }): Part[] => [
    html`<a href="${spacePath(orgId, space.id)}">${name(space.title)}</a>`,
    permission,
  ]);
  const body = [
    aboutMember(member),
    html`<h2>Teams</h2>`,
    teams.items.length === 0
      ? html`<p>None.</p>`
      : html`<ul>${teams.items.map(({ team, member: own }) => html`<li><a href="${orgPath(orgId, 'teams', team.id)}">${name(team.title)}</a> <span class="soft">${own.role}</span></li>`)}</ul>`,
    html`<h2>Spaces</h2>`,
    spaceRows.length === 0 ? html`<p>None.</p>` : table('Spaces', ['Space', 'Level'], spaceRows),
    pageLinks(spaces, visit.at, { page }),
  ];
  const list = { label: 'Members', href: orgPath(orgId, 'members') };
  return { title: member.user.displayName, trail: [...trail, list], beside, body };
};

function aboutMember({ id, user, role, disabled, joinedAt, lastSeenAt, sso }: Member): Html {
  return facts([
    ['Id', copyable(id, 'the id')],
    ['Email', html`<bdi>${user.email ?? ''}</bdi>`],
    ['Role', html`${role ?? 'guest'} ${disabled && badge('disabled')}`],
    ['Joined', time(joinedAt)],
    ['Last seen', lastSeenAt === undefined ? 'never' : time(lastSeenAt)],
    ['Single sign-on', sso ? 'yes' : 'no'],
  ]);
}

export const teamsView: View = async (visit, [orgId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const page = visit.query.get('page') ?? undefined;
  const asked = { path: { organizationId: orgId }, query: pageQuery(page) };
  const cut = await cutOf(client.call(listTeams, asked, onePage));
  const rows = cut.items.map(({ id, title, members, spaces, createdAt }): Part[] => [
    html`<a href="${orgPath(orgId, 'teams', id)}">${name(title)}</a>`,
    grouped(members),
    grouped(spaces),
    time(createdAt),
  ]);
  const body = [
    rows.length === 0
      ? html`<p>No teams.</p>`
      : table('Teams', ['Title', 'Members', 'Spaces', 'Created'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Teams', trail, beside, body };
};

export const teamView: View = async (visit, [orgId = '', teamId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, teamId };
  const page = visit.query.get('page') ?? undefined;
  const team = await client.call(getTeam, { path });
  const cut = await cutOf(client.call(listTeamMembers, { path, query: pageQuery(page) }, onePage));
  const rows = cut.items.map(({ organization: { id, user }, team: own }): Part[] => [
    html`<a href="${orgPath(orgId, 'members', id)}">${name(user.displayName)}</a>`,
    html`<bdi>${user.email ?? ''}</bdi>`,
    own.role,
  ]);
  const body = [
    facts([
      ['Id', copyable(team.id, 'the id')],
      ['Spaces', grouped(team.spaces)],
      ['Created', time(team.createdAt)],
    ]),
    html`<h2>Members</h2>`,
    rows.length === 0 ? html`<p>None.</p>` : table('Members', ['Name', 'Email', 'Role in the team'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  const list = { label: 'Teams', href: orgPath(orgId, 'teams') };
  return { title: team.title, trail: [...trail, list], beside, body };
};
