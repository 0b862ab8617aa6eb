import type { Listing } from '../api/client.js';
import { listMembers } from '../api/resources/members.js';
import { searchOrg } from '../api/resources/orgs.js';
import { listSites } from '../api/resources/sites.js';
import { listTeams } from '../api/resources/teams.js';
import { DocsError } from '../base/errors.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { counted, grouped } from '../output/text.js';
import { name, orgPath, spacePath } from './parts.js';
import { spacesOf } from './side.js';
import { type InOrg, inOrg, type View } from './visit.js';

/** One search over everything that has a name or a text, as the user whom the pages show may find it. */

/** Hits that are shown of each kind. */
const most = 20;

interface Hits {
  kind: string;
  /** All, where the platform counts them. */
  count: number | undefined;
  rows: Html[];
}

export const searchView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const { trail } = found;
  const text = (visit.query.get('q') ?? '').trim();
  const title = 'Search';
  if (text === '') return { title, trail, body: html`<p>Type a name, an email, or words of a page.</p>` };
  const hits = (await hitsOf(found, text)).filter(({ rows }) => rows.length > 0);
  const sections = hits.map(
    ({
      kind,
      count,
      rows,
    }) => html`<h2>${kind} <span class="count">${grouped(count ?? rows.length)}</span></h2>
<ul class="list hits">${rows.map((row) => html`<li>${row}</li>`)}</ul>
${(count ?? 0) > rows.length && html`<p class="soft">The first ${counted(rows.length, 'hit')} are shown.</p>`}`,
  );
  const body =
    hits.length === 0 ? html`<p class="empty">Nothing found for <b dir="auto">${text}</b>.</p>` : sections;
  return { title: `Search: ${text}`, trail, body };
};

async function hitsOf(found: InOrg, text: string): Promise<Hits[]> {
  const { client, org } = found;
  const path = { organizationId: org.id };
  const needle = text.toLowerCase();
  const has = (title: string) => title.toLowerCase().includes(needle);
  const spaces = (await spacesOf(found)).filter(({ title }) => has(title));
  const sites = await collect(client.call(listSites, { path }, { most: 1000 }));
  const fitting = sites.items.filter(({ title }) => has(title));
  const members = await collect(
    client.call(listMembers, { path, query: { search: text, limit: most } }, { most }),
  );
  const teams = await collect(
    client.call(listTeams, { path, query: { title: text, limit: most } }, { most }),
  );
  const link = (href: string, title: string, more?: HtmlPart) =>
    html`<a href="${href}">${name(title)}</a> <span class="soft">${more}</span>`;
  return [
    {
      kind: 'Members',
      count: members.count,
      rows: members.items.map(({ id, user, role }) =>
        link(
          orgPath(org.id, 'members', id),
          user.displayName,
          html`<bdi>${user.email ?? ''}</bdi> ${role ?? 'guest'}`,
        ),
      ),
    },
    {
      kind: 'Spaces',
      count: spaces.length,
      rows: spaces.slice(0, most).map((one) => link(spacePath(org.id, one.id), one.title, one.visibility)),
    },
    {
      kind: 'Sites',
      count: fitting.length,
      rows: fitting
        .slice(0, most)
        .map((one) => link(orgPath(org.id, 'sites', one.id), one.title, one.visibility)),
    },
    {
      kind: 'Teams',
      count: teams.count,
      rows: teams.items.map((one) =>
        link(orgPath(org.id, 'teams', one.id), one.title, counted(one.members, 'member')),
      ),
    },
    await pageHits(found, text),
  ];
}

/** Pages by their text, as the search of the platform finds them. */
async function pageHits({ client, org }: InOrg, query: string): Promise<Hits> {
  const path = { organizationId: org.id };
  const { items } = await collect(client.call(searchOrg, { path, query: { query, limit: most } }, { most }));
  const rows = items.flatMap(({ id, title, pages }) =>
    pages.map(
      (page) =>
        html`<a href="${spacePath(org.id, id, 'pages', page.id)}">${name(page.title)}</a> <span class="soft">in ${name(title)}</span>`,
    ),
  );
  return { kind: 'Pages', count: undefined, rows: rows.slice(0, most) };
}

/** The first page of a list; nothing of one that the user may not see. */
async function collect<T>(listing: Listing<T>): Promise<{ items: readonly T[]; count: number | undefined }> {
  try {
    for await (const { items, count } of listing.pages()) return { items, count };
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
  }
  return { items: [], count: undefined };
}
