import { type PlacedPage, snapshotOf } from '../content/revisions.js';
import { changeRequestIn, type SpaceRow, spaceById } from '../records/in-path.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { insert } from '../store/rows.js';
import type { Seeding } from './seeding.js';
import words from './words.json' with { type: 'json' };

const hourMs = 3_600_000;

/** Users by id; `At` is milliseconds, or a time as a file has it. */
interface NewReply<At = number> {
  edited?: boolean;
  by: string;
  at: At;
  text: string;
  reactions?: readonly (readonly string[])[];
}

interface NewComment<At = number> extends NewReply<At> {
  node?: { id: string; preview: string };
  resolvedBy?: string | undefined;
  replies?: readonly NewReply<At>[];
}

/** A comment of a file, on a page by its path. */
interface NamedComment extends NewComment<string> {
  space: string;
  changeRequest?: string;
  page?: string;
}

/** What a comment is about. */
interface Target {
  space: SpaceRow;
  changeRequest?: { id: string; revision_id: string };
  page?: PlacedPage | undefined;
  /** The review that it belongs to, by its permanent name. */
  review?: string | undefined;
}

/** The last number of a comment, by space. */
type Seqs = Map<string, number>;

export function addNamedComments(seeding: Seeding, comments: readonly NamedComment[]): Seqs {
  const { db } = seeding;
  const seqs: Seqs = new Map();
  for (const { space: spaceId, changeRequest, page, ...named } of seeding.named(comments)) {
    const space = found(spaceById(db, spaceId), 'space', spaceId);
    const replies = named.replies?.map((reply) => ({ ...reply, at: Date.parse(reply.at) }));
    addComment(
      seeding,
      seqs,
      { ...named, at: Date.parse(named.at), replies },
      {
        space,
        changeRequest: changeRequest === undefined ? undefined : changeRequestIn(db, spaceId, changeRequest),
        page: page === undefined ? undefined : snapshotOf(db, space, space.revision_id).pageByPath.get(page),
      },
    );
  }
  return seqs;
}

/** Hundreds of comments on spaces of Acme and on change requests. */
export function addFurtherComments(seeding: Seeding, seqs: Seqs): void {
  const { db, id, random } = seeding;
  const spaces = db.all<SpaceRow>(
    `SELECT s.* FROM space_caps caps JOIN spaces s ON s.id = caps.space_id
     WHERE caps.org_id = ? AND caps.cap >= 2 ORDER BY s.created_at, s.id`,
    id('org acme'),
  );
  const people = db.all<{ user_id: string }>(
    `SELECT user_id FROM members WHERE org_id = ? AND role IN ('admin', 'create', 'review', 'edit', 'comment')
     ORDER BY joined_at, user_id`,
    id('org acme'),
  );
  const users = people.map(({ user_id }) => user_id);
  for (const space of spaces) {
    const pages = [...snapshotOf(db, space, space.revision_id).pageById.values()];
    for (const at of instants(seeding, space.created_at, 5 + random.below(25))) {
      const page = random.below(10) === 0 ? undefined : pages[random.below(pages.length)];
      const comment = discussed(seeding, users, at, page?.page.title ?? space.title);
      addComment(seeding, seqs, comment, { space, page });
    }
    const requests = db.all<{ id: string; revision_id: string; created_at: number }>(
      'SELECT id, revision_id, created_at FROM change_requests WHERE space_id = ? ORDER BY number',
      space.id,
    );
    for (const changeRequest of requests) {
      for (const at of instants(seeding, changeRequest.created_at, random.below(5))) {
        const review = at % 3 === 0 ? `review of ${changeRequest.id}` : undefined;
        const comment = discussed(seeding, users, at, space.title);
        addComment(seeding, seqs, comment, { space, changeRequest, review });
      }
    }
  }
}

function discussed(seeding: Seeding, users: readonly string[], at: number, title: string): NewComment {
  const { random } = seeding;
  const replies = Array.from({ length: Math.max(0, random.below(6) - 2) }, (_, index) => ({
    by: random.of(users),
    at: Math.min(at + (index + 1) * (1 + random.below(20)) * hourMs, seeding.daysAgo(0, 3)),
    text: random.of(words.replies),
    edited: index === 2,
    reactions: reactionsOf(seeding, users, 1),
  }));
  return {
    by: random.of(users),
    at,
    text: random.of(words.comments).replace('{title}', title),
    edited: random.below(12) === 0,
    resolvedBy: random.below(5) < 3 ? random.of(users) : undefined,
    reactions: reactionsOf(seeding, users, 4),
    replies: replies.sort((a, b) => a.at - b.at),
  };
}

function reactionsOf({ random }: Seeding, users: readonly string[], most: number) {
  const emoji = () => random.pick(['👍', '❤️', '🎉', '👀', '🚀', '✅', '😕']);
  return Array.from({ length: random.below(most + 1) }, () => [emoji(), random.of(users)] as const);
}

function instants({ random, daysAgo }: Seeding, from: number, count: number): number[] {
  const hours = Math.max(1, Math.floor((daysAgo(1) - from) / hourMs));
  return Array.from({ length: count }, () => from + random.below(hours) * hourMs).sort((a, b) => a - b);
}

function addComment({ db, id }: Seeding, seqs: Seqs, comment: NewComment, target: Target): void {
  const { node, edited, resolvedBy, by, at, text, replies = [] } = comment;
  const { space, changeRequest, page, review } = target;
  const seq = (seqs.get(space.id) ?? 0) + 1;
  seqs.set(space.id, seq);
  const commentId = id(`comment ${space.id} ${seq}`);
  const isResolved = resolvedBy !== undefined;
  insert(db, 'comments', {
    id: commentId,
    space_id: space.id,
    change_request_id: changeRequest?.id,
    seq,
    author_id: by,
    posted_at: at,
    edited_at: edited ? at + hourMs / 4 : null,
    markdown: text,
    status: isResolved ? 'resolved' : undefined,
    resolved_by: resolvedBy,
    resolved_at: isResolved ? (replies.at(-1)?.at ?? at) + hourMs : undefined,
    page_id: page?.page.page_id,
    page_version: page?.page.version,
    node_id: node?.id,
    node_preview: node?.preview,
    revision_id: changeRequest?.revision_id ?? space.revision_id,
    review_id: review && id(review),
  });
  addReactions(db, 'comment', commentId, comment);
  for (const [index, reply] of replies.entries()) {
    const replyId = id(`reply ${space.id} ${seq} ${index + 1}`);
    insert(db, 'comment_replies', {
      id: replyId,
      comment_id: commentId,
      seq: index + 1,
      author_id: reply.by,
      posted_at: reply.at,
      edited_at: reply.edited ? reply.at + hourMs / 4 : null,
      markdown: reply.text,
    });
    addReactions(db, 'reply', replyId, reply);
  }
}

function addReactions(
  db: Database,
  kind: 'comment' | 'reply',
  id: string,
  { at, reactions = [] }: NewReply,
): void {
  for (const [index, [emoji = '', by = '']] of reactions.entries()) {
    db.run(
      `INSERT OR IGNORE INTO ${kind}_reactions (${kind}_id, emoji, user_id, reacted_at) VALUES (?, ?, ?, ?)`,
      ...[id, emoji, by, at + (index + 1) * (hourMs / 2)],
    );
  }
}
