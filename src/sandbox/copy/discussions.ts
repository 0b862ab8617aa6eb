import type { ChangeRequest } from '../../api/resources/change-requests.js';
import type { Comment, CommentReply } from '../../api/resources/comments.js';
import {
  type Contents,
  type Entry,
  type PageNode,
  revisionOf,
  type Snapshot,
  type Spot,
  snapshotOf,
  spotsOf,
} from '../content/revisions.js';
import { pageByVersion } from '../content/versions.js';
import {
  type CommentRow,
  commentColumns,
  commentLayout,
  type Discussion,
  type ReplyRow,
  replyLayout,
  toComment,
  toReply,
} from '../handlers/comments.js';
import { changeRequestLayout, toChangeRequest } from '../records/change-request.js';
import { type ChangeRequestRow, changeRequestIn, type SpaceRow, spaceById } from '../records/in-path.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { type ContentOwner, type CopiedContent, putRevision, putRevisionRow } from './content.js';
import { ensureUser, msOf, tell, upsert } from './organization.js';

/**
 * Puts a change request of a space whose content is there. Putting it again changes nothing. Its count of comments
 * is right once these are there and it is put again. Call within a write.
 * @param content of its revision; without it, the change request is empty until it is put with it
 */
export function putChangeRequest(
  db: Database,
  spaceId: string,
  request: ChangeRequest,
  content?: CopiedContent,
): void {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const { id, createdBy } = request;
  if (createdBy !== undefined) ensureUser(db, createdBy);
  const base = request.revisionMergedAncestor ?? request.revisionInitial;
  upsert(db, 'change_requests', ['id'], {
    space_id: spaceId,
    ...changeRequestLayout.columns(request),
    created_by: createdBy?.id ?? null,
    current_at: !request.outdated && base !== space.revision_id ? space.revision_id : null,
  });
  if (content !== undefined) putRevision(db, ownerOf(spaceId, request), content);
  const row = changeRequestIn(db, spaceId, id);
  if (content !== undefined) assumeBase(db, space, row);
  tell(db, { table: 'change_requests', key: { id } }, request, () =>
    toChangeRequest(changeRequestIn(db, spaceId, id)),
  );
}

/** Whose content that of a change request is. */
export function ownerOf(spaceId: string, { id, number, createdBy }: ChangeRequest): ContentOwner {
  return { spaceId, changeRequest: { id, number, authorId: createdBy?.id ?? null } };
}

/**
 * Nobody tells the content that a change request is based on, and merging needs it. One that is not outdated is
 * based on that of its space. For an outdated one it is assumed from times: what differs was changed by the side
 * whose page was changed after the change request was created, by both if both were, by the change request if
 * neither was. A page on one side alone was added there, if it was created since; else the other side removed it.
 * Files have no times: one on one side alone was added there, one that differs was changed by the change request.
 */
function assumeBase(db: Database, space: SpaceRow, row: ChangeRequestRow): void {
  if (row.status !== 'draft' && row.status !== 'open') return;
  const id = row.revision_merged_ancestor ?? row.revision_initial;
  const isTold = db.get('SELECT 1 FROM revisions WHERE id = ? AND assumed = 0', id) !== undefined;
  if (id === space.revision_id || isTold) return;
  const main = revisionOf(db, space, space.revision_id);
  const change = revisionOf(db, space, row.revision_id);
  const { pages, files, reusables } =
    row.outdated === 1 ? assumed({ db, since: row.created_at }, main, change) : main;
  const told = { spaceId: space.id, changeRequestId: null, parents: [], authorId: null };
  const assumption = { message: 'Assumed as the base of a change request', createdAt: row.created_at };
  putRevisionRow(db, { pages, files, reusables, ...told, ...assumption, id }, true);
}

interface Fork {
  db: Database;
  /** When the change request was created, in milliseconds. */
  since: number;
}

function assumed(fork: Fork, main: Contents, change: Contents): Contents {
  return {
    pages: assumedPages(fork, main.pages, change.pages),
    files: assumedEntries(main.files, change.files),
    reusables: assumedEntries(main.reusables, change.reusables),
  };
}

/** Of what is on both sides, that of the space. */
function assumedEntries(main: readonly Entry[], change: readonly Entry[]): Entry[] {
  const both = new Set(change.map(({ id }) => id));
  return main.filter(({ id }) => both.has(id));
}

function assumedPages(fork: Fork, main: readonly PageNode[], change: readonly PageNode[]): PageNode[] {
  const [ours, theirs] = [spotsOf(main), spotsOf(change)];
  const base = new Map<string, Spot>();
  for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
    const spot = assumedSpot(fork, ours.get(id), theirs.get(id));
    if (spot !== undefined) base.set(id, spot);
  }
  return treeOf(base, '');
}

/** The page as it was; undefined if it was not there. A version of 0 stands for one that neither side has. */
function assumedSpot(fork: Fork, ours: Spot | undefined, theirs: Spot | undefined): Spot | undefined {
  if (ours === undefined || theirs === undefined) {
    const only = ours ?? theirs;
    return only !== undefined && timesOf(fork, only).created > fork.since ? undefined : only;
  }
  if (ours.version === theirs.version) return ours;
  const isOurs = timesOf(fork, ours).updated > fork.since;
  const isTheirs = timesOf(fork, theirs).updated > fork.since;
  if (isOurs && isTheirs) return { ...ours, version: 0 };
  return isOurs ? theirs : ours;
}

function timesOf({ db }: Fork, { version }: Spot): { created: number; updated: number } {
  const page = pageByVersion(db, version);
  return { created: page?.created_at ?? 0, updated: page?.updated_at ?? 0 };
}

function treeOf(spots: ReadonlyMap<string, Spot>, parent: string): PageNode[] {
  const here = [...spots].filter(([, spot]) => spot.parent === parent);
  return here.map(([id, { version }]) => ({ id, version, pages: treeOf(spots, id) }));
}

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
  const { postedBy, resolvedBy, target } = comment;
  for (const user of [postedBy, resolvedBy]) if (user !== undefined) ensureUser(db, user);
  upsert(db, 'comments', ['id'], {
    space_id: space.id,
    change_request_id: changeRequest?.id ?? null,
    seq,
    author_id: postedBy.id,
    ...commentLayout.columns(comment),
    markdown: comment.body.markdown ?? null,
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
    comment_id: commentId,
    seq,
    author_id: postedBy.id,
    ...replyLayout.columns(reply),
    markdown: reply.body.markdown ?? null,
  });
  putReactions(db, 'reply', reply);
  const read = () => db.get<ReplyRow>('SELECT * FROM comment_replies WHERE id = ?', id);
  const own = () => toReply(discussion, found(read(), 'comment reply', id));
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
