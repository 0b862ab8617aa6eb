import { isIP } from 'node:net';
import { pagesIn } from '../access/links/read-links.js';
import type { Client } from '../api/client.js';
import {
  createChangeRequest,
  importChangeRequestContent,
  listChangeRequests,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import {
  type ContentFile,
  type ContentPage,
  getContent,
  getPage,
  type Revision,
} from '../api/resources/content.js';
import { isLoopback } from '../api/transport/address.js';
import { Addresses } from '../backup/gathering.js';
import type { FileEntry, SpaceEntry } from '../backup/manifest.js';
import { fileNamesOf } from '../backup/names.js';
import type { BackupReader, StoredFiles } from '../backup/reader.js';
import { withoutFinalSlashes } from '../base/characters.js';
import { DocsError, usageError } from '../base/errors.js';
import { isPublicAddress } from '../base/public-address.js';
import { defined } from '../base/values.js';
import { changeId, requestFor } from '../jobs/change.js';
import type { Draft } from '../plans/plan.js';
import type { Uncarried } from './lacks.js';

/** Content of spaces: what the backup has and the platform does not, and the change request that brings it. */

export interface ContentGap extends Omit<ContentDifferences, 'uncarried'> {
  /** In the backup. */
  entry: SpaceEntry;
  /** On the platform. */
  spaceId: string;
  /** The change request that an earlier restore from the same run made; a draft does not have all of it yet. */
  waiting?: Waiting;
}

interface Waiting {
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
  return `${withoutFinalSlashes(base)}/${encodeURIComponent(packName(folder))}`;
}

function packName(folder: string): string {
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
    change: requestFor(createChangeRequest, { spaceId }, { subject }),
  };
  const before = draft === undefined ? [creation] : [];
  return [
    ...before,
    {
      ...shared,
      action: 'update',
      fields: { content: { after: url } },
      change: {
        ...requestFor(importChangeRequestContent, path, { url, source: 'zip' }),
        after: before.map(() => first),
      },
    },
    {
      ...shared,
      action: 'update',
      fields: { status: { before: 'draft', after: 'open' } },
      change: {
        ...requestFor(updateChangeRequest, path, { status: 'open' }),
        after: [first + before.length],
      },
    },
  ];
}

/** A merged one is made again only for a space that was named: texts may differ after an import. */
export function isMade(
  { waiting }: ContentGap,
  { only }: { only: ReadonlySet<string> | undefined },
): boolean {
  return waiting?.status === 'open' || (waiting?.status === 'merged' && only === undefined);
}

/** What differs between the content of a space in a backup and on the platform. */
interface ContentDifferences {
  /** Pages and files that are missing now, or are other ones. */
  pages: number;
  files: number;
  /** Pages and files that the backup does not have. */
  newer: number;
  /** What an import does not bring. */
  uncarried: Uncarried;
}

export const nothingUncarried: Uncarried = { orders: 0, covers: 0, reusables: 0 };

/**
 * Compares pages by place, properties and hash, and by their text where the hash is another, which an import brings
 * about; files by name, size and hash.
 */
export async function compareContent(
  client: Client,
  reader: BackupReader,
  entry: SpaceEntry,
  spaceId: string,
): Promise<ContentDifferences> {
  const stored = (await reader.filesOf(entry))?.own;
  const saved = await stored?.json<Revision>(stored.find('content'));
  if (stored === undefined || saved === undefined)
    return { pages: 0, files: 0, newer: 0, uncarried: nothingUncarried };
  const live = await client.call(getContent, { path: { spaceId } });
  const isSame = textComparer({ client, spaceId, stored, files: live.files });
  const [before, after] = [ownPages(saved.pages), ownPages(live.pages)];
  const paths = new Set(before.map(({ path }) => path));
  const names = new Set(saved.files.map(({ name }) => name));
  return {
    pages: await missingPages(before, after, isSame),
    files: saved.files.filter((file) => !live.files.some((other) => isSameFile(file, other))).length,
    newer:
      after.filter(({ path }) => !paths.has(path)).length +
      live.files.filter(({ name }) => !names.has(name)).length,
    uncarried: {
      orders: Number(orderOf(before, after) !== orderOf(after, before)),
      covers: coversLost(before, after),
      reusables: reusablesLost(saved, live),
    },
  };
}

/** Pages that the platform computes are not content of the space. */
function ownPages(pages: readonly ContentPage[]): ContentPage[] {
  return [...pagesIn(pages)].filter(({ computed }) => computed === undefined);
}

function isSameFile(saved: ContentFile, live: ContentFile): boolean {
  if (saved.name !== live.name || saved.size !== live.size) return false;
  return saved.git === undefined || live.git === undefined || saved.git.oid === live.git.oid;
}

