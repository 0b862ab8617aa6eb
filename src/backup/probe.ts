import { createHash } from 'node:crypto';
import { type ChangeRequest, listChangeRequests } from '../api/resources/change-requests.js';
import type { Comment } from '../api/resources/comments.js';
import type { Space } from '../api/resources/spaces.js';
import { stringify } from '../output/json.js';
import { cleaned } from './cleaned.js';
import { firstComments } from './discussions.js';
import { pageLimit, type Reading } from './gathering.js';

/**
 * How a space is known to be as it was. The list of spaces tells the revision, the settings and the
 * counts of open comments and change requests. One request more tells what those do not: of a space with
 * open change requests, that list with their revisions; of any other, the comments with the counts of
 * their replies. Nothing cheap tells of values of fields, changed texts of replies, and, where there are
 * open change requests, changed texts of comments.
 */

/** The first pages of both lists, as they were read. */
export interface FirstPages {
  comments: readonly Comment[];
  changeRequests: readonly ChangeRequest[];
}

/** A hash of what the list of spaces tells; fields that only some answers have are not part of it. */
export function seenOf(space: Space): string {
  const { title, emoji, visibility, updatedAt, editMode, parent, revision, defaultLevel } = space;
  const { comments, changeRequests, changeRequestsOpen, changeRequestsDraft, gitSync } = space;
  return hash([
    ...[title, emoji, visibility, updatedAt, editMode, parent, revision, defaultLevel],
    ...[comments, changeRequests, changeRequestsOpen, changeRequestsDraft, gitSync?.updatedAt],
  ]);
}

/** The hash of what one request tells. */
export async function probeSpace(reading: Reading, space: Space): Promise<string> {
  const first: FirstPages = { comments: [], changeRequests: [] };
  if (asksForChanges(space)) first.changeRequests = await firstChangeRequests(reading, space.id);
  else first.comments = await firstComments(reading, space.id);
  return probeWith(space, first);
}

/** The same hash from what was read already. */
export function probeWith(space: Space, { comments, changeRequests }: FirstPages): string {
  return hash(cleaned(asksForChanges(space) ? changeRequests : comments));
}

function asksForChanges({ changeRequestsOpen }: Space): boolean {
  return changeRequestsOpen > 0;
}

async function firstChangeRequests({ client }: Reading, spaceId: string): Promise<readonly ChangeRequest[]> {
  const query = { status: 'open', limit: pageLimit };
  const pages = client.call(listChangeRequests, { path: { spaceId }, query }, { most: pageLimit }).pages();
  for await (const { items } of pages) return items;
  return [];
}

function hash(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('hex');
}
