import { body, one, operation, page } from '../operation.js';
import { format, shape } from '../shapes.js';
import { type Static, type TProperties, Type } from '../type.js';
import { commentBody, posted, reactionChanges } from './comments.js';

/** Replies to comments (spec B, "Comment reply" and "Space comments"). */

export const CommentReply = shape({ object: Type.Literal('comment-reply'), ...posted });
export type CommentReply = Static<typeof CommentReply>;

/** As `commentOperations`. @param createQuery query of the creation, which only change requests have */
export function replyOperations<const P extends string, Q extends TProperties>(
  path: P,
  id: string,
  on: string,
  createQuery: Q,
) {
  return {
    list: operation(`${id}.list`, 'GET', path, {
      summary: `List the replies to a comment on ${on}`,
      query: { format },
      returns: page(CommentReply),
    }),
    create: operation(`${id}.create`, 'POST', path, {
      summary: `Reply to a comment on ${on}`,
      query: createQuery,
      body: body({ body: commentBody }),
      returns: one(CommentReply),
      needs: 'comment',
    }),
    get: operation(`${id}.get`, 'GET', `${path}/{commentReplyId}`, {
      summary: `Get a reply to a comment on ${on}`,
      query: { format },
      returns: one(CommentReply),
    }),
  };
}

const replies = '/v1/spaces/{spaceId}/comments/{commentId}/replies';

export const {
  list: listCommentReplies,
  create: createCommentReply,
  get: getCommentReply,
} = replyOperations(replies, 'comment-replies', 'a space', {});

/** Exists for spaces only. */
export const updateCommentReply = operation('comment-replies.update', 'PUT', `${replies}/{commentReplyId}`, {
  summary: 'Edit or react to a reply on a space',
  body: body({ body: Type.Optional(commentBody), ...reactionChanges }),
  returns: one(CommentReply),
  needs: 'comment',
});
