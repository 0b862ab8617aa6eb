import type { CommentReply } from '../../api/resources/comment-replies.js';
import type { Comment } from '../../api/resources/comments.js';
import type { Page, Pager } from '../paging.js';
import { type CommentRow, commentColumns, type ReplyRow, toComment, toReply } from '../records/comment.js';
import {
  addComment,
  addReply,
  type CommentChanges,
  changeComment,
  changeReply,
  commentIn,
  commentsOf,
  type DiscussionCall,
  discussionOf,
  type NewComment,
  openDiscussion,
  type ReplyChanges,
  removeComment,
  replyIn,
  type Text,
  type WritingCall,
} from './discussion.js';

/**
 * Responses of the operations on comments and replies, for spaces and change requests alike. Bodies
 * are text, so `format` makes no difference (platform-facts, "Shapes").
 */

interface OnComment {
  path: { readonly commentId: string };
}

interface OnReply extends OnComment {
  path: { readonly commentId: string; readonly commentReplyId: string };
}

interface CommentList extends DiscussionCall {
  query: { order?: string; status?: string; targetPage?: string; authors?: readonly string[] };
  page: Pager;
}

/** The comments of a discussion, by default the newest first (spec B, "Space comments"). */
export function commentList(call: CommentList): Page<Comment> {
  const discussion = discussionOf(call);
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

export function postComment(call: WritingCall & { body: NewComment }): Comment {
  const discussion = openDiscussion(call);
  return toComment(discussion, addComment(discussion, call.body));
}

export function readComment(call: DiscussionCall & OnComment): Comment {
  const discussion = discussionOf(call);
  return toComment(discussion, commentIn(discussion, call.path.commentId));
}

export function updatedComment(call: WritingCall & OnComment & { body: CommentChanges }): Comment {
  const discussion = openDiscussion(call);
  const row = commentIn(discussion, call.path.commentId);
  return toComment(discussion, changeComment(discussion, row, call.body));
}

export function deletedComment(call: DiscussionCall & OnComment): void {
  const discussion = discussionOf(call);
  removeComment(discussion, commentIn(discussion, call.path.commentId));
}

/** The replies to a comment, in the order they were posted. */
export function replyList(call: DiscussionCall & OnComment & { page: Pager }): Page<CommentReply> {
  const discussion = discussionOf(call);
  const { id } = commentIn(discussion, call.path.commentId);
  return call.page({
    select: 'y.*',
    from: 'comment_replies y',
    where: [['y.comment_id = ?', id]],
    by: ['y.posted_at', 'y.seq'],
    item: (row: ReplyRow) => toReply(discussion, row),
  });
}

export function postReply(call: WritingCall & OnComment & { body: { body: Text } }): CommentReply {
  const discussion = openDiscussion(call);
  const comment = commentIn(discussion, call.path.commentId);
  return toReply(discussion, addReply(discussion, comment, call.body.body));
}

export function readReply(call: DiscussionCall & OnReply): CommentReply {
  const discussion = discussionOf(call);
  return toReply(discussion, replyIn(discussion, call.path.commentId, call.path.commentReplyId));
}

export function updatedReply(call: WritingCall & OnReply & { body: ReplyChanges }): CommentReply {
  const discussion = openDiscussion(call);
  const row = replyIn(discussion, call.path.commentId, call.path.commentReplyId);
  return toReply(discussion, changeReply(discussion, row, call.body));
}
