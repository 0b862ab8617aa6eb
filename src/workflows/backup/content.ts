import { measured } from '../../api/measured.js';
import {
  getChangeRequestContent,
  getChangeRequestFile,
  getChangeRequestPage,
} from '../../api/resources/change-request-content.js';
import { getContent, getFile, getPage } from '../../api/resources/content.js';
import type { ContentFile, ContentPage, Revision } from '../../api/resources/revisions.js';
import { DocsError } from '../../errors.js';
import { Addresses, cleaned } from './cleaned.js';
import { forEach, type Gathering } from './gathering.js';
import { jsonText } from './json-files.js';
import { fileNamesOf, type PlacedPage, placePages } from './names.js';

/** Pages and files of a space, or of a change request. */

/** Whose content it is. */
export interface Owner {
  spaceId: string;
  changeRequestId?: string;
  /** Folder below that of the gathering: '' for the space, `change-requests/7-Typos/`. */
  at: string;
}

/** What the content of a space consists of; what a change request has in common with it is not kept twice. */
export interface KnownContent {
  /** By id: what tells the page or file apart from another version of it. */
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, { version: string; name: string }>;
}

/** How often bytes are asked for anew where a download breaks off; before that, the client retries by itself. */
const mostDownloads = 3;

/**
 * Reads the content: `content.json` with the page tree and the list of files, each page, each file.
 * A page or file that fails is told, and the rest is read.
 * @param known what is kept elsewhere already, and left out here
 * @throws what the content itself throws
 */
export async function readContent(
  gathering: Gathering,
  owner: Owner,
  known: KnownContent | undefined,
): Promise<KnownContent> {
  const revision = await revisionOf(gathering, owner);
  const { concurrency } = gathering.reading;
  const pages = placePages(revision.pages);
  const names = namesOfFiles(revision.files);
  const isKnown = (file: ContentFile) => known?.files.get(file.id)?.version === versionOfFile(file);
  const addresses = new Addresses();
  for (const file of revision.files) {
    const elsewhere = isKnown(file) ? `../../files/${known?.files.get(file.id)?.name}` : undefined;
    addresses.add(file.downloadURL, elsewhere ?? `files/${names.get(file.id)}`);
  }
  await gathering.write(`${owner.at}content.json`, addresses.replaced(jsonText(cleaned(revision)), ''), {
    kind: 'content',
    id: revision.id,
    ...ofChange(owner),
  });
  const fresh = pages.filter(({ page }) => known?.pages.get(page.id) !== versionOfPage(page));
  await forEach(fresh, concurrency, (placed) => attemptPage(gathering, owner, placed, addresses));
  const files = revision.files.filter((file) => !isKnown(file));
  await forEach(files, concurrency, (file) => attemptFile(gathering, owner, file, names.get(file.id) ?? ''));
  return knownContent(revision);
}

/** What a change request may have in common with the content of its space. */
export function knownContent({ pages, files }: Pick<Revision, 'pages' | 'files'>): KnownContent {
  const names = namesOfFiles(files);
  return {
    pages: new Map(placePages(pages).map(({ page }) => [page.id, versionOfPage(page)])),
    files: new Map(
      files.map((file) => [file.id, { version: versionOfFile(file), name: names.get(file.id) ?? '' }]),
    ),
  };
}

function namesOfFiles(files: readonly ContentFile[]): Map<string, string> {
  return fileNamesOf(files.map(({ id, name }) => ({ id, title: name })));
}

function revisionOf({ reading }: Gathering, { spaceId, changeRequestId }: Owner): Promise<Revision> {
  return changeRequestId === undefined
    ? reading.client.call(getContent, { path: { spaceId } })
    : reading.client.call(getChangeRequestContent, { path: { spaceId, changeRequestId } });
}

function pageOf(
  { reading: { client } }: Gathering,
  { spaceId, changeRequestId }: Owner,
  pageId: string,
  format: 'document' | 'markdown',
): Promise<ContentPage> {
  return changeRequestId === undefined
    ? client.call(getPage, { path: { spaceId, pageId }, query: { format } })
    : client.call(getChangeRequestPage, { path: { spaceId, changeRequestId, pageId }, query: { format } });
}

/** A page as JSON and as Markdown. */
async function attemptPage(
  gathering: Gathering,
  owner: Owner,
  { page, path }: PlacedPage,
  addresses: Addresses,
): Promise<void> {
  const { id, title } = page;
  const above = '../'.repeat(path.split('/').length);
  const at = `${owner.at}pages/${path}`;
  const about = { id, title, ...ofChange(owner) };
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

/** The bytes of a file; those that the run before has are not fetched again. */
async function attemptFile(
  gathering: Gathering,
  owner: Owner,
  file: ContentFile,
  name: string,
): Promise<void> {
  const { id, name: title } = file;
  const path = `${owner.at}files/${name}`;
  const about = { kind: 'file', id, title, ...ofChange(owner), version: versionOfFile(file) };
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

/** An address may be good for a short time only: where it fails, the file is looked up anew. */
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
      url = (await addressOf(gathering, owner, file.id)) ?? url;
    }
  }
}

async function addressOf({ reading }: Gathering, owner: Owner, id: string): Promise<string | undefined> {
  const { spaceId, changeRequestId } = owner;
  const file =
    changeRequestId === undefined
      ? await reading.client.call(getFile, { path: { spaceId, fileId: id } })
      : await reading.client.call(getChangeRequestFile, { path: { spaceId, changeRequestId, fileId: id } });
  return file.downloadURL;
}

function ofChange({ changeRequestId }: Owner): { changeRequest?: string } {
  return changeRequestId === undefined ? {} : { changeRequest: changeRequestId };
}

/** The same for the same page with the same text, at the same place. */
function versionOfPage({ id, title, path, documentId, updatedAt, git }: ContentPage): string {
  return JSON.stringify([id, title, path, documentId, updatedAt, git?.oid]);
}

function versionOfFile({ id, name, size, git }: ContentFile): string {
  return [id, name, size, git?.oid ?? ''].join(' ');
}

function endedWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
