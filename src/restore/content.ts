import type { Client } from '../api/client.js';
import {
  createChangeRequest,
  importChangeRequestContent,
  listChangeRequests,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import { defined } from '../base/values.js';
import { changeId } from '../jobs/references.js';
import { requestFor } from '../jobs/request.js';
import type { Draft } from '../plans/plan.js';
import type { SpaceEntry } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';
import { type ContentDifferences, compareContent, nothingUncarried } from './compare-content.js';
import type { Uncarried } from './lack.js';
import type { RestoreOptions } from './options.js';

/** Content of spaces: what the backup has and the platform does not, and the change request that brings it. */

export interface ContentGap extends Omit<ContentDifferences, 'uncarried'> {
  /** In the backup. */
  entry: SpaceEntry;
  /** On the platform. */
  spaceId: string;
  /** The change request that an earlier restore from the same run made; a draft does not have all of it yet. */
  waiting?: Waiting;
}

export interface Waiting {
  id: string;
  number: number;
  status: 'open' | 'draft' | 'merged';
}

/**
 * Compares the content of a space, unless it has the revision of the backup.
 * @returns what an import does not bring, and the gap; no gap where nothing of the backup is missing
 */
export async function contentGap(
  client: Client,
  reader: BackupReader,
  entry: SpaceEntry,
  now: { spaceId: string; revision: unknown },
): Promise<{ gap?: ContentGap; uncarried: Uncarried }> {
  const { spaceId } = now;
  if (entry.revision !== undefined && entry.revision === now.revision) return { uncarried: nothingUncarried };
  const { uncarried, ...found } = await compareContent(client, reader, entry, spaceId);
  if (found.pages + found.files === 0) return { uncarried };
  const statuses = ['open', 'draft', 'merged'] as const;
  const waiting = await requestCalled(client, spaceId, subjectOf(entry, reader), statuses);
  return { uncarried, gap: { entry, spaceId, ...found, ...defined({ waiting }) } };
}

/** The same for each restore from the same run, so that a second one finds the first. */
export function subjectOf({ title }: SpaceEntry, { manifest }: BackupReader): string {
  const day = (manifest.finishedAt ?? manifest.startedAt).replace('T', ' ').slice(0, 16);
  const rest = ` from the backup of ${day}`;
  return `Restore ${[...title].slice(0, 100 - 'Restore '.length - rest.length).join('')}${rest}`;
}

/** The first change request with a subject, by status in the order given. */
export async function requestCalled(
  client: Client,
  spaceId: string,
  subject: string,
  statuses: readonly Waiting['status'][],
): Promise<Waiting | undefined> {
  for (const status of statuses) {
    const list = client.call(listChangeRequests, { path: { spaceId }, query: { status } });
    for await (const request of list)
      if (request.subject === subject) return { id: request.id, number: request.number, status };
  }
  return undefined;
}

/** The file that `docs backup pack --space` makes of a space, below the address where it is hosted. */
export function packUrl(base: string, { folder }: SpaceEntry): string {
  return `${base.replace(/\/+$/, '')}/${encodeURIComponent(packName(folder))}`;
}

export function packName(folder: string): string {
  return `${folder}.zip`;
}

/**
 * Change request, import, submission. It is never merged: a person compares it with what the space has. A draft of an
 * earlier restore that was interrupted is completed: importing the same again replaces the same pages.
 * @param first the place of the first draft among the changes of the plan
 */
export function contentDrafts(
  { entry, spaceId, waiting }: Pick<ContentGap, 'spaceId' | 'waiting'> & { entry: Pick<SpaceEntry, 'title'> },
  { url, subject, first }: { url: string; subject: string; first: number },
): Draft[] {
  const draft = waiting?.status === 'draft' ? waiting : undefined;
  const made: unknown = draft?.id ?? { $from: changeId(first), path: 'id' };
  const path = { spaceId, changeRequestId: made as string };
  const shared = { kind: 'change-requests', key: entry.title };
  const creation: Draft = {
    ...shared,
    action: 'create',
    fields: { subject: { after: subject } },
    request: requestFor(createChangeRequest, { spaceId }, { subject }),
  };
  const before = draft === undefined ? [creation] : [];
  return [
    ...before,
    {
      ...shared,
      action: 'update',
      fields: { content: { after: url } },
      request: requestFor(importChangeRequestContent, path, { url, source: 'zip' }),
      after: before.map(() => changeId(first)),
    },
    {
      ...shared,
      action: 'update',
      fields: { status: { before: 'draft', after: 'open' } },
      request: requestFor(updateChangeRequest, path, { status: 'open' }),
      after: [changeId(first + before.length)],
    },
  ];
}

/** A merged one is made again only for a space that was named: texts may differ after an import. */
export function isMade({ waiting }: ContentGap, { only }: Pick<RestoreOptions, 'only'>): boolean {
  return waiting?.status === 'open' || (waiting?.status === 'merged' && only === undefined);
}
