import type { Comment, CommentReply } from '../../api/resources/comments.js';
import type { Document, Role, User } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { rank } from '../access.js';
import { type Snapshot, snapshotOf } from '../content/snapshot.js';
import { type PageAttributes, type PageRow, pageByVersion } from '../content/versions.js';
import type { Caller } from '../scope.js';
import type { Database } from '../store/database.js';
import type { ChangeRequestRow } from './change-request.js';
import { apiUrl, fields } from './fields.js';
import { toUser, type UserColumns, userColumns } from './member.js';
import { reactionsTo } from './reaction.js';
import type { SpaceRow } from './space.js';
import { withTold } from './told.js';

/** A space or one of its change requests, and the user who reads its comments. */
export interface Discussion {
  db: Database;
  space: SpaceRow;
  changeRequest: ChangeRequestRow | undefined;
  caller: Caller;
  /** Shows texts as documents; without it, they are shown as Markdown. */
  documentOf?: ((markdown: string) => Document) | undefined;
  /** The content that is discussed, where it has been read already. */
  snapshot?: Snapshot;
}

/** Columns that comments and replies share. */
interface PostRow {
  id: string;
  author_id: string;
  posted_at: number;
  edited_at: number | null;
  markdown: string | null;
  told: string | null;
}

export interface CommentRow extends PostRow {
  status: 'open' | 'resolved';
  resolved_at: number | null;
  resolved_by: string | null;
  page_id: string | null;
  page_version: number | null;
  node_id: string | null;
  node_preview: string | null;
  revision_id: string;
  review_id: string | null;
  replies: number;
}

export interface ReplyRow extends PostRow {
  comment_id: string;
}

/** Columns of a comment from `comments c`. */
export const commentColumns =
  'c.*, (SELECT count(*) FROM comment_replies x WHERE x.comment_id = c.id) AS replies';

/** A comment as the caller sees it (spec B, "Comment"). */
export function toComment(discussion: Discussion, row: CommentRow): Comment {
  const { db, space, changeRequest } = discussion;
  const own: Comment = {
    object: 'comment',
    ...posted(discussion, row),
    reactions: reactionsTo(db, 'comment', row.id),
    urls: { location: apiUrl(`${pathOf(discussion)}/${row.id}`) },
    replies: row.replies,
    target: {
      ...(row.node_id !== null && { node: nodeOf(row.node_id, row.node_preview) }),
      ...(changeRequest !== undefined && { changeRequest: changeRequest.id }),
      ...(row.review_id !== null && { review: row.review_id }),
      ...pageOf(discussion, row),
      space: space.id,
      revision: row.revision_id,
    },
    status: row.status,
    ...fields(row, 'resolved_at'),
    ...(row.resolved_by !== null && { resolvedBy: userById(db, row.resolved_by) }),
  };
  return withTold(own, row.told);
}

/** A reply as the caller sees it (spec B, "Comment reply"). */
export function toReply(discussion: Discussion, row: ReplyRow): CommentReply {
  const own: CommentReply = {
    object: 'comment-reply',
    ...posted(discussion, row),
    reactions: reactionsTo(discussion.db, 'reply', row.id),
    urls: { location: apiUrl(`${pathOf(discussion)}/${row.comment_id}/replies/${row.id}`) },
  };
  return withTold(own, row.told);
}

/** Whether the caller may change the text: only the author may. */
export function mayEdit({ caller }: Discussion, { author_id: author }: PostRow): boolean {
  return author === caller.userId && atLeast(caller, 'comment');
}

/** Whether the caller may delete it: the author and administrators of the space may. */
export function mayDelete(discussion: Discussion, row: PostRow): boolean {
  return mayEdit(discussion, row) || atLeast(discussion.caller, 'admin');
}

function posted(discussion: Discussion, row: PostRow) {
  return {
    id: row.id,
    postedBy: userById(discussion.db, row.author_id),
    ...fields(row, 'posted_at', 'edited_at'),
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

function nodeOf(id: string, preview: string | null) {
  return { id, ...(preview !== null && { preview }) };
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
  return { title: page.title, ...defined({ emoji, icon }), ...fields(page, 'created_at', 'updated_at') };
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
