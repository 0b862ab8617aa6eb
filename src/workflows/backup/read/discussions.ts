import { listChangeRequestCommentReplies } from '../../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../../api/resources/change-request-comments.js';
import { listCommentReplies } from '../../../api/resources/comment-replies.js';
import { type Comment, listComments } from '../../../api/resources/comments.js';
import { defined } from '../../../defined.js';
import { readEach } from '../../../jobs/in-order.js';
import { jsonLines } from '../folder/json-files.js';
import { cleaned } from './cleaned.js';
import type { Owner } from './content.js';
import { type Gathering, pageLimit, type Reading } from './gathering.js';

/** Reads comments on a space or a change request, with their replies. */

type Place = Pick<Owner, 'spaceId' | 'changeRequestId'>;

export interface Discussed {
  comments: number;
  replies: number;
}

/**
 * Writes the comments with their replies as they arrive, one comment a line.
 * @param onPage called with each page of comments
 */
export async function writeComments(
  gathering: Gathering,
  owner: Owner,
  onPage: (comments: readonly Comment[]) => void = () => {},
): Promise<Discussed> {
  const counted: Discussed = { comments: 0, replies: 0 };
  const lines = jsonLines(discussions(gathering.reading, owner, counted, onPage));
  const { at, spaceId, changeRequestId: changeRequest } = owner;
  const about = defined({ kind: 'comments', id: changeRequest ?? spaceId, changeRequest });
  await gathering.write(`${at}comments.json`, lines, about);
  return counted;
}

export const commentQuery = { format: 'markdown', limit: pageLimit } as const;

async function* discussions(
  reading: Reading,
  owner: Place,
  counted: Discussed,
  onPage: (comments: readonly Comment[]) => void,
): AsyncGenerator<{ comment: unknown; replies: unknown[] }> {
  for await (const { items } of commentsOf(reading, owner).pages()) {
    onPage(items);
    yield* readEach(reading, items, async (comment) => {
      const replies = comment.replies === 0 ? [] : await repliesTo(reading, owner, comment.id);
      counted.comments += 1;
      counted.replies += replies.length;
      return { comment: cleaned(comment), replies };
    });
  }
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
  commentId: string,
): Promise<unknown[]> {
  const [path, query] = [{ spaceId, commentId }, commentQuery];
  const replies =
    changeRequestId === undefined
      ? client.call(listCommentReplies, { path, query })
      : client.call(listChangeRequestCommentReplies, { path: { ...path, changeRequestId }, query });
  const all: unknown[] = [];
  for await (const reply of replies) all.push(cleaned(reply));
  return all;
}
