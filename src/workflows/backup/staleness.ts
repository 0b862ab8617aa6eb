import { createHash } from 'node:crypto';
import { type ChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import { type Comment, listComments } from '../../api/resources/comments.js';
import { listSpaceFields } from '../../api/resources/space-fields.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { stringify } from '../../output/json.js';
import {
  type Manifest,
  type Probes,
  readSpaceManifest,
  type SpaceManifest,
  spaceFolder,
} from './folder/manifest.js';
import { cleaned } from './read/cleaned.js';
import { commentQuery } from './read/discussions.js';
import { Gathering, openQuery, pageLimit, type Reading } from './read/gathering.js';

/**
 * What of a space is read again. All of it is decided here, from the manifest that the last run left:
 *
 * 1. The whole space is kept (`unchangedSpace`) if it was read to its end, its entry in the list of spaces
 *    is the same (`seenOf`: revision, settings, counts), its files are there, and one probe is the same.
 *    A probe is a list that the entry says nothing about: comments with their counts of replies, open
 *    change requests with their revisions, values of fields. Each run asks for one of them, the next run
 *    for another, so a change is seen by the third run. Not seen: changed texts of replies, and comments
 *    beyond the first page.
 * 2. In a space that is read, the pages and files of the space and of a change request are kept if their
 *    key is that of the last run (`lastKey`): the revision, for a change request with that of the space.
 *
 * Two smaller decisions are made where the bytes are: a file of content (`versionOfFile` in read/content.ts)
 * and the content of an OpenAPI version (read/organization.ts) are fetched again if their version changed.
 */

/** The lists behind the probes, as they were read. */
export interface Looks {
  comments: readonly Comment[];
  changeRequests: readonly ChangeRequest[];
  fields: readonly { customField: { name: string }; value?: unknown }[];
}

type LookName = keyof Probes;

/** The number of the run after the one that wrote a manifest; the first run is -1, the second 0. */
export function turnAfter(previous: Manifest | undefined): number {
  return previous?.runs ?? -1;
}

export interface StalenessOptions {
  folder: string;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Chooses the probe. */
  turn: number;
}

/**
 * The manifest of the last run, if the space is unchanged since. Sends one request, or none if the list of
 * spaces shows a change.
 */
export async function unchangedSpace(
  reading: Reading,
  space: Space,
  { folder, full, turn }: StalenessOptions,
): Promise<SpaceManifest | undefined> {
  const old = full ? undefined : await lastManifest(reading, space, folder);
  if (old?.state !== 'whole' || old.seen !== seenOf(space)) return undefined;
  const gathering = new Gathering(reading, `${spaceFolder(folder)}/`, old.files, space.id);
  if (!(await gathering.keep(() => true))) return undefined;
  return (await isAsBefore(reading, space, old.probes, turn)) ? old : undefined;
}

/** The key that a part of a space was last read by; undefined if it is to be read in any case. */
export function lastKey(old: SpaceManifest | undefined, full: boolean, part: string): string | undefined {
  return full ? undefined : old?.parts.find(({ name }) => name === part)?.key;
}

/** The manifest of the last run. One that cannot be parsed counts as none: everything is read again. */
export async function lastManifest(
  { folder }: Reading,
  { id }: Space,
  name: string,
): Promise<SpaceManifest | undefined> {
  try {
    const manifest = await readSpaceManifest(folder, spaceFolder(name));
    return manifest?.id === id ? manifest : undefined;
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  }
}

/** A hash of a space's entry in the list of spaces, without fields that only some answers have. */
export function seenOf(space: Space): string {
  const { title, emoji, visibility, updatedAt, editMode, parent, revision, defaultLevel } = space;
  const { comments, changeRequests, changeRequestsOpen, changeRequestsDraft, gitSync } = space;
  return hash([
    ...[title, emoji, visibility, updatedAt, editMode, parent, revision, defaultLevel],
    ...[comments, changeRequests, changeRequestsOpen, changeRequestsDraft, gitSync?.updatedAt],
  ]);
}

/** Asks for the probe whose turn it is, in one request. */
async function isAsBefore(
  reading: Reading,
  { id, changeRequestsOpen }: Space,
  probes: Partial<Probes>,
  turn: number,
): Promise<boolean> {
  const names = lookNames.filter((name) => changeRequestsOpen > 0 || name !== 'changeRequests');
  const name = names[turn % names.length] ?? 'comments';
  const looks = { ...noLooks, [name]: await lookAt(reading, id, name) };
  return probesOf(looks)[name] === probes[name];
}

export function probesOf({ comments, changeRequests, fields }: Looks): Probes {
  return {
    comments: hash(cleaned(comments)),
    changeRequests: hash(cleaned(changeRequests)),
    fields: hash(fields.map(({ customField, value }) => [customField.name, value])),
  };
}

const lookNames: readonly LookName[] = ['comments', 'changeRequests', 'fields'];
export const noLooks: Looks = { comments: [], changeRequests: [], fields: [] };

async function lookAt({ client }: Reading, spaceId: string, name: LookName): Promise<Looks[LookName]> {
  const [path, most] = [{ spaceId }, { most: pageLimit }];
  if (name === 'fields') return client.call(listSpaceFields, { path });
  if (name === 'comments') return firstOf(client.call(listComments, { path, query: commentQuery }, most));
  return firstOf(client.call(listChangeRequests, { path, query: openQuery }, most));
}

/** The first page of a list: that of comments changes with nearly every comment and reply. */
async function firstOf<T>(list: { pages(): AsyncIterable<{ items: T[] }> }): Promise<T[]> {
  for await (const { items } of list.pages()) return items;
  return [];
}

function hash(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('hex');
}
