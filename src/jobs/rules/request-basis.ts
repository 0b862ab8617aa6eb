import { prepare } from '../../api/client.js';
import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import { type ChangeRequest, getChangeRequest } from '../../api/resources/change-requests.js';
import type { CommentReply } from '../../api/resources/comment-replies.js';
import type { Comment } from '../../api/resources/comments.js';
import { isObject } from '../../base/values.js';
import { canonical, sha256 } from '../held.js';
import { type Resource, requestFor } from '../request.js';
import type { Basis } from '../rule.js';
import type { State } from '../state.js';
import { picked } from './builders.js';

/** What commands rest on that act on a change request because nothing happened on it. */

const own = ['revision', 'subject', 'status', 'updatedAt'] as const;

/** The query that lists the comments of all statuses as `discussionOf` takes them. */
export const discussionQuery = { status: 'all', format: 'markdown' } as const;

export const requestBasis: Basis = {
  // Not those of its own: other changes expect them, too, and read no comments for it.
  fields: ['discussion'],
  paths({ path = {} }) {
    const { path: request } = prepare(getChangeRequest, { path });
    return [request, prepare(listChangeRequestComments, { path, query: discussionQuery }).path];
  },
  async read(reads, { path }) {
    const { input } = requestFor(getChangeRequest, path);
    const request = await reads.one(getChangeRequest, input);
    const comments = await reads.all(listChangeRequestComments, { ...input, query: discussionQuery });
    if (request === null || comments === null) return null;
    const replies = new Map<string, readonly Resource[]>();
    for (const { id, replies: count } of comments) {
      if (typeof id !== 'string' || count === 0) continue;
      const own = await reads.all(listChangeRequestCommentReplies, {
        path: { ...input.path, commentId: id },
      });
      // Null where the comment was deleted in the meantime.
      replies.set(id, own ?? []);
    }
    return basisState(request, { comments, replies });
  },
};

/** The same from what was read already. */
export function basisOfRequest(
  request: ChangeRequest,
  {
    comments,
    replies,
  }: { comments: readonly Comment[]; replies: ReadonlyMap<string, readonly CommentReply[]> },
): State {
  return basisState(request, { comments, replies });
}

interface Said {
  comments: readonly Resource[];
  /** By the id of their comment. */
  replies: ReadonlyMap<string, readonly Resource[]>;
}

function basisState(request: Resource, { comments, replies }: Said): State {
  const traces = comments.map((comment) => ({
    ...traceOf(comment),
    replies: (replies.get(String(comment.id)) ?? []).map(traceOf),
  }));
  return { ...picked(request, own), discussion: `sha256:${sha256(canonical(traces))}` };
}

/** All of a comment, or of a reply, that somebody may change. */
function traceOf(comment: Resource): object {
  const fields = picked(comment, ['id', 'postedAt', 'editedAt', 'status', 'resolvedAt', 'body']);
  const reactions = Array.isArray(comment.reactions) ? comment.reactions.map(reactionOf) : [];
  return { ...fields, reactions };
}

function reactionOf(reaction: unknown): unknown {
  return isObject(reaction) ? picked(reaction, ['emoji', 'count']) : reaction;
}
