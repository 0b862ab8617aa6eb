import * as comments from '../../api/resources/comments.js';
import { Comment, CommentReply } from '../../api/resources/comments.js';
import type { Role, User } from '../../api/shapes.js';
import { emojiCharacter } from '../../base/text-encoding.js';
import { defined } from '../../base/values.js';
import { rank } from '../access.js';
import { sectionsOf } from '../content/markdown.js';
import { type Snapshot, snapshotOf } from '../content/revisions.js';
import { markdownOf, type PageAttributes, type PageRow, pageByVersion } from '../content/versions.js';
import { type Call, type DocumentOf, handle, handleAll, handleInFormat } from '../handle.js';
import { apiUrl } from '../records/fields.js';
import type { ChangeRequestRow, SpaceRow } from '../records/in-path.js';
import { type UserColumns, userColumns } from '../records/in-path.js';
import { layoutOf } from '../records/layout.js';
import { toUser } from '../records/org.js';
import { found, refusal } from '../refusal.js';
import type { Caller } from '../scope.js';
import type { Database, SqlValue } from '../store/database.js';
import { type Clock, insert, iso, type Row, update } from '../store/rows.js';
import { requireEmoji } from '../values.js';

/** SQL that matches the comments of this discussion only, with its values. */
function commentsOf({ space, changeRequest }: Discussion): [sql: string, ...values: SqlValue[]] {
  return changeRequest === undefined
    ? ['c.space_id = ? AND c.change_request_id IS NULL', space.id]
    : ['c.change_request_id = ?', changeRequest.id];
}

/** @throws 404 */
function commentIn(discussion: Discussion, id: string): CommentRow {
  const [mine, ...values] = commentsOf(discussion);
  const sql = `SELECT ${commentColumns} FROM comments c WHERE c.id = ? AND ${mine}`;
  return found(discussion.db.get<CommentRow>(sql, id, ...values), 'comment', id);
}

/** @throws 404 */
function replyIn(discussion: Discussion, commentId: string, id: string): ReplyRow {
  const comment = commentIn(discussion, commentId);
  const sql = 'SELECT * FROM comment_replies WHERE id = ? AND comment_id = ?';
  return found(discussion.db.get<ReplyRow>(sql, id, comment.id), 'comment reply', id);
}

