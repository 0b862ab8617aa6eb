import type { Client } from '../../api/client.js';
import { type Comment, listCommentReplies, listComments } from '../../api/resources/comments.js';
import { spacePath } from '../parts/address.js';
import { type Html, html, name, type Part } from '../parts/html.js';
import { cutOf, onePage, pageLinks, pageQuery } from '../parts/lists.js';
import { inSpace, type View } from '../parts/visit.js';
import { commentHtml } from './changes.js';
import { spaceTabs } from './space.js';

/** What was said about a space and its pages. */

const markdown = { format: 'markdown' } as const;

export const commentsView: View = async (visit, [orgId = '', spaceId = '']) => {
  const { client, space, trail, beside } = await inSpace(visit, orgId, spaceId);
  const page = visit.query.get('page') ?? undefined;
  const input = { path: { spaceId }, query: { ...pageQuery(page), ...markdown, status: 'all' } };
  const cut = await cutOf(client.call(listComments, input, onePage));
  const threads: Html[] = [];
  for (const comment of cut.items) threads.push(await threadHtml(client, orgId, spaceId, comment));
  const body = [
    spaceTabs(space, visit.at),
    threads.length === 0 ? html`<p>No comments.</p>` : threads,
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Comments', trail, beside, body };
};

async function threadHtml(client: Client, orgId: string, spaceId: string, comment: Comment): Promise<Html> {
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

function onPage(page: Comment['target']['page'], orgId: string, spaceId: string): Part {
  if (page === undefined) return undefined;
  return html`on <a href="${spacePath(orgId, spaceId, 'pages', page.id)}">${name(page.title ?? '')}</a>`;
}
