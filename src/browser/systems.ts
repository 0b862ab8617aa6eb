import type { Client, Listing } from '../api/client.js';
import { listChangeRequests } from '../api/resources/change-requests.js';
import { listComments } from '../api/resources/comments.js';
import { getInvite } from '../api/resources/members.js';
import type { Organization } from '../api/resources/orgs.js';
import type { Space } from '../api/resources/spaces.js';
import { type HtmlPart, html } from '../document/html.js';
import { grouped } from '../output/text.js';
import { badge, command, short } from '../reports/markup.js';
import { placed } from './actions.js';
import { type CommandList, type Item, listHtml, openList } from './command-lists.js';
import { spacesView } from './org-pages.js';
import { cutOf, facts, name, orgPath, type Page, spacePath, table, time } from './parts.js';
import { countOf, type InOrg, inOrg, spacesOf, type View, type Visit } from './visit.js';

/** The systems of an organization: each is at the left with its count, has a page, and is searched. */

type Row = readonly HtmlPart[];

export interface System {
  label: string;
  /** Of its address. */
  part: string;
  /** @param spaces those that the user sees */
  count(found: InOrg, visit: Visit, spaces: readonly Space[]): Promise<number | undefined>;
  view: View;
  /** The rows that a text is found in, at most so many, and how many there are; none where it is not searched. */
  find?(
    found: InOrg,
    visit: Visit,
    text: string,
    most: number,
  ): Promise<{ rows: readonly Row[]; count: number }>;
}

interface ListSystem extends Pick<System, 'label' | 'part'> {
  /** The command that lists it; default: its address and `list`. */
  words?: string;
  /** The field of an item that the address of its page has; without it there is no page of it. */
  key?: 'id' | 'slug';
  /** Above the list. */
  lead?(org: Organization): HtmlPart;
  /** What the platform searches it by, or the pages: the text of an item. */
  finds?: 'search' | 'title' | ((item: Item) => unknown);
}

/** A system that the platform has a list of: as its command prints it. */
function listed({ label, part, words = `${part} list`, key, lead, finds }: ListSystem): System {
  const listIn = ({ org }: InOrg): CommandList => ({
    words,
    path: { organizationId: org.id },
    href: key && ((item) => orgPath(org.id, part, String(item[key]))),
  });
  const view: View = async (visit, [orgId = '']) => {
    const found = await inOrg(visit, orgId);
    const text = typeof finds === 'string' ? visit.query.get(finds) : undefined;
    const query = typeof finds === 'string' && text ? { [finds]: text } : {};
    const list = await listHtml(visit, found.client, listIn(found), query);
    return { title: label, trail: found.trail, body: [lead?.(found.org), list] };
  };
  const find: System['find'] = async (found, visit, text, most) => {
    const { ask, shown } = await openList(visit, listIn(found));
    if (typeof finds === 'string') {
      const { items, count = items.length } = await cutOf(ask(found.client, { limit: most, [finds]: text }));
      return { rows: shown(items).rows, count };
    }
    const { items } = await cutOf(ask(found.client, { limit: 1000 }));
    const fitting = items.filter((item) => isIn(String(finds?.(item)), text));
    return { rows: shown(fitting.slice(0, most)).rows, count: fitting.length };
  };
  const count: System['count'] = async (found, visit) =>
    countOf((await openList(visit, listIn(found))).ask(found.client, { limit: 1 }));
  return { label, part, count, view, ...(finds !== undefined && { find }) };
}

function isIn(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

interface ListParts {
  heads: readonly string[];
  rows: readonly Row[];
  lead?: HtmlPart;
  more?: HtmlPart;
}

function listPage({ trail }: InOrg, title: string, { heads, rows, lead, more }: ListParts): Page {
  const list = rows.length === 0 ? html`<p class="empty">Nothing here.</p>` : table(title, heads, rows);
  return { title, trail, body: [lead, list, more] };
}

/** Rows of a list that is put together. */
const mostRows = 300;

interface SpaceSystem<Item> extends Pick<System, 'label' | 'part'> {
  countIn(space: Space): number;
  list(client: Client, spaceId: string): Listing<Item>;
  heads: readonly string[];
  row(item: Item, space: Space, orgId: string): Row;
  /** By what the latest comes first. */
  time(item: Item): string;
}

/** A system that the platform lists space by space: here the latest of all. */
function acrossSpaces<Item>({
  label,
  part,
  countIn,
  list,
  heads,
  row,
  time: timeOf,
}: SpaceSystem<Item>): System {
  const view: View = async (visit, [orgId = '']) => {
    const found = await inOrg(visit, orgId);
    const all: { at: string; row: Row }[] = [];
    for (const space of (await spacesOf(found)).filter((one) => countIn(one) > 0))
      for await (const item of list(found.client, space.id))
        all.push({ at: timeOf(item), row: row(item, space, orgId) });
    const rows = all
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, mostRows)
      .map((one) => one.row);
    const more =
      all.length > mostRows &&
      html`<p class="soft">The latest ${grouped(mostRows)} of ${grouped(all.length)}.</p>`;
    return listPage(found, label, { heads, rows, more });
  };
  const count: System['count'] = async (_, __, spaces) =>
    spaces.reduce((sum, space) => sum + countIn(space), 0);
  return { label, part, count, view };
}

const link = (href: string, text: string) => html`<a href="${href}">${name(text)}</a>`;

