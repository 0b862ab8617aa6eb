import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import type { CommentReply } from '../../api/resources/comment-replies.js';
import type { Comment } from '../../api/resources/comments.js';
import { getSpace } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import { discussionQuery } from '../../jobs/rules/request-basis.js';
import {
  type FoundRequests,
  type RequestStatus,
  requestsOfAll,
  type SpaceRequest,
} from '../../reading/change-requests.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import type { Discussion } from './activity.js';

/** The change requests that may be stale, and what was said about them. */

/**
 * The change requests of the given spaces, by id; of all spaces where none is given.
 * @throws DocsError as `requestsOfAll`
 */
export function requestsIn(
  reading: Reading,
  spaces: readonly string[],
  statuses: readonly RequestStatus[],
): Promise<FoundRequests> {
  return spaces.length === 0 ? requestsOfAll(reading, statuses) : requestsOfSome(reading, spaces, statuses);
}

async function requestsOfSome(
  reading: Reading,
  spaces: readonly string[],
  statuses: readonly RequestStatus[],
): Promise<FoundRequests> {
  const read = await readAll(reading, [...new Set(spaces)], async (spaceId): Promise<FoundRequests> => {
    const requests: SpaceRequest[] = [];
    try {
      const { id, title } = await reading.client.call(getSpace, { path: { spaceId } });
      for (const status of statuses) {
        const list = reading.client.call(listChangeRequests, { path: { spaceId }, query: { status } });
        for await (const one of list) requests.push({ ...one, space: { id, title } });
      }
    } catch (cause) {
      return {
        requests,
        unread: [unreadOf(cause, reading.signal, { kind: 'space', id: spaceId })],
        spaces: 1,
      };
    }
    return { requests, unread: [], spaces: 1 };
  });
  return {
    requests: read.flatMap(({ requests }) => requests),
    unread: read.flatMap(({ unread }) => unread),
    spaces: read.length,
  };
}

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
  const comments: Comment[] = [];
  for await (const one of client.call(listChangeRequestComments, { path, query: discussionQuery }))
    comments.push(one);
  const replies = new Map<string, CommentReply[]>();
  for (const comment of comments.filter((one) => one.replies > 0)) {
    const own: CommentReply[] = [];
    const at = { path: { ...path, commentId: comment.id } };
    for await (const reply of client.call(listChangeRequestCommentReplies, at)) own.push(reply);
    replies.set(comment.id, own);
  }
  return { comments, replies };
}
