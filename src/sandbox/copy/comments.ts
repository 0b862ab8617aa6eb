import type { Comment, CommentReply } from '../../api/resources/comments.js';
import { type Snapshot, snapshotOf } from '../content/snapshot.js';
import { changeRequestIn } from '../records/change-request.js';
import {
  type CommentRow,
  commentColumns,
  type Discussion,
  type ReplyRow,
  toComment,
  toReply,
} from '../records/comment.js';
import { spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { ensureUser } from './people.js';
import { msOf, msOrNull, tell, upsert } from './rows.js';

/** Where comments are: a space, or a change request of it. */
export interface CopiedDiscussion {
  spaceId: string;
  changeRequestId?: string | undefined;
}

/** A comment with all replies to it, as a line of a backup. */
export interface CopiedComment {
  comment: Comment;
  replies: readonly CommentReply[];
}

/**
 * Puts a comment on content that is there; its replies have rows of their own. Its count of replies is right once
 * these are there and it is told again.
 * @param seq orders comments of one millisecond
 */
function putComment(discussion: CopyDiscussion, comment: Comment, seq: number): void {
  const { db, space, changeRequest, snapshot } = discussion;
  const { id, postedBy, resolvedBy, target } = comment;
  for (const user of [postedBy, resolvedBy]) if (user !== undefined) ensureUser(db, user);
  upsert(db, 'comments', ['id'], {
    id,
    space_id: space.id,
    change_request_id: changeRequest?.id ?? null,
    seq,
    author_id: postedBy.id,
    ...posted(comment),
    status: comment.status,
    resolved_at: msOrNull(comment.resolvedAt),
    resolved_by: resolvedBy?.id ?? null,
    page_id: target.page?.id ?? null,
    page_version: versionOf(snapshot, target.page),
    node_id: target.node?.id ?? null,
    node_preview: target.node?.preview ?? null,
    revision_id: target.revision ?? snapshot.revision.id,
    review_id: target.review ?? null,
  });
  putReactions(db, 'comment', comment);
  tellComment(discussion, comment);
}

/** Puts a reply to a comment that is there. */
function putReply(discussion: CopyDiscussion, commentId: string, reply: CommentReply, seq: number): void {
  const { db } = discussion;
  const { id, postedBy } = reply;
  ensureUser(db, postedBy);
  upsert(db, 'comment_replies', ['id'], {
    id,
    comment_id: commentId,
    seq,
    author_id: postedBy.id,
    ...posted(reply),
  });
  putReactions(db, 'reply', reply);
  const own = () => {
    const row = db.get<ReplyRow>('SELECT * FROM comment_replies WHERE id = ?', id);
    return toReply(discussion, found(row, 'comment reply', id));
  };
  tell(db, { table: 'comment_replies', key: { id } }, reply, own);
}

/**
 * Puts comments with their replies. Call within a write.
 * @param from how many of the discussion were put before
 */
export function putComments(
  db: Database,
  where: CopiedDiscussion,
  items: readonly CopiedComment[],
  from = 0,
): void {
  const discussion = discussionOf(db, where);
  for (const [index, { comment, replies }] of items.entries()) {
    // The newest come first, and one that is posted in the copy is newer.
    putComment(discussion, comment, -(from + index));
    for (const [place, reply] of replies.entries()) putReply(discussion, comment.id, reply, place + 1);
    if (replies.length > 0) tellComment(discussion, comment);
  }
}

function tellComment(discussion: CopyDiscussion, comment: Comment): void {
  const { db } = discussion;
  const own = () => {
    const sql = `SELECT ${commentColumns} FROM comments c WHERE c.id = ?`;
    return toComment(discussion, found(db.get<CommentRow>(sql, comment.id), 'comment', comment.id));
  };
  tell(db, { table: 'comments', key: { id: comment.id } }, comment, own);
}

function posted({ postedAt, editedAt, body }: Comment | CommentReply) {
  return {
    posted_at: msOf(postedAt),
    edited_at: msOrNull(editedAt),
    markdown: body.markdown ?? null,
  };
}

/** With the content that is discussed, read once: within a write, nothing is remembered. */
type CopyDiscussion = Discussion & { snapshot: Snapshot };

function discussionOf(db: Database, { spaceId, changeRequestId }: CopiedDiscussion): CopyDiscussion {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const changeRequest =
    changeRequestId === undefined ? undefined : changeRequestIn(db, spaceId, changeRequestId);
  const snapshot = snapshotOf(db, space, changeRequest?.revision_id ?? space.revision_id);
  return { db, space, changeRequest, snapshot, caller: nobody };
}

const nobody = { userId: '', email: '', role: null, level: null };

/** The version that makes the page as outdated as told. */
function versionOf({ pageById }: Snapshot, page: Comment['target']['page']): number | null {
  if (page === undefined || page.outdated === true) return null;
  return pageById.get(page.id)?.page.version ?? null;
}

function putReactions(
  db: Database,
  kind: 'comment' | 'reply',
  { id, reactions }: Comment | CommentReply,
): void {
  db.run(`DELETE FROM ${kind}_reactions WHERE ${kind}_id = ?`, id);
  for (const { emoji, users } of reactions) {
    for (const { user, reactedAt } of users) {
      ensureUser(db, user);
      db.run(
        `INSERT OR IGNORE INTO ${kind}_reactions (${kind}_id, emoji, user_id, reacted_at) VALUES (?, ?, ?, ?)`,
        ...[id, emoji, user.id, msOf(reactedAt)],
      );
    }
  }
}