function textAfter(
  discussion: Discussion & { clock: Clock },
  row: PostRow,
  body: { markdown?: string } | undefined,
) {
  if (body === undefined) return {};
  if (!mayEdit(discussion, row)) throw refusal(403, 'only the author may change the text');
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

/** What users can react to, with the table of its reactions and its column there. */
const tables = {
  comment: ['comment_reactions', 'comment_id'],
  reply: ['reply_reactions', 'reply_id'],
} as const;
type Reacted = keyof typeof tables;

/** Changes to the caller's own reactions. */
interface ReactionChanges {
  addedReactions?: readonly string[];
  removedReactions?: readonly string[];
}

type ReactionRow = UserColumns & { emoji: string; reacted_at: number };

/** The reactions to a comment or reply, emoji and users by their first use. */
function reactionsTo(db: Database, kind: Reacted, id: string): Comment['reactions'] {
  const [table, column] = tables[kind];
  const rows = db.all<ReactionRow>(
    `SELECT x.emoji, x.reacted_at, ${userColumns} FROM ${table} x JOIN users u ON u.id = x.user_id
     WHERE x.${column} = ? ORDER BY x.reacted_at, x.emoji, x.user_id`,
    id,
  );
  const byEmoji = new Map<string, Comment['reactions'][number]['users']>();
  for (const row of rows) {
    const users = byEmoji.get(row.emoji) ?? [];
    byEmoji.set(row.emoji, [...users, { user: toUser(row), reactedAt: iso(row.reacted_at) }]);
  }
  return [...byEmoji].map(([emoji, users]) => ({ emoji, count: users.length, users }));
}

/**
 * Adds, then removes reactions of a user. One that exists keeps its time; a missing one is ignored.
 * @throws 400 for an addition that is not an emoji
 */
function changeReactions(
  db: Database,
  kind: Reacted,
  id: string,
  by: { userId: string; nowMs: number },
  { addedReactions = [], removedReactions = [] }: ReactionChanges,
): void {
  const [table, column] = tables[kind];
  for (const [index, emoji] of addedReactions.entries()) {
    requireEmoji(`addedReactions.${index}`, emoji);
    if (formsIn(db, table, column, id, by.userId, emoji).length > 0) continue;
    const sql = `INSERT INTO ${table} (${column}, emoji, user_id, reacted_at) VALUES (?, ?, ?, ?)`;
    db.run(sql, id, emoji, by.userId, by.nowMs);
  }
  for (const removed of removedReactions) {
    for (const emoji of formsIn(db, table, column, id, by.userId, removed))
      db.run(`DELETE FROM ${table} WHERE ${column} = ? AND emoji = ? AND user_id = ?`, id, emoji, by.userId);
  }
}

/** A user's reactions that are one emoji, as its character or as its code points. */
function formsIn(
  db: Database,
  table: string,
  column: string,
  id: string,
  userId: string,
  emoji: string,
): string[] {
  const sql = `SELECT emoji FROM ${table} WHERE ${column} = ? AND user_id = ?`;
  return db
    .all<Pick<ReactionRow, 'emoji'>>(sql, id, userId)
    .map((row) => row.emoji)
    .filter((own) => emojiCharacter(own) === emojiCharacter(emoji));
}

/** A space or one of its change requests, and the user who reads its comments. */
export interface Discussion {
  db: Database;
  space: SpaceRow;
  changeRequest: ChangeRequestRow | undefined;
  caller: Caller;
  /** Shows texts as documents; without it, they are shown as Markdown. */
  documentOf?: DocumentOf;
  /** The content that is discussed, where it has been read already. */
  snapshot?: Snapshot;
}

/** Columns that comments and replies share. */
type PostRow = Row<{ text: 'id author_id'; maybeText: 'markdown' }>;

export interface CommentRow
  extends PostRow,
    Row<{
      text: 'revision_id';
      maybeText: 'resolved_by page_id node_id node_preview review_id';
      maybeInteger: 'page_version';
    }> {
  status: 'open' | 'resolved';
}

export interface ReplyRow extends PostRow {
  comment_id: string;
}

/** Columns of a comment from `comments c`. */
export const commentColumns =
  'c.*, (SELECT count(*) FROM comment_replies x WHERE x.comment_id = c.id) AS replies';

/** Fields of a post that no column holds. */
const computed = ['postedBy', 'body', 'permissions', 'reactions', 'urls'] as const;

export const commentLayout = layoutOf(Comment, {
  computed: [...computed, 'target', 'resolvedBy'],
  counted: ['replies'],
  order: computed.slice(1),
});
export const replyLayout = layoutOf(CommentReply, { computed, order: computed.slice(1) });

/** A comment as the caller sees it (spec B, "Comment"). */
export function toComment(discussion: Discussion, row: CommentRow): Comment {
  const { db, space, changeRequest } = discussion;
  return commentLayout.item(row, {
    ...posted(discussion, row),
    reactions: reactionsTo(db, 'comment', row.id),
    urls: { location: apiUrl(`${pathOf(discussion)}/${row.id}`) },
    target: {
      ...(row.node_id !== null && {
        node: defined({ id: row.node_id, preview: row.node_preview ?? undefined }),
      }),
      ...(changeRequest !== undefined && { changeRequest: changeRequest.id }),
      ...(row.review_id !== null && { review: row.review_id }),
      ...pageOf(discussion, row),
      space: space.id,
      revision: row.revision_id,
    },
    resolvedBy: row.resolved_by === null ? undefined : userById(db, row.resolved_by),
  });
}

/** A reply as the caller sees it (spec B, "Comment reply"). */
export function toReply(discussion: Discussion, row: ReplyRow): CommentReply {
  return replyLayout.item(row, {
    ...posted(discussion, row),
    reactions: reactionsTo(discussion.db, 'reply', row.id),
    urls: { location: apiUrl(`${pathOf(discussion)}/${row.comment_id}/replies/${row.id}`) },
  });
}

/** Whether the caller may change the text: only the author may. */
function mayEdit({ caller }: Discussion, { author_id: author }: PostRow): boolean {
  return author === caller.userId && atLeast(caller, 'comment');
}

/** Whether the caller may delete it: the author and administrators of the space may. */
function mayDelete(discussion: Discussion, row: PostRow): boolean {
  return mayEdit(discussion, row) || atLeast(discussion.caller, 'admin');
}

function posted(discussion: Discussion, row: PostRow) {
  return {
    postedBy: userById(discussion.db, row.author_id),
    body: bodyOf(discussion, row),
    permissions: {
      view: true,
      edit: mayEdit(discussion, row),
      reply: atLeast(discussion.caller, 'comment'),
      delete: mayDelete(discussion, row),
    },
  };
}

function bodyOf({ documentOf }: Discussion, { markdown }: PostRow): Comment['body'] {
  if (markdown === null) return {};
  return documentOf === undefined ? { markdown } : { document: documentOf(markdown) };
}

function atLeast({ level }: Caller, role: Role): boolean {
  return rank(level) >= rank(role);
}

/** The page of a comment as it is now, or as it was if it no longer exists. Outdated if it has changed. */
function pageOf(discussion: Discussion, row: CommentRow): Pick<Comment['target'], 'page'> {
  const { page_id: id, page_version: version } = row;
  if (id === null) return {};
  const { db, space, changeRequest } = discussion;
  const revision = changeRequest?.revision_id ?? space.revision_id;
  const { pageById } = discussion.snapshot ?? snapshotOf(db, space, revision);
  const placed = pageById.get(id);
  const page = placed?.page ?? (version === null ? undefined : pageByVersion(db, version));
  const described = page === undefined ? {} : describe(page);
  const path = placed === undefined ? {} : { path: placed.path };
  return { page: { id, ...described, ...path, outdated: placed?.page.version !== version } };
}

function describe(page: PageRow) {
  const { emoji, icon } = JSON.parse(page.attributes) as PageAttributes;
  const [createdAt, updatedAt] = [iso(page.created_at), iso(page.updated_at)];
  return { title: page.title, ...defined({ emoji, icon }), createdAt, updatedAt };
}

function pathOf({ space, changeRequest }: Discussion): string {
  const inside = changeRequest === undefined ? '' : `/change-requests/${changeRequest.id}`;
  return `/spaces/${space.id}${inside}/comments`;
}

function userById(db: Database, id: string): User {
  return db.remember(`user ${id}`, () => {
    const row = db.get<UserColumns>(`SELECT ${userColumns} FROM users u WHERE u.id = ?`, id);
    if (row === undefined) throw new Error(`A comment has the unknown user ${id}.`);
    return toUser(row);
  });
}

/**
 * Spaces and change requests have the same operations, whatever the status of the change request; only
 * replies in a change request cannot be edited. `format` selects how a body is shown: as Markdown by default.
 */
export const handlers = [
  ...handleInFormat([comments.listComments, comments.listChangeRequestComments], list),
  ...handleAll([comments.createComment, comments.createChangeRequestComment], create),
  ...handleInFormat([comments.getComment, comments.getChangeRequestComment], get),
  ...handleAll([comments.updateComment, comments.updateChangeRequestComment], change),
  ...handleAll([comments.deleteComment, comments.deleteChangeRequestComment], remove),
  ...handleInFormat([comments.listCommentReplies, comments.listChangeRequestCommentReplies], listReplies),
  handle(comments.createCommentReply, (call) => createReply(call)),
  ...handleInFormat([comments.createChangeRequestCommentReply], createReply),
  ...handleInFormat([comments.getCommentReply, comments.getChangeRequestCommentReply], getReply),
  handle(comments.updateCommentReply, changeReply),
];

function discussionIn(call: Discussion, documentOf: DocumentOf): Discussion {
  const { db, space, changeRequest, caller } = call;
  return { db, space, changeRequest, caller, documentOf };
}

/** By default the newest first (spec B, "Space comments"). */
function list(call: Call<typeof comments.listComments>, documentOf: DocumentOf) {
  const discussion = discussionIn(call, documentOf);
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

/** Comments on a page, on a node of one, or on the whole. @throws 404 if the content has no such page */
function create(call: Call<typeof comments.createComment>) {
  const { db, space, changeRequest, caller, clock, newId } = call;
  const { body, page, node } = call.body;
  const id = newId();
  const version = page === undefined ? null : versionOf(call, page);
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
  return toComment(call, commentIn(call, id));
}

function get(call: Call<typeof comments.getComment>, documentOf: DocumentOf) {
  const discussion = discussionIn(call, documentOf);
  return toComment(discussion, commentIn(discussion, call.path.commentId));
}

/**
 * Changes a comment: its text (author only), the caller's own reactions, and whether it is resolved
 * (anyone who may comment). Resolving again changes nothing, not even who resolved it.
 * @throws 403 if the text is someone else's
 */
function change(call: Call<typeof comments.updateComment>) {
  const { db, caller, clock, body } = call;
  const row = commentIn(call, call.path.commentId);
  const nowMs = clock.now();
  const status = body.resolved === undefined ? row.status : body.resolved ? 'resolved' : 'open';
  update(db, 'comments', row.id, {
    ...textAfter(call, row, body.body),
    ...(status !== row.status && {
      status,
      resolved_at: status === 'resolved' ? nowMs : null,
      resolved_by: status === 'resolved' ? caller.userId : null,
    }),
  });
  changeReactions(db, 'comment', row.id, { userId: caller.userId, nowMs }, body);
  return toComment(call, commentIn(call, row.id));
}

/** Deletes its replies too. @throws 403 unless the caller wrote it or is admin in the space */
function remove(call: Call<typeof comments.deleteComment>) {
  const row = commentIn(call, call.path.commentId);
  if (!mayDelete(call, row)) throw refusal(403, 'only its author or an admin may delete a comment');
  call.db.run('DELETE FROM comments WHERE id = ?', row.id);
}

/** In the order they were posted. */
function listReplies(call: Call<typeof comments.listCommentReplies>, documentOf: DocumentOf) {
  const discussion = discussionIn(call, documentOf);
  const { id } = commentIn(discussion, call.path.commentId);
  return call.page({
    select: 'y.*',
    from: 'comment_replies y',
    where: [['y.comment_id = ?', id]],
    by: ['y.posted_at', 'y.seq'],
    item: (row: ReplyRow) => toReply(discussion, row),
  });
}

function createReply(call: Call<typeof comments.createCommentReply>, documentOf?: DocumentOf) {
  const discussion = discussionIn(call, documentOf);
  const { db, caller, clock, newId, body } = call;
  const comment = commentIn(discussion, call.path.commentId);
  const id = newId();
  insert(db, 'comment_replies', {
    id,
    comment_id: comment.id,
    seq: nextSeq(db, 'comment_replies', 'comment_id', comment.id),
    author_id: caller.userId,
    posted_at: clock.now(),
    markdown: body.body.markdown ?? null,
  });
  return toReply(discussion, replyIn(discussion, comment.id, id));
}

/** Changes the text of a reply (author only) and the caller's own reactions to it. */
function changeReply(call: Call<typeof comments.updateCommentReply>) {
  const { db, caller, clock, body } = call;
  const row = replyIn(call, call.path.commentId, call.path.commentReplyId);
  update(db, 'comment_replies', row.id, textAfter(call, row, body.body));
  changeReactions(db, 'reply', row.id, { userId: caller.userId, nowMs: clock.now() }, body);
  return toReply(call, replyIn(call, row.comment_id, row.id));
}

function getReply(call: Call<typeof comments.getCommentReply>, documentOf: DocumentOf) {
  const discussion = discussionIn(call, documentOf);
  return toReply(discussion, replyIn(discussion, call.path.commentId, call.path.commentReplyId));
}
