import { type ContentPage, getFile, getPage, listFiles, listPages } from '../../api/resources/content.js';
import type { Space } from '../../api/resources/spaces.js';
import { counted, grouped } from '../../output/counted.js';
import { fileDownload } from '../../sandbox/content/files.js';
import { snapshotOf } from '../../sandbox/content/snapshot.js';
import { spaceById } from '../../sandbox/records/space.js';
import { notFound } from '../../sandbox/refusal.js';
import { downloadHeaders } from '../../sandbox/server/downloads.js';
import { spacePath } from '../parts/address.js';
import { badge, copyable, facts, type Html, html, name, type Part, table, time } from '../parts/html.js';
import { tabs } from '../parts/layout.js';
import { leadsElsewhere, leadsFrom } from '../parts/leads.js';
import { cutOf, onePage, pageLinks, pageQuery } from '../parts/lists.js';
import { type Leads, rendered } from '../parts/markdown.js';
import { inSpace, type View, type Visit } from '../parts/visit.js';
import { emojiOf } from './orgs.js';

/** A space: its pages, and what is on each. */

/** The parts of a space. */
export function spaceTabs({ organization = '', id, changeRequestsOpen }: Space, at: string): Html {
  const path = (...rest: string[]) => spacePath(organization, id, ...rest);
  const links = [
    { label: 'Pages', href: path() },
    { label: 'Files', href: path('files') },
    { label: `Change requests (${grouped(changeRequestsOpen)} open)`, href: path('change-requests') },
    { label: 'Comments', href: path('comments') },
  ];
  return tabs('Parts of the space', links, at);
}

export const spaceView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail, beside } = await inSpace(visit, orgId, spaceId);
  const { pages } = await client.call(listPages, { path: { spaceId } });
  const body = [
    spaceTabs(space, visit.at),
    facts([
      ['Id', copyable(space.id, 'the id')],
      ['Visibility', space.visibility],
      ['Default level', space.defaultLevel ?? 'none'],
      ['Editing', space.editMode],
      ['Updated', time(space.updatedAt)],
      ['Published', space.urls?.published],
    ]),
    html`<h2>Pages</h2>`,
    pages.length === 0 ? html`<p>No pages.</p>` : pageTree(pages, orgId, spaceId),
  ];
  return { title: space.title, trail: trail.slice(0, -1), beside, body };
};

/** @param current id of the page that is shown beside it */
function pageTree(pages: readonly ContentPage[], orgId: string, spaceId: string, current?: string): Html {
  const items = pages.map((page) => {
    const { id, title, emoji, hidden, computed, pages: below = [] } = page;
    const isCurrent = id === current && html` aria-current="page"`;
    return html`<li><a href="${spacePath(orgId, spaceId, 'pages', id)}"${isCurrent}>${emojiOf(emoji)}${name(title)}</a>
${hidden === true && badge('hidden')} ${computed !== undefined && badge('computed')}
${below.length > 0 && pageTree(below, orgId, spaceId, current)}</li>`;
  });
  return html`<ul class="tree">${items}</ul>`;
}

export const pageView: View = async (visit, [orgId = '', spaceId = '', pageId = '']) => {
  const { client, trail, beside } = await inSpace(visit, orgId, spaceId);
  const path = { spaceId, pageId };
  const [page, { pages }] = await Promise.all([
    client.call(getPage, { path, query: { format: 'markdown' } }),
    client.call(listPages, { path: { spaceId } }),
  ]);
  const body = html`<div class="reading">
<article>
${page.description !== undefined && page.description !== '' && html`<p class="lead" dir="auto">${page.description}</p>`}
${rendered(page.markdown ?? '', leadsOn(visit, spaceId, page.id), page.title)}
<h2 class="quiet">About this page</h2>
${facts([
  ['Id', copyable(page.id, 'the id')],
  ['Path', page.path],
  ['Updated', time(page.updatedAt)],
  ['Computed from', page.computed?.type],
])}
</article>
<nav class="pages" aria-label="Pages of the space"><details open><summary>Pages</summary>${pageTree(pages, orgId, spaceId, page.id)}</details></nav></div>`;
  return { title: page.title, trail, beside, body };
};

function leadsOn({ parts: { db } }: Visit, spaceId: string, pageId: string): Leads {
  const space = spaceById(db, spaceId);
  if (space === undefined) return leadsElsewhere;
  const snapshot = snapshotOf(db, space, space.revision_id);
  const placed = snapshot.pageById.get(pageId);
  return placed === undefined ? leadsElsewhere : leadsFrom({ db, space, snapshot, placed });
}

export const filesView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail, beside } = await inSpace(visit, orgId, spaceId);
  const page = visit.query.get('page') ?? undefined;
  const asked = { path: { spaceId }, query: pageQuery(page) };
  const cut = await cutOf(client.call(listFiles, asked, onePage));
  const rows = cut.items.map(({ id, name: file, contentType, size }): Part[] => [
    html`<a href="${spacePath(orgId, spaceId, 'files', id)}" download>${name(file)}</a>`,
    contentType,
    counted(size, 'byte'),
  ]);
  const body = [
    spaceTabs(space, visit.at),
    rows.length === 0 ? html`<p>No files.</p>` : table('Files', ['Name', 'Type', 'Size'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Files', trail, beside, body };
};

/** The bytes of a file, by the key that its address has. */
export const fileView: View = async (visit, [orgId = '', spaceId = '', fileId = '']) => {
  const { client } = await inSpace(visit, orgId, spaceId);
  const { downloadURL } = await client.call(getFile, { path: { spaceId, fileId } });
  const { db } = visit.parts;
  const key = new URL(downloadURL).pathname.split('/')[2] ?? '';
  const file = db.read(() => fileDownload.serve(db, { key }));
  if (file === undefined) throw notFound('file', fileId);
  return { type: file.contentType, bytes: file.bytes, headers: downloadHeaders(file) };
};
