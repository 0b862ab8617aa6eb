import { listChangeRequestCommentReplies } from '../../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../../api/resources/change-request-comments.js';
import { listCommentReplies } from '../../../api/resources/comment-replies.js';
import { type Comment, listComments } from '../../../api/resources/comments.js';
import { runInOrder } from '../../../jobs/in-order.js';
import { jsonLines } from '../folder/json-files.js';
import { cleaned } from './cleaned.js';
import type { Owner } from './content.js';
import { type Gathering, pageLimit, type Reading } from './gathering.js';

/** Reads comments on a space or a change request, with their replies. */

type Place = Pick<Owner, 'spaceId' | 'changeRequestId'>;

/** How many there are. */
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
  const lines = jsonLines(discussions(gathering.reading, owner, onPage), ({ replies }) => {
    counted.comments += 1;
    counted.replies += replies.length;
  });
  await gathering.write(`${owner.at}comments.json`, lines, {
    kind: 'comments',
    id: owner.changeRequestId ?? owner.spaceId,
    ...(owner.changeRequestId !== undefined && { changeRequest: owner.changeRequestId }),
  });
  return counted;
}

/** The first page of comments, which changes with nearly every comment and reply. */
export async function firstComments({ client }: Reading, spaceId: string): Promise<readonly Comment[]> {
  const query = { format: 'markdown', limit: pageLimit };
  const pages = client.call(listComments, { path: { spaceId }, query }, { most: pageLimit }).pages();
  for await (const { items } of pages) return items;
  return [];
}

async function* discussions(
  reading: Reading,
  owner: Place,
  onPage: (comments: readonly Comment[]) => void,
): AsyncGenerator<{ comment: unknown; replies: unknown[] }> {
  for await (const { items } of commentsOf(reading, owner).pages()) {
    onPage(items);
    const withReplies = async (index: number) => {
      const comment = items[index] as Comment;
      const replies = comment.replies === 0 ? [] : await repliesTo(reading, owner, comment.id);
      return { comment: cleaned(comment), replies };
    };
    yield* runInOrder(items.length, withReplies, reading);
  }
}

function commentsOf({ client }: Reading, { spaceId, changeRequestId }: Place) {
  const query = { format: 'markdown', limit: pageLimit };
  return changeRequestId === undefined
    ? client.call(listComments, { path: { spaceId }, query })
    : client.call(listChangeRequestComments, { path: { spaceId, changeRequestId }, query });
}

async function repliesTo(
  { client }: Reading,
  { spaceId, changeRequestId }: Place,
  commentId: string,
): Promise<unknown[]> {
  const query = { format: 'markdown', limit: pageLimit };
  const replies =
    changeRequestId === undefined
      ? client.call(listCommentReplies, { path: { spaceId, commentId }, query })
      : client.call(listChangeRequestCommentReplies, {
          path: { spaceId, changeRequestId, commentId },
          query,
        });
  const all: unknown[] = [];
  for await (const reply of replies) all.push(cleaned(reply));
  return all;
}
