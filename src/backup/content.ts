import { measured } from '../api/client.js';
import {
  type ContentFile,
  type ContentPage,
  getContent,
  getFile,
  getPage,
  type Revision,
} from '../api/resources/content.js';
import { DocsError } from '../base/errors.js';
import { readAll } from '../jobs/sequence.js';
import { operationIn } from '../model/operations.js';
import { jsonText } from './folder.js';
import { Addresses, cleaned, type Gathering } from './gathering.js';
import { fileNamesOf, type PlacedPage, placePages } from './names.js';
import { type ComputedPage, computedPages, contentKey, versionOfFile, versionOfPage } from './staleness.js';

/** Whose content it is. */
export interface Owner {
  spaceId: string;
  changeRequestId?: string;
  /** Folder below that of the gathering: '' for the space, `change-requests/7-Typos/`. */
  at: string;
}

/** Pages and files of a space by version; a change request keeps only those that differ. */
export interface KnownContent {
  /** By id: the version of the page or file. */
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, { version: string; name: string }>;
  computed: readonly ComputedPage[];
}

/** How often a download that breaks off is started, beyond the retries of the client. */
const mostDownloads = 3;
/** How often content is read that changes while it is read. */
const mostReadings = 3;

/** Kinds of files that content consists of. */
export const contentKinds = ['content', 'page', 'page-markdown', 'file'];

/**
 * Reads content again if it changed meanwhile, so that all of it is of one revision, computed pages included.
 * @param first the space or change request as it was before
 * @param refresh reads that again
 * @returns what the content was read by (`contentKey`); whether all of it is there, and of one revision
 */
export async function readSettledContent(
  gathering: Gathering,
  owner: Owner & { kind: string; title: string },
  known: KnownContent | undefined,
  first: { revision: string },
  refresh: () => Promise<{ revision: string }>,
): Promise<{ content: KnownContent; key: string; whole: boolean }> {
  for (let tries = 1, { revision } = first; ; tries++) {
    const trial = gathering.fork();
    const content = await readContent(trial, owner, known);
    const before = revision;
    ({ revision } = await refresh());
    const key = contentKey(revision, await computedNow(gathering, owner, content.computed));
    const settled = revision === before && key === contentKey(before, content.computed);
    if (!settled && tries < mostReadings) continue;
    gathering.join(trial);
    if (!settled) gathering.fail(keptChanging(owner));
    return { content, key, whole: settled && trial.failed.length === 0 };
  }
}

/** The computed pages as they are now; if there were none, they are not asked for. */
async function computedNow(
  gathering: Gathering,
  owner: Owner,
  before: readonly ComputedPage[],
): Promise<readonly ComputedPage[]> {
  return before.length === 0 ? before : computedPages((await revisionOf(gathering, owner)).pages);
}

function keptChanging({ kind, title, changeRequestId, spaceId }: Owner & { kind: string; title: string }) {
  const message = `the content changed ${mostReadings} times while it was read; the backup has pages of several revisions`;
  const error = new DocsError('conflict', 'kept_changing', message, { retryable: true });
  return { kind, id: changeRequestId ?? spaceId, title, error };
}

/**
 * Reads the content: `content.json` with the page tree and the list of files, each page, each file.
 * A page or file that fails is recorded, and the rest is read.
 * @param known content of the space, which is left out of that of a change request
 * @throws DocsError if the tree cannot be read
 */
async function readContent(
  gathering: Gathering,
  owner: Owner,
  known: KnownContent | undefined,
): Promise<KnownContent> {
  const { reading } = gathering;
  const revision = await revisionOf(gathering, owner);
  const isOwn = (page: ContentPage) => known?.pages.get(page.id) !== versionOfPage(page);
  await readPages(gathering, owner, known, revision, isOwn);
  const names = namesOfFiles(revision.files);
  const files = revision.files.filter((file) => !isKnown(known, file));
  await readAll(reading, files, (file) => attemptFile(gathering, owner, file, names.get(file.id) ?? ''));
  return knownContent(revision);
}

/** Writes `content.json`, and of the pages those that are wanted. */
export async function readPages(
  gathering: Gathering,
  owner: Owner,
  known: KnownContent | undefined,
  revision: Revision,
  isWanted: (page: ContentPage) => boolean,
): Promise<void> {
  const addresses = addressesOf(revision, known);
  const json = addresses.replaced(jsonText(cleaned(revision)), '');
  const about = { kind: 'content', id: revision.id, changeRequest: owner.changeRequestId };
  await gathering.write(`${owner.at}content.json`, json, about);
  const pages = placePages(revision.pages).filter(({ page }) => isWanted(page));
  await readAll(gathering.reading, pages, (placed) => attemptPage(gathering, owner, placed, addresses));
}

