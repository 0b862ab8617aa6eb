import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../../api/resources/change-requests.js';
import { counted, grouped } from '../../output/counted.js';
import { changeHtml, type Reviewed, type Thread } from '../../workflows/change-diff/change.js';
import {
  type ChangeReading,
  openChanges,
  readComments,
  readReview,
  reviewItems,
} from '../../workflows/change-diff/read-changes.js';
import { spacePath, withQuery } from '../parts/address.js';
import { badge, copyable, facts, Html, html, name, type Part, table, time } from '../parts/html.js';
import { tabs } from '../parts/layout.js';
import { leadsElsewhere } from '../parts/leads.js';
import { cutOf, onePage, pageLinks, pageQuery } from '../parts/lists.js';
import { rendered } from '../parts/markdown.js';
import { inSpace, type View } from '../parts/visit.js';
import { spaceTabs } from './space.js';

/** Change requests, and what one changes: word by word, with what was said about it. */

const statuses = ['open', 'draft', 'merged', 'archived'] as const;

export const changeRequestsView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail, beside } = await inSpace(visit, orgId, spaceId);
  const asked = visit.query.get('status');
  const status = statuses.find((one) => one === asked) ?? 'open';
  const page = visit.query.get('page') ?? undefined;
  const input = { path: { spaceId }, query: { ...pageQuery(page), status } };
  const cut = await cutOf(client.call(listChangeRequests, input, onePage));
  const path = spacePath(orgId, spaceId, 'change-requests');
  const rows = cut.items.map((one): Part[] => [
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
  return { title: 'Change requests', trail, beside, body };
};

/** Changes on one page: more would take long to compare. */
const mostShown = 40;

export const changeRequestView: View = async (visit, [orgId = '', spaceId = '', changeRequestId = '']) => {
  const { client, trail, beside } = await inSpace(visit, orgId, spaceId);
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
  return { title: `#${request.number} ${request.subject}`, trail: [...trail, list], beside, body };
};

function about(request: ChangeRequest): Html {
  const { id, status, createdBy, createdAt, updatedAt, outdated } = request;
  return facts([
    ['Id', copyable(id, 'the id')],
    ['Status', html`${badge(status)} ${outdated && badge('outdated')}`],
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
        : new Html(changeHtml({ ...change, kind }, 'h3'));
  return html`<div class="change">${told}${comments.map(threadHtml)}</div>`;
}

function threadHtml({ author, postedAt, text, status, replies }: Thread): Html {
  return commentHtml({ author, postedAt, text, state: status }, replies);
}

interface Said {
  author: string;
  postedAt: string;
  text: string;
  state?: string;
}

/** A comment, with the replies below it. */
export function commentHtml(
  { author, postedAt, text, state }: Said,
  replies: readonly Said[],
  more?: Part,
): Html {
  const below = replies.map((reply) => commentHtml(reply, []));
  return html`<div class="comment"><p class="soft">${name(author, 'Unknown')}, ${time(postedAt)} ${state !== undefined && badge(state)} ${more}</p>
${rendered(text, leadsElsewhere)}${below}</div>`;
}
