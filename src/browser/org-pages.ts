import { type Collection, listCollectionSpaces, listCollections } from '../api/resources/collections.js';
import {
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  type Member,
} from '../api/resources/members.js';
import { getOpenApiContent, getOpenApiSpec, listOpenApiVersions } from '../api/resources/openapi.js';
import { type Space, spaceVisibilities } from '../api/resources/spaces.js';
import { getTeam } from '../api/resources/teams.js';
import { roles } from '../api/shapes.js';
import { emojiCharacter } from '../base/text-encoding.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { counted, grouped } from '../output/text.js';
import { badge, barHtml, command, type Segment } from '../reports/markup.js';
import { readLiveSite, treeOf } from '../site-tree/read-site.js';
import type { TreeNode } from '../site-tree/text.js';
import { offer } from './actions.js';
import { type CommandList, listHtml } from './command-lists.js';
import {
  cutOf,
  facts,
  name,
  onePage,
  orgPath,
  pageLinks,
  pageQuery,
  spacePath,
  table,
  time,
  withQuery,
} from './parts.js';
import { countOf, type InOrg, inOrg, spacesOf, type View } from './visit.js';

/** Sites as readers see their structure, and OpenAPI specs. */

export const siteView: View = async (visit, [orgId = '', siteId = '']) => {
  const { client, trail } = await inOrg(visit, orgId);
  const { site, nodes } = treeOf(await readLiveSite(client, orgId, siteId));
  const body = [
    facts([
      ['Id', command(site.id)],
      ['Type', site.type],
      ['State', site.published ? 'published' : 'not published'],
      ['Visibility', site.visibility],
      ['Address', site.urls?.published && html`<code>${site.urls.published}</code>`],
      ['Created', time(site.createdAt)],
    ]),
    !site.published && offer(visit, { action: 'publish', label: 'Publish', fields: { site: site.id } }),
    html`<h2>Published content</h2>`,
    nodes.length === 0 ? html`<p>Nothing is on it.</p>` : nodesHtml(nodes, orgId),
  ];
  const list = { label: 'Sites', href: orgPath(orgId, 'sites') };
  return { title: site.title, trail: [...trail, list], body };
};

function nodesHtml(nodes: readonly TreeNode[], orgId: string): Html {
  return html`<ul class="nodes">${nodes.map((node) => nodeHtml(node, orgId))}</ul>`;
}

function nodeHtml({ kind, title, path, space, isDefault, children }: TreeNode, orgId: string): Html {
  const shown =
    space === undefined ? name(title) : html`<a href="${spacePath(orgId, space)}">${name(title)}</a>`;
  return html`<li>${shown} <span class="soft">${kind}</span>
${path !== undefined && html`<code>/${path}</code>`} ${isDefault && badge('opens first', 'state')}
${children.length > 0 && nodesHtml(children, orgId)}</li>`;
}

/** Characters of a document that are shown. */
const longest = 200_000;

export const specView: View = async (visit, [orgId = '', specSlug = '']) => {
  const { client, trail } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, specSlug };
  const page = visit.query.get('page') ?? undefined;
  const spec = await client.call(getOpenApiSpec, { path });
  const versions = await cutOf(client.call(listOpenApiVersions, { path, query: pageQuery(page) }, onePage));
  const asked = visit.query.get('version') ?? spec.lastVersion;
  const shown = versions.items.find(({ id }) => id === asked)?.id ?? versions.items[0]?.id;
  const files =
    shown === undefined
      ? {}
      : (await client.call(getOpenApiContent, { path: { ...path, versionId: shown } })).filesystem;
  const rows = versions.items.map(({ id, createdAt }): HtmlPart[] => [
    html`<a href="${withQuery(visit.at, { page, version: id })}"${id === shown && html` aria-current="true"`}>${id}</a>`,
    time(createdAt),
  ]);
  const body = [
    facts([
      ['Slug', command(spec.slug)],
      ['State', spec.processingState],
      ['Last error', spec.lastProcessErrorCode],
      ['Source', spec.sourceURL && html`<code>${spec.sourceURL}</code>`],
      ['Updated', time(spec.updatedAt)],
    ]),
    html`<h2>Versions</h2>`,
    rows.length === 0 ? html`<p>None.</p>` : table('Versions', ['Version', 'Created'], rows),
    pageLinks(versions, visit.at, { page }),
    Object.entries(files).map(([file, content]) => documentHtml(file, content)),
  ];
  const list = { label: 'OpenAPI specs', href: orgPath(orgId, 'openapi') };
  return { title: spec.slug, trail: [...trail, list], body };
};

