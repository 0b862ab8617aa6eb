import { searchOrg } from '../api/resources/orgs.js';
import { type Html, html } from '../document/html.js';
import { grouped } from '../output/text.js';
import { cutOf, name, spacePath } from './parts.js';
import { systems } from './systems.js';
import { type InOrg, inOrg, type View } from './visit.js';

/** One search over everything that has a name or a text, as the user whom the pages show may find it. */

/** Hits that are shown of each kind. */
const most = 20;

interface Hits {
  kind: string;
  count: number;
  rows: readonly Html[];
}

export const searchView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const { trail } = found;
  const text = (visit.query.get('q') ?? '').trim();
  if (text === '')
    return { title: 'Search', trail, body: html`<p>Type a name, an email, or words of a page.</p>` };
  const all: Hits[] = [];
  for (const { label, find } of systems) {
    if (find === undefined) continue;
    const { rows, count } = await find(found, visit, text, most);
    all.push({
      kind: label,
      count,
      rows: rows.map(([first, second]) => html`${first} <span class="soft">${second}</span>`),
    });
  }
  const hits = [...all, await pageHits(found, text)].filter(({ rows }) => rows.length > 0);
  const sections = hits.map(
    ({ kind, count, rows }) => html`<h2>${kind} <span class="count">${grouped(count)}</span></h2>
<ul class="list hits">${rows.map((row) => html`<li>${row}</li>`)}</ul>
${count > rows.length && html`<p class="soft">The first ${rows.length} are shown.</p>`}`,
  );
  const none = html`<p class="empty">Nothing found for <b dir="auto">${text}</b>.</p>`;
  return { title: `Search: ${text}`, trail, body: hits.length === 0 ? none : sections };
};

/** Pages by their text, as the search of the platform finds them. */
async function pageHits({ client, org }: InOrg, query: string): Promise<Hits> {
  const asked = { path: { organizationId: org.id }, query: { query, limit: most } };
  const { items } = await cutOf(client.call(searchOrg, asked));
  const rows = items.flatMap(({ id, title, pages }) =>
    pages.map(
      (page) =>
        html`<a href="${spacePath(org.id, id, 'pages', page.id)}">${name(page.title)}</a> <span class="soft">in ${name(title)}</span>`,
    ),
  );
  return { kind: 'Pages', count: rows.length, rows: rows.slice(0, most) };
}
