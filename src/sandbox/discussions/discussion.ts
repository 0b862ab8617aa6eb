import { sectionsOf } from '../content/markdown.js';
import { snapshotOf } from '../content/snapshot.js';
import { markdownOf } from '../content/versions.js';
import { changeRequestIn } from '../records/change-request.js';
import {
  type CommentRow,
  commentColumns,
  type Discussion,
  mayDelete,
  mayEdit,
  type ReplyRow,
} from '../records/comment.js';
import { changeReactions, type ReactionChanges } from '../records/reaction.js';
import { found, refusal } from '../refusal.js';
import type { Clock } from '../store/clock.js';
import type { Database, SqlValue } from '../store/database.js';
import { insert, update } from '../store/sql.js';

/** A discussion to post in or change. */
interface OpenDiscussion extends Discussion {
  clock: Clock;
  newId(): string;
}

/** The text of a comment or reply in a request. */
interface Text {
  markdown?: string;
}

interface OnComments extends Omit<Discussion, 'changeRequest'> {
  path: { readonly spaceId: string; readonly changeRequestId?: string };
}

/** A call on comments, with the change request if its path names one. @throws 404 */
export function discussionOf<C extends OnComments>(call: C): C & Discussion {
  const id = call.path.changeRequestId;
  return {
    ...call,
    changeRequest: id === undefined ? undefined : changeRequestIn(call.db, call.space.id, id),
  };
}

/** SQL that matches the comments of this discussion only, with its values. */
export function commentsOf({ space, changeRequest }: Discussion): [sql: string, ...values: SqlValue[]] {
  return changeRequest === undefined
    ? ['c.space_id = ? AND c.change_request_id IS NULL', space.id]
    : ['c.change_request_id = ?', changeRequest.id];
}

/** @throws 404 */
export function commentIn(discussion: Discussion, id: string): CommentRow {
  const [mine, ...values] = commentsOf(discussion);
  const sql = `SELECT ${commentColumns} FROM comments c WHERE c.id = ? AND ${mine}`;
  return found(discussion.db.get<CommentRow>(sql, id, ...values), 'comment', id);
}

/** @throws 404 */
export function replyIn(discussion: Discussion, commentId: string, id: string): ReplyRow {
  const comment = commentIn(discussion, commentId);
  const sql = 'SELECT * FROM comment_replies WHERE id = ? AND comment_id = ?';
  return found(discussion.db.get<ReplyRow>(sql, id, comment.id), 'comment reply', id);
}

/** Comments on a page, on a node of one, or on the whole. @throws 404 if the content has no such page */
export function addComment(
  discussion: OpenDiscussion,
  { body, page, node }: { body: Text; page?: string; node?: string },
): CommentRow {
  const { db, space, changeRequest, caller, clock, newId } = discussion;
  const id = newId();
  const version = page === undefined ? null : versionOf(discussion, page);
  insert(db, 'comments', {
    id,
    space_id: space.id,
    change_request_id: changeRequest?.id ?? null,
    seq: nextSeq(db, 'comments', 'space_id', space.id),
    author_id: caller.userId,
    posted_at: clock.now(),
    markdown: body.markdown ?? null,
    page_id: page ?? null,
    page_version: version,
    node_id: node ?? null,
    node_preview: previewOf(db, version, page, node),
    revision_id: changeRequest?.revision_id ?? space.revision_id,
  });
  return commentIn(discussion, id);
}

export function addReply(discussion: OpenDiscussion, comment: CommentRow, body: Text): ReplyRow {
  const { db, caller, clock, newId } = discussion;
  const id = newId();
  insert(db, 'comment_replies', {
    id,
    comment_id: comment.id,
    seq: nextSeq(db, 'comment_replies', 'comment_id', comment.id),
    author_id: caller.userId,
    posted_at: clock.now(),
    markdown: body.markdown ?? null,
  });
  return replyIn(discussion, comment.id, id);
}

/**
 * Changes a comment: its text (author only), the caller's own reactions, and whether it is resolved
 * (anyone who may comment). Resolving again changes nothing, not even who resolved it.
 * @throws 403 if the text is someone else's
 */
export function changeComment(
  discussion: OpenDiscussion,
  row: CommentRow,
  changes: ReactionChanges & { resolved?: boolean; body?: Text },
): CommentRow {
  const { db, caller, clock } = discussion;
  const nowMs = clock.now();
  const status = changes.resolved === undefined ? row.status : changes.resolved ? 'resolved' : 'open';
  update(db, 'comments', row.id, {
    ...textAfter(discussion, row, changes.body),
    ...(status !== row.status && {
      status,
      resolved_at: status === 'resolved' ? nowMs : null,
      resolved_by: status === 'resolved' ? caller.userId : null,
    }),
  });
  changeReactions(db, 'comment', row.id, { userId: caller.userId, nowMs }, changes);
  return commentIn(discussion, row.id);
}

/** Deletes its replies too. @throws 403 unless the caller wrote it or is admin in the space */
export function removeComment(discussion: Discussion, row: CommentRow): void {
  if (!mayDelete(discussion, row)) throw refusal(403, 'Only its author or an admin may delete a comment.');
  discussion.db.run('DELETE FROM comments WHERE id = ?', row.id);
}

/** Changes the text of a reply (author only) and the caller's own reactions to it. */
export function changeReply(
  discussion: OpenDiscussion,
  row: ReplyRow,
  changes: ReactionChanges & { body?: Text },
): ReplyRow {
  const { db, caller, clock } = discussion;
  update(db, 'comment_replies', row.id, textAfter(discussion, row, changes.body));
  changeReactions(db, 'reply', row.id, { userId: caller.userId, nowMs: clock.now() }, changes);
  return replyIn(discussion, row.comment_id, row.id);
}

function textAfter(discussion: OpenDiscussion, row: CommentRow | ReplyRow, body: Text | undefined) {
  if (body === undefined) return {};
  if (!mayEdit(discussion, row)) throw refusal(403, 'Only the author may change the text.');
  return { markdown: body.markdown ?? null, edited_at: discussion.clock.now() };
}

/** The version of a page in the discussed content. @throws 404 */
function versionOf({ db, space, changeRequest }: Discussion, pageId: string): number {
  const { pageById } = snapshotOf(db, space, changeRequest?.revision_id ?? space.revision_id);
  return found(pageById.get(pageId), 'page', pageId).page.version;
}

const longestPreview = 120;

/** The start of the section that a node identifies, by its anchor or its id in search results. */
function previewOf(db: Database, version: number | null, page?: string, node?: string): string | null {
  if (version === null || node === undefined) return null;
  const section = sectionsOf(markdownOf(db, version)).find(
    ({ anchor }) => anchor !== '' && (node === anchor || node === `${page}-${anchor}`),
  );
  return section === undefined ? null : [...section.title].slice(0, longestPreview).join('');
}

function nextSeq(db: Database, table: string, column: string, id: string): number {
  const sql = `SELECT coalesce(max(seq), 0) + 1 AS next FROM ${table} WHERE ${column} = ?`;
  return db.get<{ next: number }>(sql, id)?.next ?? 1;
}