function documentHtml(file: string, content: unknown): Html {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  const cut =
    text.length > longest && html`<p class="soft">The first ${counted(longest, 'character')} are shown.</p>`;
  return html`<h2>${name(file)}</h2>${cut}
<pre tabindex="0" role="region" aria-label="${file}"><code>${text.slice(0, longest)}</code></pre>`;
}

/** The members of an organization, and its teams. */

export const memberView: View = async (visit, [orgId = '', userId = '']) => {
  const { client, trail } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, userId };
  const member = await client.call(getMember, { path });
  const teams = await cutOf(client.call(listMemberTeams, { path }));
  const body = [
    aboutMember(member),
    offer(visit, { action: 'see-as', label: 'See as this member', fields: { org: orgId, user: userId } }),
    html`<h2>Teams</h2>`,
    teams.items.length === 0
      ? html`<p>None.</p>`
      : html`<ul>${teams.items.map(({ team, member: own }) => html`<li><a href="${orgPath(orgId, 'teams', team.id)}">${name(team.title)}</a> <span class="soft">${own.role}</span></li>`)}</ul>`,
    html`<h2>Spaces</h2>`,
    await listHtml(visit, client, { words: 'members spaces', path, href: spaceOf(orgId) }),
  ];
  const list = { label: 'Members', href: orgPath(orgId, 'members') };
  return { title: member.user.displayName, trail: [...trail, list], body };
};

function spaceOf(orgId: string): CommandList['href'] {
  return ({ space }) => spacePath(orgId, (space as Space).id);
}

function aboutMember({ id, user, role, disabled, joinedAt, lastSeenAt, sso }: Member): Html {
  return facts([
    ['Id', command(id)],
    ['Email', html`<bdi>${user.email ?? ''}</bdi>`],
    ['Role', html`${badge(role ?? 'guest', 'role')} ${disabled && badge('disabled', 'state')}`],
    ['Joined', time(joinedAt)],
    ['Last seen', lastSeenAt === undefined ? 'never' : time(lastSeenAt)],
    ['Single sign-on', sso ? 'yes' : 'no'],
  ]);
}

export const teamView: View = async (visit, [orgId = '', teamId = '']) => {
  const { client, trail } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, teamId };
  const team = await client.call(getTeam, { path });
  const href: CommandList['href'] = ({ organization }) =>
    orgPath(orgId, 'members', (organization as Member).id);
  const body = [
    facts([
      ['Id', command(team.id)],
      ['Spaces', grouped(team.spaces)],
      ['Created', time(team.createdAt)],
    ]),
    html`<h2>Members</h2>`,
    await listHtml(visit, client, { words: 'teams members list', path, href }),
  ];
  const list = { label: 'Teams', href: orgPath(orgId, 'teams') };
  return { title: team.title, trail: [...trail, list], body };
};

/** An organization, and its spaces. */

export const orgView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const { org } = found;
  const spaces = await spacesOf(found);
  const seen = spaceVisibilities.map((one, at) => ({
    label: one,
    count: spaces.filter(({ visibility }) => visibility === one).length,
    tone: `r${6 - at}`,
  }));
  const body = [
    html`<div class="bars"><section><h2>Who can do what</h2>${barHtml('Members by role', await roleSegments(found))}</section>
<section><h2>Who can see what</h2>${barHtml('Spaces by visibility', seen)}</section></div>`,
    html`<h2>Settings</h2>`,
    facts([
      ['Id', command(org.id)],
      ['Type', org.type],
      ['Plan', org.plan],
      ['Created', time(org.createdAt)],
      ['Hostname', org.hostname],
      ['Default role', org.defaultRole === null ? 'guest' : org.defaultRole],
      ['Email domains', org.emailDomains.join(', ')],
      ['Single sign-on', org.sso === true ? 'enforced' : 'not enforced'],
      ['Invite links', org.inviteLinks ? 'on' : 'off'],
    ]),
  ];
  return { title: org.title, body };
};

