import type { Client } from '../api/client.js';
import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../api/resources/change-requests.js';
import { type Comment, listCommentReplies, listComments } from '../api/resources/comments.js';
import { type ContentPage, getFile, getPage, listFiles, listPages } from '../api/resources/content.js';
import type { Space } from '../api/resources/spaces.js';
import { diffPart, type Reviewed, type Thread } from '../change-requests/change.js';
import {
  type ChangeReading,
  openChanges,
  readComments,
  readReview,
  reviewItems,
} from '../change-requests/read-changes.js';
import { renderDiffHtml } from '../document/diff.js';
import { Html, type HtmlPart, html } from '../document/html.js';
import { counted, grouped } from '../output/text.js';
import { badge, command } from '../reports/markup.js';
import { snapshotOf } from '../sandbox/content/revisions.js';
import { fileDownload } from '../sandbox/content/view.js';
import { spaceById } from '../sandbox/records/in-path.js';
import { notFound } from '../sandbox/refusal.js';
import { downloadHeaders } from '../sandbox/server/tokens.js';
import { type Leads, leadsElsewhere, leadsFrom, rendered } from './markdown.js';
import { emojiOf } from './org-pages.js';
import {
  cutOf,
  facts,
  name,
  onePage,
  pageLinks,
  pageQuery,
  spacePath,
  table,
  tabs,
  time,
  withQuery,
} from './parts.js';
import { inSpace, type View, type Visit } from './visit.js';

/** Change requests, and what one changes: word by word, with what was said about it. */

const statuses = ['open', 'draft', 'merged', 'archived'] as const;

export const changeRequestsView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail } = await inSpace(visit, orgId, spaceId);
  const asked = visit.query.get('status');
  const status = statuses.find((one) => one === asked) ?? 'open';
  const page = visit.query.get('page') ?? undefined;
  const input = { path: { spaceId }, query: { ...pageQuery(page), status } };
  const cut = await cutOf(client.call(listChangeRequests, input, onePage));
  const path = spacePath(orgId, spaceId, 'change-requests');
  const rows = cut.items.map((one): HtmlPart[] => [
    html`<a href="${spacePath(orgId, spaceId, 'change-requests', one.id)}">#${one.number} ${name(one.subject, 'No subject')}</a>`,
    name(one.createdBy?.displayName ?? '', 'Unknown'),
    time(one.updatedAt),
    grouped(one.comments),
  ]);
  const heads = ['Change request', 'Author', 'Updated', 'Comments'];
  const links = statuses.map((one) => ({ label: one, href: withQuery(path, { status: one }) }));
  const body = [
    spaceTabs(space, visit.at),
    tabs('Status', links, withQuery(path, { status })),
    rows.length === 0
      ? html`<p>No change requests are ${status}.</p>`
      : table('Change requests', heads, rows),
    pageLinks(cut, path, { status, page }),
  ];
  return { title: 'Change requests', trail, body };
};

/** Changes on one page: more would take long to compare. */
const mostShown = 40;

export const changeRequestView: View = async (visit, [orgId = '', spaceId = '', changeRequestId = '']) => {
  const { client, trail } = await inSpace(visit, orgId, spaceId);
  const at = { spaceId, changeRequestId };
  const request = await client.call(getChangeRequest, { path: at });
  const reading: ChangeReading = { client, concurrency: 4, signal: visit.signal };
  const [opened, { comments }] = await Promise.all([openChanges(reading, at), readComments(reading, at)]);
  const items = reviewItems(opened, opened.differences, comments);
  const from = Math.max(0, Math.trunc(Number(visit.query.get('from') ?? 0)) || 0);
  const shown: Html[] = [];
  for await (const reviewed of readReview(reading, opened, items.slice(from, from + mostShown)))
    shown.push(reviewedHtml(reviewed));
  const next = from + mostShown;
  const body = [
    about(request),
    html`<h2>Changes</h2>
<p class="soft">Compared with the content that the space has now.</p>`,
    shown.length === 0 ? html`<p>No differences.</p>` : html`<div class="changes">${shown}</div>`,
    next < items.length &&
      html`<p><a href="${withQuery(visit.at, { from: String(next) })}">Further changes</a> (${counted(items.length - next, 'item')})</p>`,
  ];
  const list = { label: 'Change requests', href: spacePath(orgId, spaceId, 'change-requests') };
  return { title: `#${request.number} ${request.subject}`, trail: [...trail, list], body };
};

function about(request: ChangeRequest): Html {
  const { id, status, createdBy, createdAt, updatedAt, outdated } = request;
  return facts([
    ['Id', command(id)],
    ['Status', html`${badge(status, 'state')} ${outdated && badge('outdated', 'state')}`],
    ['Author', name(createdBy?.displayName ?? '', 'Unknown')],
    ['Created', time(createdAt)],
    ['Updated', time(updatedAt)],
  ]);
}

function reviewedHtml({ comments, ...change }: Reviewed): Html {
  const { kind, title } = change;
  const told =
    kind === 'change-request'
      ? html`<h3>About the change request</h3>`
      : change.changes.length === 0
        ? html`<h3>${name(title)}</h3>\n<p>No changes.</p>`
        : new Html(renderDiffHtml(diffPart({ ...change, kind }), 'h3'));
  return html`<div class="change">${told}${comments.map(threadHtml)}</div>`;
}

function threadHtml({ author, postedAt, text, status, replies }: Thread): Html {
  return commentHtml({ author, postedAt, text, state: status }, replies);
}

interface CommentText {
  author: string;
  postedAt: string;
  text: string;
  state?: string;
}