/** The order of the pages that both have. */
function orderOf(pages: readonly ContentPage[], others: readonly ContentPage[]): string {
  const known = new Set(others.map(({ path }) => path));
  return JSON.stringify(pages.flatMap(({ path }) => (known.has(path) ? [path] : [])));
}

/** Pages whose cover is gone or moved. */
function coversLost(saved: readonly ContentPage[], live: readonly ContentPage[]): number {
  const now = new Map(live.map((page) => [page.path, page.cover]));
  return saved.filter(({ path, cover }) => {
    const other = now.get(path);
    return cover !== undefined && (other === undefined || other.yPos !== cover.yPos);
  }).length;
}

function reusablesLost({ reusableContents: saved = [] }: Revision, live: Revision): number {
  const titles = new Set((live.reusableContents ?? []).map(({ title }) => title));
  return saved.filter(({ title }) => !titles.has(title)).length;
}

/** The properties of a page that an import brings: those that a pack writes above the text. */
function propertiesOf(page: ContentPage): string {
  const { title, description, emoji, icon, hidden, noIndex, noRobotsIndex, layout = {} } = page;
  const off = Object.entries(layout).flatMap(([part, shown]) => (shown === false ? [part] : []));
  const flags = [hidden, noIndex, noRobotsIndex].map((flag) => flag === true);
  return JSON.stringify([title, description ?? '', emoji ?? '', icon ?? '', flags, off.sort()]);
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
    if (other === undefined || propertiesOf(other) !== propertiesOf(page)) missing += 1;
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
  spaceId: string;
  /** Of the backup. */
  stored: StoredFiles;
  /** Of the platform. */
  files: readonly ContentFile[];
}

/** Compares texts in the form of the backup, in which files are named by their paths. */
function textComparer({ client, spaceId, stored, files }: Texts) {
  const texts = new Map<string | undefined, FileEntry>(
    stored.all('page-markdown').map((entry) => [entry.id, entry]),
  );
  const names = fileNamesOf(files.map(({ id, name }) => ({ id, title: name })));
  const addresses = new Addresses();
  for (const { id, downloadURL } of files) addresses.add(downloadURL, `files/${names.get(id)}`);
  return async (saved: ContentPage, live: ContentPage): Promise<boolean> => {
    const entry = texts.get(saved.id);
    if (entry === undefined) return false;
    const query = { format: 'markdown' } as const;
    const page = await client.call(getPage, { path: { spaceId, pageId: live.id }, query });
    const above = '../'.repeat(entry.path.split('/').length - 1);
    const text = addresses.replaced(page.markdown ?? '', above);
    return text.trim() === (await stored.text(entry)).trim();
  };
}

/**
 * Checks the address of `--import-base`: the platform fetches from it, so it must be one that the platform can reach.
 * The address of a sandbox stands for its folder of content, whatever it is.
 * @param platform as manifests name it
 * @throws DocsError usage `bad_url`
 */
export function checkImportBase(typed: string, platform: string, hint = 'docs backup pack --help'): void {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const bad = (why: string) => usageError('bad_url', `--import-base ${why}; nothing was changed`, { hint });
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw bad('must be an http or https URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw bad('must not have credentials, a query or a fragment');
  if (platform === 'sandbox') return;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPrivate = isLoopback(url.hostname) || (isIP(host) !== 0 && !isPublicAddress(host));
  const isLocal = /(?:^|\.)(?:local|localhost|internal|lan|home\.arpa)$/i.test(host) || !/[.:]/.test(host);
  if (isPrivate || isLocal) throw bad(`${host} is not an address that the platform can reach`);
}

/**
 * Looks whether the archives are there, so that no change request is made for one that is not. From here: what the
 * platform can reach only its import tells.
 * @throws DocsError not-found `pack_missing`, with all of them
 */
export async function checkPacks(
  client: Client,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const missing: string[] = [];
  for (const url of urls) if (!(await isArchive(client, url, signal))) missing.push(url);
  const [first] = missing;
  if (first === undefined) return;
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  throw new DocsError('not-found', 'pack_missing', `no archive at ${first}${more}; nothing was changed`, {
    outcome: 'not-sent',
    hint: 'docs backup pack --help',
    details: { missing },
  });
}

/** A ZIP archive begins with these bytes. */
const zipHead = Buffer.from('PK');

async function isArchive(client: Client, url: string, signal: AbortSignal): Promise<boolean> {
  const end = new AbortController();
  try {
    const bytes = await client.download(url, { signal: AbortSignal.any([signal, end.signal]) });
    for await (const piece of bytes) return Buffer.from(piece.subarray(0, zipHead.length)).equals(zipHead);
    return false;
  } catch (cause) {
    if (signal.aborted || !(cause instanceof DocsError)) throw cause;
    return false;
  } finally {
    end.abort();
  }
}
