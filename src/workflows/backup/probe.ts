import { createHash } from 'node:crypto';
import { type ChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import type { Comment } from '../../api/resources/comments.js';
import { listSpaceFields } from '../../api/resources/space-fields.js';
import type { Space } from '../../api/resources/spaces.js';
import { stringify } from '../../output/json.js';
import { cleaned } from './cleaned.js';
import { firstComments } from './discussions.js';
import { pageLimit, type Reading } from './gathering.js';

/**
 * How a space is known to be as it was. The list of spaces tells the revision, the settings and the
 * counts of open comments and change requests. What those do not tell takes a request each: the comments
 * with the counts of their replies, the open change requests with their revisions, the values of fields.
 * A run asks for one of them, the next run for another, so that each change is seen by the third run.
 * Nothing cheap tells of changed texts of replies, or of comments beyond the first page.
 */

/** What a request was told, as it was read. */
export interface Looks {
  comments: readonly Comment[];
  changeRequests: readonly ChangeRequest[];
  fields: readonly FieldValue[];
}

/** What is looked at; hashes of it by name are in the manifest of a space. */
export type LookName = keyof Looks;
export type Probes = Readonly<Record<LookName, string>>;

interface FieldValue {
  customField: { name: string };
  value?: unknown;
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

/**
 * Asks for what it is the turn of, in one request.
 * @param turn number of the run
 * @returns whether it is as it was
 */
export async function isAsBefore(
  reading: Reading,
  space: Space,
  probes: Partial<Probes>,
  turn: number,
): Promise<boolean> {
  const names =
    space.changeRequestsOpen > 0 ? lookNames : lookNames.filter((name) => name !== 'changeRequests');
  const name = names[turn % names.length] ?? 'comments';
  const looks = { ...noLooks, [name]: await lookAt(reading, space.id, name) };
  return probesOf(looks)[name] === probes[name];
}

/** The hashes of what was read. */
export function probesOf({ comments, changeRequests, fields }: Looks): Probes {
  return {
    comments: hash(cleaned(comments)),
    changeRequests: hash(cleaned(changeRequests)),
    fields: hash(fields.map(({ customField, value }) => [customField.name, value])),
  };
}

const lookNames: readonly LookName[] = ['comments', 'changeRequests', 'fields'];
export const noLooks: Looks = { comments: [], changeRequests: [], fields: [] };

async function lookAt(reading: Reading, spaceId: string, name: LookName): Promise<Looks[LookName]> {
  if (name === 'comments') return firstComments(reading, spaceId);
  if (name === 'fields') return reading.client.call(listSpaceFields, { path: { spaceId } });
  return firstChangeRequests(reading, spaceId);
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