/** Where the files of the content are in the backup. */
function addressesOf({ files }: Revision, known: KnownContent | undefined): Addresses {
  const names = namesOfFiles(files);
  const addresses = new Addresses();
  for (const file of files) {
    const { id, downloadURL } = file;
    const place = isKnown(known, file)
      ? `../../files/${known?.files.get(id)?.name}`
      : `files/${names.get(id)}`;
    addresses.add(downloadURL, place);
  }
  return addresses;
}

function isKnown(known: KnownContent | undefined, file: ContentFile): boolean {
  return known?.files.get(file.id)?.version === versionOfFile(file);
}

/** The versions of content, to find what a change request has in common with its space. */
export function knownContent({ pages, files }: Pick<Revision, 'pages' | 'files'>): KnownContent {
  const names = namesOfFiles(files);
  const known = (file: ContentFile) => ({ version: versionOfFile(file), name: names.get(file.id) ?? '' });
  return {
    pages: new Map(placePages(pages).map(({ page }) => [page.id, versionOfPage(page)])),
    files: new Map(files.map((file) => [file.id, known(file)])),
    computed: computedPages(pages),
  };
}

function namesOfFiles(files: readonly ContentFile[]): Map<string, string> {
  return fileNamesOf(files.map(({ id, name }) => ({ id, title: name })));
}

export function revisionOf({ reading }: Gathering, owner: Owner): Promise<Revision> {
  return reading.client.call(operationIn(getContent, owner), { path: { ...owner } });
}

function pageOf(
  { reading: { client } }: Gathering,
  owner: Owner,
  pageId: string,
  format: 'document' | 'markdown',
): Promise<ContentPage> {
  return client.call(operationIn(getPage, owner), { path: { ...owner, pageId }, query: { format } });
}

async function attemptPage(
  gathering: Gathering,
  owner: Owner,
  { page, path }: PlacedPage,
  addresses: Addresses,
): Promise<void> {
  const { id, title } = page;
  const above = '../'.repeat(path.split('/').length);
  const at = `${owner.at}pages/${path}`;
  const about = { id, title, changeRequest: owner.changeRequestId };
  await gathering.attempt(
    { kind: 'page', id, title },
    (entry) =>
      entry.id === id && entry.kind.startsWith('page') && entry.changeRequest === owner.changeRequestId,
    async () => {
      const [document, text] = await Promise.all([
        pageOf(gathering, owner, id, 'document'),
        pageOf(gathering, owner, id, 'markdown'),
      ]);
      const { pages: _, ...own } = document;
      const json = addresses.replaced(jsonText(cleaned(own)), above);
      const markdown = addresses.replaced(endedWithNewline(text.markdown ?? ''), above);
      await gathering.write(`${at}.json`, json, { kind: 'page', ...about });
      await gathering.write(`${at}.md`, markdown, { kind: 'page-markdown', ...about });
    },
  );
}

async function attemptFile(
  gathering: Gathering,
  owner: Owner,
  file: ContentFile,
  name: string,
): Promise<void> {
  const { id, name: title } = file;
  const path = `${owner.at}files/${name}`;
  const about = {
    kind: 'file',
    id,
    title,
    changeRequest: owner.changeRequestId,
    version: versionOfFile(file),
  };
  await gathering.attempt(
    { kind: 'file', id, title },
    (entry) => entry.id === id && entry.kind === 'file' && entry.changeRequest === owner.changeRequestId,
    async () => {
      const kept = await gathering.kept(path);
      const same = kept?.id === id && kept.version === about.version && file.git !== undefined;
      if (same && kept !== undefined) gathering.files.push(kept);
      else await download(gathering, owner, file, (bytes) => gathering.write(path, bytes, about));
    },
  );
}

/** Download URLs expire: if one fails, the file is asked for a new one. */
async function download(
  gathering: Gathering,
  owner: Owner,
  file: ContentFile,
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { client, signal } = gathering.reading;
  for (let tries = 1, url = file.downloadURL; ; tries++) {
    try {
      const bytes = await client.download(url, { signal });
      return await write(measured(bytes, file.size, { bytes: 0 }));
    } catch (cause) {
      const again = cause instanceof DocsError && cause.kind !== 'local-io' && tries < mostDownloads;
      if (!again || signal.aborted) throw cause;
      const path = { ...owner, fileId: file.id };
      url = (await client.call(operationIn(getFile, owner), { path })).downloadURL ?? url;
    }
  }
}

function endedWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