/** A comment, with the replies below it. */
function commentHtml(
  { author, postedAt, text, state }: CommentText,
  replies: readonly CommentText[],
  more?: HtmlPart,
): Html {
  const below = replies.map((reply) => commentHtml(reply, []));
  return html`<div class="comment"><p class="soft">${name(author, 'Unknown')}, ${time(postedAt)} ${state !== undefined && badge(state, 'state')} ${more}</p>
${rendered(text, leadsElsewhere)}${below}</div>`;
}

/** What was said about a space and its pages. */

const markdown = { format: 'markdown' } as const;

export const commentsView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail } = await inSpace(visit, orgId, spaceId);
  const page = visit.query.get('page') ?? undefined;
  const input = { path: { spaceId }, query: { ...pageQuery(page), ...markdown, status: 'all' } };
  const cut = await cutOf(client.call(listComments, input, onePage));
  const threads: Html[] = [];
  for (const comment of cut.items) threads.push(await commentThread(client, orgId, spaceId, comment));
  const body = [
    spaceTabs(space, visit.at),
    threads.length === 0 ? html`<p>No comments.</p>` : threads,
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Comments', trail, body };
};

async function commentThread(
  client: Client,
  orgId: string,
  spaceId: string,
  comment: Comment,
): Promise<Html> {
  const replies: { author: string; postedAt: string; text: string }[] = [];
  const asked = { path: { spaceId, commentId: comment.id }, query: markdown };
  if (comment.replies > 0)
    for await (const reply of client.call(listCommentReplies, asked)) replies.push(saidIn(reply));
  const { status, target } = comment;
  return commentHtml({ ...saidIn(comment), state: status }, replies, onPage(target.page, orgId, spaceId));
}

function saidIn({ postedBy, postedAt, body }: Pick<Comment, 'postedBy' | 'postedAt' | 'body'>) {
  return { author: postedBy.displayName, postedAt, text: body.markdown ?? '' };
}

function onPage(page: Comment['target']['page'], orgId: string, spaceId: string): HtmlPart {
  if (page === undefined) return undefined;
  return html`on <a href="${spacePath(orgId, spaceId, 'pages', page.id)}">${name(page.title ?? '')}</a>`;
}

/** A space: its pages, and what is on each. */

/** The parts of a space. */
function spaceTabs({ organization = '', id, changeRequestsOpen }: Space, at: string): Html {
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
  const { client, space, trail } = await inSpace(visit, orgId, spaceId);
  const { pages } = await client.call(listPages, { path: { spaceId } });
  const body = [
    spaceTabs(space, visit.at),
    facts([
      ['Id', command(space.id)],
      ['Visibility', space.visibility],
      ['Default level', space.defaultLevel ?? 'none'],
      ['Editing', space.editMode],
      ['Updated', time(space.updatedAt)],
      ['Published', space.urls?.published],
    ]),
    html`<h2>Pages</h2>`,
    pages.length === 0 ? html`<p>No pages.</p>` : pageTree(pages, orgId, spaceId),
  ];
  return { title: space.title, trail: trail.slice(0, -1), body };
};

/** @param current id of the page that is shown beside it */
function pageTree(pages: readonly ContentPage[], orgId: string, spaceId: string, current?: string): Html {
  const items = pages.map((page) => {
    const { id, title, emoji, hidden, computed, pages: below = [] } = page;
    const isCurrent = id === current && html` aria-current="page"`;
    return html`<li><a href="${spacePath(orgId, spaceId, 'pages', id)}"${isCurrent}>${emojiOf(emoji)}${name(title)}</a>
${hidden === true && badge('hidden', 'state')} ${computed !== undefined && badge('computed', 'state')}
${below.length > 0 && pageTree(below, orgId, spaceId, current)}</li>`;
  });
  return html`<ul class="nodes">${items}</ul>`;
}

export const pageView: View = async (visit, [orgId = '', spaceId = '', pageId = '']) => {
  const { client, trail } = await inSpace(visit, orgId, spaceId);
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
  ['Id', command(page.id)],
  ['Path', page.path],
  ['Updated', time(page.updatedAt)],
  ['Computed from', page.computed?.type],
])}
</article>
<nav class="beside" aria-label="Pages of the space"><details open><summary>Pages</summary>${pageTree(pages, orgId, spaceId, page.id)}</details></nav></div>`;
  return { title: page.title, trail, body };
};

function leadsOn({ parts: { db } }: Visit, spaceId: string, pageId: string): Leads {
  const space = spaceById(db, spaceId);
  if (space === undefined) return leadsElsewhere;
  const snapshot = snapshotOf(db, space, space.revision_id);
  const placed = snapshot.pageById.get(pageId);
  return placed === undefined ? leadsElsewhere : leadsFrom({ db, space, snapshot, placed });
}

export const filesView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail } = await inSpace(visit, orgId, spaceId);
  const page = visit.query.get('page') ?? undefined;
  const asked = { path: { spaceId }, query: pageQuery(page) };
  const cut = await cutOf(client.call(listFiles, asked, onePage));
  const rows = cut.items.map(({ id, name: file, contentType, size }): HtmlPart[] => [
    html`<a href="${spacePath(orgId, spaceId, 'files', id)}" download>${name(file)}</a>`,
    contentType,
    counted(size, 'byte'),
  ]);
  const body = [
    spaceTabs(space, visit.at),
    rows.length === 0 ? html`<p>No files.</p>` : table('Files', ['Name', 'Type', 'Size'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Files', trail, body };
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
