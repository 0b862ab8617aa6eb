import { listChangeRequestCommentReplies } from '../../../src/api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../../src/api/resources/change-request-comments.js';
import * as ofChange from '../../../src/api/resources/change-request-content.js';
import { listChangeRequests } from '../../../src/api/resources/change-requests.js';
import { listCommentReplies } from '../../../src/api/resources/comment-replies.js';
import { listComments } from '../../../src/api/resources/comments.js';
import * as ofSpace from '../../../src/api/resources/content.js';
import type { ContentPage, Revision } from '../../../src/api/resources/revisions.js';
import { getSpace, listSpaceLinks } from '../../../src/api/resources/spaces.js';
import type { CopiedComment } from '../../../src/sandbox/copy/comments.js';
import type { PageText } from '../../../src/sandbox/copy/content-pages.js';
import type { Client } from '../client.js';

/** The content of a space or a change request, as its API answers it. */
export interface ContentAnswers {
  revision: Revision;
  texts: Map<string, PageText>;
  bytes: Map<string, Uint8Array>;
}

/** All that the API tells of the content of a space, and of its open change requests. */
export async function answersOf(client: Client, spaceId: string) {
  const path = { spaceId };
  const query = { limit: 100 };
  const requests = await client.all(listChangeRequests, { path, query });
  const changes = [];
  for (const request of requests) {
    const inChange = { spaceId, changeRequestId: request.id };
    const content = await contentOf(
      await client.ok(ofChange.getChangeRequestContent, { path: inChange }),
      (pageId, format) =>
        client.ok(ofChange.getChangeRequestPage, { path: { ...inChange, pageId }, query: { format } }),
    );
    const comments = await client.all(listChangeRequestComments, { path: inChange, query });
    const replies = (commentId: string) =>
      client.all(listChangeRequestCommentReplies, { path: { ...inChange, commentId }, query });
    changes.push({ request, content, comments: await withReplies(comments, replies) });
  }
  const content = await contentOf(await client.ok(ofSpace.getContent, { path }), (pageId, format) =>
    client.ok(ofSpace.getPage, { path: { ...path, pageId }, query: { format } }),
  );
  const comments = await client.all(listComments, { path, query });
  const replies = (commentId: string) =>
    client.all(listCommentReplies, { path: { ...path, commentId }, query });
  return {
    space: await client.ok(getSpace, { path }),
    content,
    changes,
    comments: await withReplies(comments, replies),
    links: await client.all(listSpaceLinks, { path, query }),
  };
}

export type Answers = Awaited<ReturnType<typeof answersOf>>;

/** The same for two sandboxes with the same content: without the addresses that each makes anew. */
export function comparable(answers: Answers): unknown {
  const text = JSON.stringify(answers, (key, value) => {
    if (key === 'downloadURL') return undefined;
    return value instanceof Map ? [...value] : value;
  });
  return JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/files\/[^/]+/g, 'files:'));
}

async function contentOf(
  revision: Revision,
  read: (pageId: string, format: 'markdown' | 'document') => Promise<ContentPage>,
): Promise<ContentAnswers> {
  const texts = new Map<string, PageText>();
  for (const { id } of flat(revision.pages)) {
    const { markdown = '' } = await read(id, 'markdown');
    const { document } = await read(id, 'document');
    texts.set(id, { markdown, document });
  }
  const bytes = new Map<string, Uint8Array>();
  for (const { id, downloadURL } of revision.files) {
    const response = await fetch(downloadURL);
    bytes.set(id, new Uint8Array(await response.arrayBuffer()));
  }
  return { revision, texts, bytes };
}

function flat(pages: readonly ContentPage[]): ContentPage[] {
  return pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
}

async function withReplies(
  comments: readonly CopiedComment['comment'][],
  repliesTo: (id: string) => Promise<CopiedComment['replies']>,
): Promise<CopiedComment[]> {
  const all: CopiedComment[] = [];
  for (const comment of comments)
    all.push({ comment, replies: comment.replies === 0 ? [] : await repliesTo(comment.id) });
  return all;
}