/** How many members have each role, the most powerful first. */
async function roleSegments({ client, org }: InOrg): Promise<Segment[]> {
  const path = { organizationId: org.id };
  const counts: Segment[] = [];
  for (const [at, role] of ([...roles, 'guest'] as const).entries()) {
    const listing = client.call(listMembers, { path, query: { role, limit: 1 } });
    counts.push({ label: role, count: (await countOf(listing)) ?? 0, tone: `r${6 - at}` });
  }
  return counts;
}

/** Collections and spaces with what is in them. */
interface Branch {
  collection?: Collection;
  branches: Branch[];
  spaces: Space[];
}

export const spacesView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const { trail } = found;
  const { top, count } = await readTree(found);
  const body =
    count === 0
      ? html`<p>No spaces.</p>`
      : [html`<p class="soft">${counted(count, 'space')}, in their collections.</p>`, branchHtml(top, orgId)];
  return { title: 'Spaces', trail, body };
};

/** As the platform lists them: the spaces of each collection in their order, the others as the member has them. */
async function readTree({ client, org, user }: InOrg): Promise<{ top: Branch; count: number }> {
  const path = { organizationId: org.id };
  const top: Branch = { branches: [], spaces: [] };
  const byId = new Map<string, Branch>();
  for await (const collection of client.call(listCollections, { path }))
    byId.set(collection.id, { collection, branches: [], spaces: [] });
  const seen = new Set<string>();
  for (const [collectionId, branch] of byId) {
    const above = byId.get(branch.collection?.parent ?? '') ?? top;
    above.branches.push(branch);
    for await (const space of client.call(listCollectionSpaces, { path: { collectionId } })) {
      if (space.parent !== collectionId || seen.has(space.id)) continue;
      seen.add(space.id);
      branch.spaces.push(space);
    }
  }
  const own = { path: { ...path, userId: user.userId }, query: { order: 'asc' } } as const;
  for await (const { space } of client.call(listMemberSpaces, own)) {
    if (seen.has(space.id)) continue;
    seen.add(space.id);
    (byId.get(space.parent ?? '') ?? top).spaces.push(space);
  }
  return { top, count: seen.size };
}

function branchHtml({ branches, spaces }: Branch, orgId: string): Html {
  const below = branches.map(
    (branch) => html`<li><details open><summary>${name(branch.collection?.title ?? '')}
<span class="soft">${grouped(sizeOf(branch))}</span></summary>
${branchHtml(branch, orgId)}</details></li>`,
  );
  return html`<ul class="nodes">${below}${spaces.map((space) => spaceItem(space, orgId))}</ul>`;
}

function sizeOf({ branches, spaces }: Branch): number {
  return branches.reduce((sum, branch) => sum + sizeOf(branch), spaces.length);
}

function spaceItem(
  { id, title, emoji, visibility, changeRequestsOpen, editMode }: Space,
  orgId: string,
): Html {
  const open = changeRequestsOpen > 0 && badge(`${grouped(changeRequestsOpen)} open`, 'state');
  const sign = emojiOf(emoji);
  return html`<li><a href="${spacePath(orgId, id)}">${sign}${name(title)}</a>
<span class="soft">${visibility}</span> ${open} ${editMode === 'locked' && badge('locked', 'state')}</li>`;
}

export function emojiOf(text: string | undefined): HtmlPart {
  if (text === undefined || text === '') return undefined;
  return html`<span aria-hidden="true">${emojiCharacter(text)}</span> `;
}
