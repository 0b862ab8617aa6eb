import type { Client } from '../api/client.js';
import { importChangeRequestContent } from '../api/resources/change-request-content.js';
import {
  createChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import { getContent, getPage } from '../api/resources/content.js';
import type { ContentFile, ContentPage, Revision } from '../api/resources/revisions.js';
import { requestFor } from '../jobs/request.js';
import type { Draft } from '../plans/draft.js';
import { jsonOf } from '../workflows/backup/folder/json-files.js';
import { type SpaceEntry, spaceFolder } from '../workflows/backup/folder/manifest.js';
import { fileNamesOf } from '../workflows/backup/folder/names.js';
import { Addresses } from '../workflows/backup/read/cleaned.js';
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
  status: 'open' | 'draft' | 'merged';
}

/**
 * Compares the content of a space: pages by place, title and hash, and by their text where the hash is another, which
 * an import brings about; files by name and size.
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
  const texts = await pageTexts({ client, reader, spaceId, entry, files: live.files });
  const pages = await missingPages(pagesIn(saved.pages), pagesIn(live.pages), texts);
  const [before, after] = [saved, live].map(({ files }) => new Set(files.map(fileKey)));
  const files = [...(before ?? [])].filter((key) => !after?.has(key)).length;
  if (pages + files === 0) return undefined;
  const kept = new Set(pagesIn(saved.pages).map(({ path }) => path));
  const newer =
    pagesIn(live.pages).filter(({ path }) => !kept.has(path)).length +
    [...(after ?? [])].filter((key) => !before?.has(key)).length;
  const gap = { entry, spaceId, pages, files, newer };
  const waiting = await requestOf(client, spaceId, subjectOf(entry, reader));
  return waiting === undefined ? gap : { ...gap, waiting };
}

/** Pages, those below them included; those that the platform computes are no content of the space. */
function pagesIn(pages: readonly ContentPage[]): ContentPage[] {
  return pages.flatMap((page) => [
    ...(page.computed === undefined ? [page] : []),
    ...pagesIn(page.pages ?? []),
  ]);
}

function fileKey({ name, size }: ContentFile): string {
  return JSON.stringify([name, size]);
}

/** Pages that are read at once. */
const atOnce = 8;

/** @param isSame whether the texts of two pages are the same */
async function missingPages(
  saved: readonly ContentPage[],
  live: readonly ContentPage[],
  isSame: (saved: ContentPage, live: ContentPage) => Promise<boolean>,
): Promise<number> {
  const there = new Map(live.map((page) => [page.path, page]));
  let missing = 0;
  const open: [ContentPage, ContentPage][] = [];
  for (const page of saved) {
    const other = there.get(page.path);
    if (other === undefined || other.title !== page.title) missing += 1;
    else if (page.git === undefined || other.git?.oid !== page.git.oid) open.push([page, other]);
  }
  for (let at = 0; at < open.length; at += atOnce) {
    const same = await Promise.all(open.slice(at, at + atOnce).map((pair) => isSame(...pair)));
    missing += same.filter((one) => !one).length;
  }
  return missing;
}

interface Texts {
  client: Client;
  reader: BackupReader;
  spaceId: string;
  entry: SpaceEntry;
  /** Of the platform. */
  files: readonly ContentFile[];
}

/** Compares texts in the form of the backup, in which files are named by their paths. */
async function pageTexts({ client, reader, spaceId, entry, files }: Texts) {
  const manifest = await reader.space(entry);
  const paths = new Map(
    (manifest?.files ?? []).flatMap(({ kind, id, path, changeRequest }) =>
      kind === 'page-markdown' && changeRequest === undefined ? [[id, path]] : [],
    ),
  );
  const names = fileNamesOf(files.map(({ id, name }) => ({ id, title: name })));
  const addresses = new Addresses();
  for (const { id, downloadURL } of files) addresses.add(downloadURL, `files/${names.get(id)}`);
  return async (saved: ContentPage, live: ContentPage): Promise<boolean> => {
    const path = paths.get(saved.id);
    if (path === undefined) return false;
    const query = { format: 'markdown' } as const;
    const page = await client.call(getPage, { path: { spaceId, pageId: live.id }, query });
    const above = '../'.repeat(path.split('/').length - 1);
    const text = addresses.replaced(page.markdown ?? '', above);
    return text.trim() === (await reader.text(`${spaceFolder(entry.folder)}/${path}`)).trim();
  };
}

/** The same for each restore from the same run, so that a second one finds the first. */
export function subjectOf({ title }: SpaceEntry, { manifest }: BackupReader): string {
  const day = (manifest.finishedAt ?? manifest.startedAt).replace('T', ' ').slice(0, 16);
  const rest = ` from the backup of ${day}`;
  return `Restore ${[...title].slice(0, 100 - 'Restore '.length - rest.length).join('')}${rest}`;
}

async function requestOf(client: Client, spaceId: string, subject: string): Promise<Waiting | undefined> {
  for (const status of ['open', 'draft', 'merged'] as const) {
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
  const draft = waiting?.status === 'draft' ? waiting : undefined;
  const made: unknown = draft?.id ?? { $from: first, path: 'id' };
  const path = { spaceId, changeRequestId: made as string };
  const shared = { kind: 'change-requests', key: entry.title };
  const creation: Draft = {
    ...shared,
    action: 'create',
    fields: { subject: { after: subject } },
    request: requestFor(createChangeRequest, { spaceId }, { subject }),
  };
  const before = draft === undefined ? [creation] : [];
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
