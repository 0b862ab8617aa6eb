import type { Client } from '../api/client.js';
import { importChangeRequestContent } from '../api/resources/change-request-content.js';
import {
  createChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import { getContent } from '../api/resources/content.js';
import type { ContentFile, ContentPage, Revision } from '../api/resources/revisions.js';
import { requestFor } from '../jobs/request.js';
import type { Draft } from '../plans/draft.js';
import { jsonOf } from '../workflows/backup/folder/json-files.js';
import { type SpaceEntry, spaceFolder } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';

/** Content of spaces: what the backup has and the platform does not, and the change request that brings it. */

export interface ContentGap {
  /** In the backup. */
  entry: SpaceEntry;
  /** On the platform. */
  spaceId: string;
  /** Pages and files that are missing now, or have another text. */
  pages: number;
  files: number;
  /** Pages and files that came since, which stay. */
  newer: number;
  /** The change request that an earlier restore from the same run made; a draft does not have all of it yet. */
  waiting?: Waiting;
}

export interface Waiting {
  id: string;
  number: number;
  status: 'open' | 'draft';
}

/**
 * Compares the content of a space by titles, places and hashes of its pages and files, without reading them.
 * @returns undefined where nothing of the backup is missing
 */
export async function contentGap(
  client: Client,
  reader: BackupReader,
  entry: SpaceEntry,
  now: { spaceId: string; revision: unknown },
): Promise<ContentGap | undefined> {
  const { spaceId } = now;
  if (entry.revision !== undefined && entry.revision === now.revision) return undefined;
  const saved = jsonOf(await reader.text(`${spaceFolder(entry.folder)}/content.json`)) as Revision;
  const live = await client.call(getContent, { path: { spaceId } });
  const [pages, files] = [
    compared(pagesIn(saved.pages), pagesIn(live.pages)),
    compared(saved.files.map(fileKey), live.files.map(fileKey)),
  ];
  if (pages.missing + files.missing === 0) return undefined;
  const gap = {
    entry,
    spaceId,
    pages: pages.missing,
    files: files.missing,
    newer: pages.newer + files.newer,
  };
  const waiting = await waitingIn(client, spaceId, subjectOf(entry, reader));
  return waiting === undefined ? gap : { ...gap, waiting };
}

function compared(saved: readonly string[], live: readonly string[]): { missing: number; newer: number } {
  const [before, after] = [new Set(saved), new Set(live)];
  const missing = [...before].filter((key) => !after.has(key)).length;
  return { missing, newer: [...after].filter((key) => !before.has(key)).length };
}

/** Pages that the platform computes are no content of the space. */
function pagesIn(pages: readonly ContentPage[]): string[] {
  return pages.flatMap((page) => {
    const { path, title, description, documentId, updatedAt, git, pages: below = [] } = page;
    const text = git?.oid ?? `${documentId} ${updatedAt}`;
    const own = page.computed === undefined ? [JSON.stringify([path, title, description ?? '', text])] : [];
    return [...own, ...pagesIn(below)];
  });
}

function fileKey({ name, size, git }: ContentFile): string {
  return JSON.stringify([name, size, git?.oid ?? '']);
}

/** The same for each restore from the same run, so that a second one finds the first. */
export function subjectOf({ title }: SpaceEntry, { manifest }: BackupReader): string {
  const day = (manifest.finishedAt ?? manifest.startedAt).replace('T', ' ').slice(0, 16);
  const rest = ` from the backup of ${day}`;
  return `Restore ${[...title].slice(0, 100 - 'Restore '.length - rest.length).join('')}${rest}`;
}

async function waitingIn(client: Client, spaceId: string, subject: string): Promise<Waiting | undefined> {
  for (const status of ['open', 'draft'] as const) {
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
 * @param first the place of the first draft among all of the plan
 */
export function contentDrafts(
  { entry, spaceId, waiting }: ContentGap,
  { url, subject, first }: { url: string; subject: string; first: number },
): Draft[] {
  const made: unknown = waiting?.id ?? { $from: first, path: 'id' };
  const path = { spaceId, changeRequestId: made as string };
  const shared = { kind: 'change-requests', key: entry.title };
  const creation: Draft = {
    ...shared,
    action: 'create',
    fields: { subject: { after: subject } },
    request: requestFor(createChangeRequest, { spaceId }, { subject }),
  };
  const before = waiting === undefined ? [creation] : [];
  const imports = first + before.length;
  return [
    ...before,
    {
      ...shared,
      action: 'update',
      fields: { content: { after: url } },
      request: requestFor(importChangeRequestContent, path, { url, source: 'zip' }),
      after: before.map(() => first),
    },
    {
      ...shared,
      action: 'update',
      fields: { status: { before: 'draft', after: 'open' } },
      request: requestFor(updateChangeRequest, path, { status: 'open' }),
      after: [imports],
    },
  ];
}
