import * as onChangeReplies from '../../api/resources/comments.js';
import * as onChange from '../../api/resources/comments.js';
import * as comments from '../../api/resources/comments.js';
import * as replies from '../../api/resources/comments.js';
import {
  addComment,
  addReply,
  changeComment,
  changeReply,
  commentIn,
  commentsOf,
  discussionOf,
  removeComment,
  replyIn,
} from '../discussions/discussion.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import {
  type CommentRow,
  commentColumns,
  type Discussion,
  type ReplyRow,
  toComment,
  toReply,
} from '../records/comment.js';

/**
 * Spaces and change requests have the same operations, whatever the status of the change request; only
 * replies in a change request cannot be edited. `format` selects how a body is shown: as Markdown by default.
 */
export const handlers = [
  handlePrepared(comments.listComments, inFormat, list),
  handlePrepared(onChange.listChangeRequestComments, inFormat, list),
  handle(comments.createComment, create),
  handle(onChange.createChangeRequestComment, create),
  handlePrepared(comments.getComment, inFormat, get),
  handlePrepared(onChange.getChangeRequestComment, inFormat, get),
  handle(comments.updateComment, update),
  handle(onChange.updateChangeRequestComment, update),
  handle(comments.deleteComment, remove),
  handle(onChange.deleteChangeRequestComment, remove),
  handlePrepared(replies.listCommentReplies, inFormat, listReplies),
  handlePrepared(onChangeReplies.listChangeRequestCommentReplies, inFormat, listReplies),
  handle(replies.createCommentReply, (call) => createReply(call)),
  handlePrepared(onChangeReplies.createChangeRequestCommentReply, inFormat, createReply),
  handlePrepared(replies.getCommentReply, inFormat, getReply),
  handlePrepared(onChangeReplies.getChangeRequestCommentReply, inFormat, getReply),
  handle(replies.updateCommentReply, (call) => {
    const discussion = discussionOf(call);
    const reply = replyIn(discussion, call.path.commentId, call.path.commentReplyId);
    return toReply(discussion, changeReply(discussion, reply, call.body));
  }),
];

type DocumentOf = Discussion['documentOf'];

/** What shows bodies as documents, if the call wants that. */
async function inFormat({ query }: { query: { format?: string } }): Promise<DocumentOf> {
  return query.format === 'document' ? (await import('../content/document.js')).documentOf : undefined;
}

/** By default the newest first (spec B, "Space comments"). */
function list(call: Call<typeof comments.listComments>, documentOf: DocumentOf) {
  const discussion = { ...discussionOf(call), documentOf };
  const { order = 'desc', status = 'all', targetPage, authors } = call.query;
  return call.page({
    select: commentColumns,
    from: 'comments c',
    where: [
      commentsOf(discussion),
      status === 'all' ? undefined : ['c.status = ?', status],
      targetPage === undefined ? undefined : ['c.page_id = ?', targetPage],
      authors && ['c.author_id IN (SELECT value FROM json_each(?))', JSON.stringify(authors)],
    ],
    by: ['c.posted_at', 'c.seq'],
    order,
    item: (row: CommentRow) => toComment(discussion, row),
  });
}

function create(call: Call<typeof comments.createComment>) {
  const discussion = discussionOf(call);
  return toComment(discussion, addComment(discussion, call.body));
}

function get(call: Call<typeof comments.getComment>, documentOf: DocumentOf) {
  const discussion = { ...discussionOf(call), documentOf };
  return toComment(discussion, commentIn(discussion, call.path.commentId));
}

function update(call: Call<typeof comments.updateComment>) {
  const discussion = discussionOf(call);
  const comment = commentIn(discussion, call.path.commentId);
  return toComment(discussion, changeComment(discussion, comment, call.body));
}

function remove(call: Call<typeof comments.deleteComment>) {
  const discussion = discussionOf(call);
  removeComment(discussion, commentIn(discussion, call.path.commentId));
}

/** In the order they were posted. */
function listReplies(call: Call<typeof replies.listCommentReplies>, documentOf: DocumentOf) {
  const discussion = { ...discussionOf(call), documentOf };
  const { id } = commentIn(discussion, call.path.commentId);
  return call.page({
    select: 'y.*',
    from: 'comment_replies y',
    where: [['y.comment_id = ?', id]],
    by: ['y.posted_at', 'y.seq'],
    item: (row: ReplyRow) => toReply(discussion, row),
  });
}

function createReply(call: Call<typeof replies.createCommentReply>, documentOf?: DocumentOf) {
  const discussion = { ...discussionOf(call), documentOf };
  const comment = commentIn(discussion, call.path.commentId);
  return toReply(discussion, addReply(discussion, comment, call.body.body));
}

function getReply(call: Call<typeof replies.getCommentReply>, documentOf: DocumentOf) {
  const discussion = { ...discussionOf(call), documentOf };
  return toReply(discussion, replyIn(discussion, call.path.commentId, call.path.commentReplyId));
}
