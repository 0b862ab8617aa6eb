import { body, nothing, one, operation, page } from '../operation.js';
import {
  Document,
  format,
  id,
  known,
  meant,
  order,
  permissions,
  refersTo,
  shape,
  timestamp,
  User,
  urls,
} from '../shapes.js';
import { type Static, type TProperties, Type } from '../type.js';

/** Comments on spaces (spec B, "Comment" and "Space comments"); change requests have the same operations. */

const text = Type.Optional(Type.String());

const Reaction = shape({
  emoji: meant('emoji', Type.String()),
  count: Type.Number(),
  users: Type.Array(shape({ user: User, reactedAt: timestamp })),
});

/** Fields shared by comments and replies. */
export const posted = {
  id,
  postedBy: User,
  postedAt: timestamp,
  editedAt: Type.Optional(timestamp),
  reactions: Type.Array(Reaction),
  body: shape({ markdown: text, document: Type.Optional(Document) }),
  urls: urls(['location']),
  permissions: permissions(['view', 'edit', 'reply', 'delete']),
};

const commentedPage = shape({
  id,
  title: text,
  emoji: Type.Optional(meant('emoji', Type.String())),
  icon: text,
  createdAt: Type.Optional(timestamp),
  updatedAt: Type.Optional(timestamp),
  path: text,
  outdated: Type.Optional(Type.Boolean()),
});

export const Comment = shape({
  object: Type.Literal('comment'),
  ...posted,
  replies: Type.Number(),
  target: shape({
    node: Type.Optional(shape({ id, preview: text })),
    changeRequest: text,
    review: text,
    page: Type.Optional(commentedPage),
    space: refersTo('space', text),
    revision: text,
  }),
  status: meant('state', known(['open', 'resolved'])),
  resolvedAt: Type.Optional(timestamp),
  resolvedBy: Type.Optional(User),
});
export type Comment = Static<typeof Comment>;

/** The text of a comment or reply: `{markdown}` or an empty object. */
const commentBody = body(
  { markdown: Type.Optional(Type.String({ description: 'Text in Markdown' })) },
  'Text in Markdown',
);

const emoji = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

/** Changes to the reactions of a comment or reply (spec B, "Rules", 1). */
const reactionChanges = {
  addedReactions: emoji('Emoji to react with'),
  removedReactions: emoji('Emoji of a reaction to remove'),
};

const listQuery = {
  order,
  status: Type.Optional(
    known(['open', 'resolved', 'all'], 'Only comments with this status', { default: 'all' }),
  ),
  format,
  targetPage: Type.Optional(Type.String({ description: 'Only comments on this page, by id' })),
  authors: Type.Optional(Type.Array(Type.String(), { description: 'Only comments of this user, by id' })),
};

const newComment = body({
  body: commentBody,
  page: Type.Optional(Type.String({ minLength: 1, description: 'Page to comment on, by id' })),
  node: Type.Optional(Type.String({ minLength: 1, description: 'Node of the page to comment on, by id' })),
});

const commentChanges = body({
  resolved: Type.Optional(Type.Boolean({ description: 'Resolve the comment, or open it again' })),
  body: Type.Optional(commentBody),
  ...reactionChanges,
});

/**
 * The operations on comments under any path.
 * @param id resource of the operations' ids
 * @param on what was commented on, for summaries
 */
function commentOperations<const P extends string>(path: P, id: string, on: string) {
  const comment = `${path}/{commentId}` as const;
  return {
    list: operation(`${id}.list`, 'GET', path, {
      summary: `List the comments on ${on}`,
      query: listQuery,
      returns: page(Comment),
    }),
    create: operation(`${id}.create`, 'POST', path, {
      summary: `Comment on ${on}`,
      body: newComment,
      returns: one(Comment),
      needs: 'comment',
    }),
    get: operation(`${id}.get`, 'GET', comment, {
      summary: `Get a comment on ${on}`,
      query: { format },
      returns: one(Comment),
    }),
    update: operation(`${id}.update`, 'PUT', comment, {
      summary: `Edit, resolve or react to a comment on ${on}`,
      body: commentChanges,
      returns: one(Comment),
      needs: 'comment',
    }),
    delete: operation(`${id}.delete`, 'DELETE', comment, {
      summary: `Delete a comment on ${on}`,
      success: 205,
      returns: nothing,
      needs: 'comment',
    }),
  };
}

export const {
  list: listComments,
  create: createComment,
  get: getComment,
  update: updateComment,
  delete: deleteComment,
} = commentOperations('/v1/spaces/{spaceId}/comments', 'comments', 'a space');

/** Comments on change requests (spec B, "Change request comments"). */

const requestComments = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments';

export const {
  list: listChangeRequestComments,
  create: createChangeRequestComment,
  get: getChangeRequestComment,
  update: updateChangeRequestComment,
  delete: deleteChangeRequestComment,
} = commentOperations(requestComments, 'change-request-comments', 'a change request');

/** Replies to comments (spec B, "Comment reply" and "Space comments"). */

export const CommentReply = shape({ object: Type.Literal('comment-reply'), ...posted });
export type CommentReply = Static<typeof CommentReply>;

/** As `commentOperations`. @param createQuery query of the creation, which only change requests have */
function replyOperations<const P extends string, Q extends TProperties>(
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

/** Replies to comments on change requests (spec B, "Change request comments"). */

const requestReplies = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies';

export const {
  list: listChangeRequestCommentReplies,
  create: createChangeRequestCommentReply,
  get: getChangeRequestCommentReply,
} = replyOperations(requestReplies, 'change-request-comment-replies', 'a change request', { format });