const spaces: System = {
  label: 'Spaces',
  part: 'spaces',
  count: async (_, __, { length }) => length,
  view: spacesView,
  async find(found, _, text, most) {
    const fitting = (await spacesOf(found)).filter(({ title }) => isIn(title, text));
    const row = ({ id, title, visibility }: Space) => [link(spacePath(found.org.id, id), title), visibility];
    return { rows: fitting.slice(0, most).map(row), count: fitting.length };
  },
};

const collections = listed({ label: 'Collections', part: 'collections' });

const members = listed({
  ...{ label: 'Members', part: 'members', key: 'id', finds: 'search' },
  lead: () => html`<p class="lead">Open a member to see the organization as this member.</p>`,
});

const teams = listed({ label: 'Teams', part: 'teams', key: 'id', finds: 'title' });

const sites = listed({ label: 'Sites', part: 'sites', key: 'id', finds: ({ title }) => title });

const changeRequests = acrossSpaces({
  label: 'Change requests',
  part: 'change-requests',
  countIn: (space) => space.changeRequestsOpen,
  list: (client, spaceId) => client.call(listChangeRequests, { path: { spaceId } }, { most: mostRows }),
  heads: ['Open change request', 'Space', 'Author', 'Updated', 'Comments'],
  row: ({ id, number, subject, createdBy, updatedAt, comments: said, outdated }, space, orgId) => [
    html`${link(spacePath(orgId, space.id, 'change-requests', id), `#${number} ${subject}`)} ${outdated && badge('outdated', 'state')}`,
    link(spacePath(orgId, space.id), space.title),
    name(createdBy?.displayName ?? '', 'Unknown'),
    time(updatedAt),
    grouped(said),
  ],
  time: ({ updatedAt }) => updatedAt,
});

const comments = acrossSpaces({
  label: 'Comments',
  part: 'comments',
  countIn: (space) => space.comments,
  list: (client, spaceId) =>
    client.call(
      listComments,
      { path: { spaceId }, query: { format: 'markdown', status: 'open' } },
      { most: mostRows },
    ),
  heads: ['Open comment', 'Author', 'Space', 'Posted', 'Replies'],
  row: ({ body, postedBy, postedAt, replies }, space, orgId) => [
    html`<span dir="auto">${short((body.markdown ?? '').split('\n', 1)[0] ?? '', 90)}</span>`,
    name(postedBy.displayName),
    link(spacePath(orgId, space.id, 'comments'), space.title),
    time(postedAt),
    grouped(replies),
  ],
  time: ({ postedAt }) => postedAt,
});

const specs = listed({ label: 'OpenAPI specs', part: 'openapi', key: 'slug', finds: ({ slug }) => slug });

const customFields = listed({ label: 'Custom fields', part: 'custom-fields' });

const saml = listed({
  ...{ label: 'SSO and SAML', part: 'saml' },
  lead: ({ sso, emailDomains }) =>
    facts([
      ['Single sign-on', sso === true ? 'enforced' : 'not enforced'],
      ['Email domains', emailDomains.join(', ')],
    ]),
});

const translations = listed({ label: 'Translations', part: 'translations' });

/** Ids of invites, and deleted spaces: the API lists neither, the sandbox knows them. */
const inviteIds = 'SELECT id FROM invites WHERE org_id = ? ORDER BY id';
const deletedSpaces = `SELECT id, title, deleted_at AS deletedAt FROM spaces
  WHERE org_id = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC LIMIT ${mostRows}`;

const invites: System = {
  label: 'Invites',
  part: 'invites',
  count: async ({ org }, { parts }) => parts.db.all(inviteIds, org.id).length,
  async view(visit, [organizationId = '']) {
    const found = await inOrg(visit, organizationId);
    const rows: Row[] = [];
    for (const { id: inviteId } of visit.parts.db.all<{ id: string }>(inviteIds, organizationId)) {
      const { role, redundant } = await found.client.call(getInvite, { path: { organizationId, inviteId } });
      rows.push([
        badge(role, 'role'),
        redundant ? 'gives no more than the default role' : '',
        command(inviteId),
      ]);
    }
    const lead = html`<p class="lead">Invite links are ${found.org.inviteLinks ? 'on' : 'off'}. The API reads an invite by its id, and cannot list them.</p>`;
    return listPage(found, 'Invites', { heads: ['Role', 'Effect', 'Id'], rows, lead });
  },
};

const trash: System = {
  label: 'Trash',
  part: 'trash',
  count: async ({ org }, { parts }) => parts.db.all(deletedSpaces, org.id).length,
  async view(visit, [orgId = '']) {
    const found = await inOrg(visit, orgId);
    const deleted = visit.parts.db.all<{ id: string; title: string; deletedAt: number }>(
      deletedSpaces,
      orgId,
    );
    const rows = deleted.map(({ id, title, deletedAt }) => [
      name(title),
      time(new Date(deletedAt).toISOString()),
      command(placed(['spaces', 'restore', id], visit.settings)),
    ]);
    const lead = html`<p class="lead">A deleted space can be restored for seven days. The API cannot list the deleted ones.</p>`;
    return listPage(found, 'Trash', { heads: ['Space', 'Deleted', 'Restore it'], rows, lead });
  },
};

export const systems: readonly System[] = [
  ...[spaces, collections, members, teams, sites, changeRequests, comments],
  ...[specs, customFields, saml, invites, translations, trash],
];
