import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import type { CommentReply } from '../../api/resources/comment-replies.js';
import { readAll } from '../../jobs/in-order.js';
import { discussionQuery } from '../../jobs/rules/request-basis.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import type { SpaceRequest } from '../../snapshot/change-requests.js';
import { allItems } from '../../snapshot/lists.js';
import type { Discussion } from './activity.js';

/** What was said about change requests. */

/** A change request with its discussion; or why that could not be read. */
export type Discussed = { request: SpaceRequest } & (
  | { discussion: Discussion }
  | { discussion?: undefined; unread: Unread }
);

/** The discussions, in the order of the change requests. */
export function discussionsOf(reading: Reading, requests: readonly SpaceRequest[]): Promise<Discussed[]> {
  return readAll(reading, requests, async (request): Promise<Discussed> => {
    try {
      return { request, discussion: await discussionOf(reading, request) };
    } catch (cause) {
      const what = {
        kind: 'change-request',
        id: request.id,
        title: request.subject,
        space: request.space.id,
      };
      return { request, unread: unreadOf(cause, reading.signal, what) };
    }
  });
}

async function discussionOf({ client }: Reading, { id, space }: SpaceRequest): Promise<Discussion> {
  const path = { spaceId: space.id, changeRequestId: id };
  const comments = await allItems(client.call(listChangeRequestComments, { path, query: discussionQuery }));
  const replies = new Map<string, CommentReply[]>();
  for (const comment of comments.filter((one) => one.replies > 0)) {
    const at = { path: { ...path, commentId: comment.id } };
    replies.set(comment.id, await allItems(client.call(listChangeRequestCommentReplies, at)));
  }
  return { comments, replies };
}
