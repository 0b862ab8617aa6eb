import { type Comment, listChangeRequestComments } from '../../api/resources/comments.js';
import { readAll } from '../../jobs/in-order.js';
import { discussionQuery } from '../../jobs/rules/discussions.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import { markerOf } from './decide.js';
import type { Stale } from './find.js';
import { namedRevision, stateOf } from './marker.js';

/** Whether later runs will know the warnings again that were posted. An answer of the platform alone proves nothing. */

export interface ReadBack {
  /** Whose comment does not show its marker. */
  lost: Stale[];
  /** Whose comment is by somebody else than the member whose comments count. */
  foreign: Stale[];
  unread: Unread[];
}

/** @param warner whose comments count, where that was asked */
export async function readWarnings(
  reading: Reading,
  warned: readonly Stale[],
  warner: string | undefined,
): Promise<ReadBack> {
  const found: ReadBack = { lost: [], foreign: [], unread: [] };
  await readAll(reading, warned, async (one) => {
    const { id, subject: title, space } = one.request;
    try {
      const comment = await warningOn(reading, one);
      if (comment === undefined) found.lost.push(one);
      else if (warner !== undefined && comment.postedBy.id !== warner) found.foreign.push(one);
    } catch (cause) {
      const about = { kind: 'change-request', id, title, space: space.id };
      found.unread.push(unreadOf(cause, reading.signal, about));
    }
  });
  return found;
}

/** The warning that this run posted, as a later run would know it. */
async function warningOn(
  { client }: Reading,
  { request, discussion, archiveAfter }: Stale,
): Promise<Comment | undefined> {
  const before = new Set(discussion.comments.map(({ id }) => id));
  const path = { spaceId: request.space.id, changeRequestId: request.id };
  for await (const one of client.call(listChangeRequestComments, { path, query: discussionQuery })) {
    const marker = before.has(one.id) ? undefined : markerOf(one);
    const isOwn = marker?.archiveAfter === archiveAfter && marker?.revision === namedRevision(request);
    if (isOwn && marker?.state === stateOf(request)) return one;
  }
  return undefined;
}
