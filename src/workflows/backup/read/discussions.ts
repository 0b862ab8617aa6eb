import { listChangeRequestCommentReplies } from '../../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../../api/resources/change-request-comments.js';
import { listCommentReplies } from '../../../api/resources/comment-replies.js';
import { type Comment, listComments } from '../../../api/resources/comments.js';
import { defined, isObject } from '../../../base/values.js';
import { readEach } from '../../../jobs/in-order.js';
import { jsonLines } from '../folder/json-files.js';
import type { FileEntry } from '../folder/manifest.js';
import { cleaned } from './cleaned.js';
import type { Owner } from './content.js';
import { type Gathering, pageLimit, type Reading } from './gathering.js';

/** Reads comments on a space or a change request, with their replies. */

type Place = Pick<Owner, 'spaceId' | 'changeRequestId'>;

export interface Discussed {
  comments: number;
  replies: number;
  /** Whether replies of the last run stand for those of the platform. */
  kept: boolean;
}

/** Replies of the last run by id of their comment. */
type Known = ReadonlyMap<string, readonly unknown[]>;

/**
 * Writes the comments with their replies as they arrive, one comment a line.
 * @param keepsReplies whether the replies to a comment that has as many as in the last run are taken from there
 */
export async function writeComments(
  gathering: Gathering,
  owner: Owner,
  keepsReplies: boolean,
): Promise<Discussed> {
  const counted: Discussed = { comments: 0, replies: 0, kept: false };
  const known = keepsReplies ? await repliesOnDisk(gathering, owner) : new Map();
  const lines = jsonLines(discussions(gathering.reading, owner, counted, known));
  const { at, spaceId, changeRequestId: changeRequest } = owner;
  const about = defined({ kind: 'comments', id: changeRequest ?? spaceId, changeRequest });
  await gathering.write(`${at}comments.json`, lines, about);
  return counted;
}

const commentQuery = { format: 'markdown', limit: pageLimit } as const;

async function* discussions(
  reading: Reading,
  owner: Place,
  counted: Discussed,
  known: Known,
): AsyncGenerator<{ comment: unknown; replies: readonly unknown[] }> {
  for await (const { items } of commentsOf(reading, owner).pages()) {
    yield* readEach(reading, items, async (comment) => {
      const old = known.get(comment.id);
      const keeps = old !== undefined && old.length === comment.replies;
      if (keeps) counted.kept = true;
      const replies = keeps ? old : await repliesTo(reading, owner, comment);
      counted.comments += 1;
      counted.replies += replies.length;
      return { comment: cleaned(comment), replies };
    });
  }
}

/** Those of the last run. A change request that got another subject has them in another folder. */
async function repliesOnDisk(gathering: Gathering, { changeRequestId }: Place): Promise<Known> {
  const known = new Map<string, readonly unknown[]>();
  const isTheirs = (entry: FileEntry) => entry.kind === 'comments' && entry.changeRequest === changeRequestId;
  for await (const line of gathering.lastItems(isTheirs)) {
    const { comment, replies } = isObject(line) ? line : {};
    if (!isObject(comment) || !Array.isArray(replies) || replies.length === 0) continue;
    known.set(String(comment.id), replies);
  }
  return known;
}

function commentsOf({ client }: Reading, { spaceId, changeRequestId }: Place) {
  const query = commentQuery;
  return changeRequestId === undefined
    ? client.call(listComments, { path: { spaceId }, query })
    : client.call(listChangeRequestComments, { path: { spaceId, changeRequestId }, query });
}

async function repliesTo(
  { client }: Reading,
  { spaceId, changeRequestId }: Place,
  { id: commentId, replies: count }: Comment,
): Promise<unknown[]> {
  if (count === 0) return [];
  const [path, query] = [{ spaceId, commentId }, commentQuery];
  const replies =
    changeRequestId === undefined
      ? client.call(listCommentReplies, { path, query })
      : client.call(listChangeRequestCommentReplies, { path: { ...path, changeRequestId }, query });
  const all: unknown[] = [];
  for await (const reply of replies) all.push(cleaned(reply));
  return all;
}
