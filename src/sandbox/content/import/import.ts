import type { Entry as ArchiveEntry, ZipFile } from 'yauzl';
import type { ImportResult } from '../../../api/resources/content.js';
import { refusal } from '../../refusal.js';
import type { ContentSource } from '../../sources.js';
import { freeSlug, slugOf } from '../../store/rows.js';
import {
  type ContentChange,
  commit,
  type Entry,
  type PageNode,
  type PlacedPage,
  type Revision,
  type Snapshot,
} from '../revisions.js';
import { putFile, putPage, putReusable } from '../versions.js';
import { contentTypeOf, dimensionsOf } from '../view.js';
import { decodeText, htmlPage, type Imported, type ImportedPage, markdownPage, titleOf } from './pages.js';

const pageName = /\.(?:md|markdown|html?)$/i;
const folderPage = /^(?:readme|index)\.(?:md|markdown|html?)$/i;

interface Folder {
  name: string;
  /** The file of the folder's own page. */
  own: ZipEntry | undefined;
  pages: ZipEntry[];
  folders: Map<string, Folder>;
}

/**
 * Converts an archive. Markdown and HTML files become pages, sorted by name; a folder becomes the page of
 * its README or index, with the others as children; Markdown in a top-level folder `_includes` becomes
 * reusable content; other files become files. A single folder around everything is ignored.
 */
export async function zipContents(archive: Uint8Array): Promise<Imported> {
  const entries = withoutWrapper(await zipEntries(archive));
  const isInclude = ({ path }: ZipEntry) => path[0] === '_includes' && pageName.test(path.at(-1) ?? '');
  const isPage = ({ path }: ZipEntry) => pageName.test(path.at(-1) ?? '');
  const reusables = await Promise.all(entries.filter(isInclude).map(reusable));
  const pages = entries.filter((entry) => isPage(entry) && !isInclude(entry));
  const files = entries.filter((entry) => !isPage(entry)).map(fileOf);
  return { pages: await pagesOf(folderOf(pages), true), files, reusables };
}

function withoutWrapper(entries: ZipEntry[]): ZipEntry[] {
  const [first] = entries;
  const wrapped = entries.every(({ path }) => path.length > 1 && path[0] === first?.path[0]);
  return wrapped ? entries.map(({ path, bytes }) => ({ path: path.slice(1), bytes })) : entries;
}

function folderOf(entries: readonly ZipEntry[]): Folder {
  const root = newFolder('');
  for (const entry of entries) {
    let folder = root;
    for (const name of entry.path.slice(0, -1)) {
      const next = folder.folders.get(name) ?? newFolder(name);
      folder.folders.set(name, next);
      folder = next;
    }
    if (folderPage.test(entry.path.at(-1) ?? '') && folder.own === undefined) folder.own = entry;
    else folder.pages.push(entry);
  }
  adoptPages(root);
  return root;
}

/** A page beside a folder of the same name becomes the folder's page, unless it has one. */
function adoptPages(folder: Folder): void {
  for (const inner of folder.folders.values()) {
    adoptPages(inner);
    const own = inner.own === undefined ? folder.pages.find((page) => stem(page) === inner.name) : undefined;
    if (own === undefined) continue;
    inner.own = own;
    folder.pages = folder.pages.filter((page) => page !== own);
  }
}

function newFolder(name: string): Folder {
  return { name, own: undefined, pages: [], folders: new Map() };
}

/** The pages of a folder, sorted by name; the README of the top folder comes first. */
async function pagesOf(folder: Folder, isTop = false): Promise<ImportedPage[]> {
  const below: { name: string; make: () => Promise<ImportedPage> }[] = [
    ...folder.pages.map((entry) => ({ name: stem(entry), make: () => pageOf(entry, stem(entry)) })),
    ...[...folder.folders.values()].map((inner) => ({ name: inner.name, make: () => folderPageOf(inner) })),
  ];
  below.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { own } = folder;
  if (isTop && own !== undefined) below.unshift({ name: stem(own), make: () => pageOf(own, stem(own)) });
  const taken = new Set<string>();
  const pages: ImportedPage[] = [];
  for (const { name, make } of below) {
    const page = await make();
    const slug = freeSlug(slugOf(name, 'page'), taken);
    taken.add(slug);
    pages.push({ ...page, slug });
  }
  return pages;
}

async function folderPageOf(folder: Folder): Promise<ImportedPage> {
  const pages = await pagesOf(folder);
  const title = titleOf(folder.name);
  if (folder.own === undefined) return { title, slug: '', attributes: {}, markdown: undefined, pages };
  return { ...(await pageOf(folder.own, folder.name)), pages };
}

/** @param name of the file without its extension, or of the folder: title of a text without one */
async function pageOf({ path, bytes }: ZipEntry, name: string): Promise<ImportedPage> {
  const text = decodeText(bytes, path.join('/'));
  const isHtml = /\.html?$/i.test(path.at(-1) ?? '');
  return isHtml ? htmlPage(text, titleOf(name)) : markdownPage(text, titleOf(name));
}

async function reusable({ path, bytes }: ZipEntry) {
  const name = path.join('/');
  const { title, markdown = '' } = await markdownPage(decodeText(bytes, name), titleOf(stem({ path })));
  return { title, path: name, markdown };
}

function fileOf({ path, bytes }: ZipEntry) {
  const name = path.join('/');
  return { path: name, contentType: contentTypeOf(name), dimensions: dimensionsOf(bytes), bytes };
}

function stem({ path }: Pick<ZipEntry, 'path'>): string {
  return (path.at(-1) ?? '').replace(pageName, '');
}

interface ZipEntry {
  path: string[];
  bytes: Uint8Array;
}

/** Limits of an archive: unpacked bytes of all files and of one, number of entries, depth of paths. */
export const zipLimits = { allBytes: 50 * 1024 * 1024, fileBytes: 10 * 1024 * 1024, files: 5000, depth: 20 };

/**
 * Reads the files of a ZIP archive, in the order of its directory. Skips folders and what
 * systems add to archives (`__MACOSX`, names that start with a dot).
 * @throws 400 if it is not an archive, is damaged, encrypted, compressed other than by deflate, or exceeds
 *   `zipLimits`; if a path points outside it, or an entry is a link
 */
export async function zipEntries(archive: Uint8Array): Promise<ZipEntry[]> {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const { fromBufferPromise, getFileNameLowLevel } = await import('yauzl');
  // Names stay bytes: yauzl would refuse unsafe ones in its own words.
  const options = { decodeStrings: false, validateEntrySizes: false };
  const zip = await fromBufferPromise(data, options).catch((): never => {
    throw broken('it is not a ZIP archive');
  });
  if (zip.entryCount > zipLimits.files) {
    throw broken(`it has ${zip.entryCount} entries; the limit is ${zipLimits.files}`);
  }
  const files = new Map<string, ZipEntry>();
  let left = zipLimits.allBytes;
  for await (const entry of readable(zip)) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    const full = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
    const path = safePath(full, entry.externalFileAttributes >>> 16);
    if (/[/\\]$/.test(full) || isDebris(path)) continue;
    const name = path.join('/');
    if (files.has(name)) throw broken(`it contains ${JSON.stringify(name)} twice`);
    const bytes = unpack(
      await packedBytes(zip, data, entry, full),
      entry,
      full,
      Math.min(left, zipLimits.fileBytes),
    );
    left -= bytes.length;
    files.set(name, { path, bytes });
  }
  return [...files.values()];
}

async function* readable(zip: ZipFile): AsyncGenerator<ArchiveEntry> {
  const entries = zip.eachEntry();
  for (;;) {
    const { value, done } = await entries.next().catch((): never => {
      throw broken('its directory is damaged');
    });
    if (done) return;
    yield value;
  }
}

/** The segments of a path. @throws 400 if it points outside the archive, or belongs to a link */
function safePath(name: string, unixMode: number): string[] {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');
  if (parts.at(-1) === '') parts.pop();
  const leadsOut = parts.some((part) => part === '' || part === '..' || part.includes('\0'));
  if (leadsOut || /^[a-z]:/i.test(name)) throw broken(`the path ${JSON.stringify(name)} points outside it`);
  if ((unixMode & 0xf000) === 0xa000) throw broken(`${JSON.stringify(name)} is a link`);
  if (parts.length > zipLimits.depth) throw broken(`${JSON.stringify(name)} is nested too deeply`);
  return parts;
}

function isDebris(path: readonly string[]): boolean {
  return path.some((part) => part === '__MACOSX' || part.startsWith('.'));
}

async function packedBytes(
  zip: ZipFile,
  data: Buffer,
  entry: ArchiveEntry,
  name: string,
): Promise<Uint8Array> {
  const { fileDataStart } = await zip
    .readLocalFileHeaderPromise(entry, { minimal: true })
    .catch((): never => {
      throw damaged(name);
    });
  return data.subarray(fileDataStart, fileDataStart + entry.compressedSize);
}

function unpack(packed: Uint8Array, entry: ArchiveEntry, name: string, most: number): Uint8Array {
  if (entry.isEncrypted()) throw broken(`${JSON.stringify(name)} is encrypted`);
  if (entry.uncompressedSize > most) throw tooLarge(name);
  const bytes = inflate(packed, entry.compressionMethod, name, most);
  const { crc32 } = process.getBuiltinModule('node:zlib');
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw damaged(name);
  return bytes;
}

/** Stops at `most` bytes, whatever size the directory states. */
function inflate(packed: Uint8Array, method: number, name: string, most: number): Uint8Array {
  if (method === 0) return packed;
  if (method !== 8) throw broken(`${JSON.stringify(name)} is compressed with a method other than deflate`);
  try {
    return process
      .getBuiltinModule('node:zlib')
      .inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw damaged(name);
  }
}

function damaged(name: string) {
  return broken(`${JSON.stringify(name)} is damaged`);
}

function tooLarge(name: string) {
  const [file, all] = [zipLimits.fileBytes, zipLimits.allBytes].map((bytes) => bytes / 1024 / 1024);
  return broken(
    `${JSON.stringify(name)} is too large; the limits are ${file} MB per file and ${all} MB in total`,
  );
}

function broken(why: string) {
  return refusal(400, `cannot import the archive: ${why}`);
}

const taken = ['website', 'markdown', 'html', 'zip'];

/** Reads and parses the content of a URL. @throws 400 if that fails, or for a source of another kind */
export async function readImport(
  { url, source }: { url: string; source: string },
  contents: ContentSource,
): Promise<Imported> {
  if (!taken.includes(source)) {
    throw refusal(400, `unsupported import source "${source}"; the sandbox supports ${taken.join(', ')}`);
  }
  if (source === 'website') return (await import('./website.js')).websiteContents(url, contents);
  const { bytes, name } = await contents.read(url);
  if (source === 'zip') return zipContents(bytes);
  const otherwise = name.replace(/\.[a-z]+$/i, '') || new URL(url).hostname;
  const text = decodeText(bytes, url);
  const page =
    source === 'markdown' ? await markdownPage(text, otherwise) : await htmlPage(text, otherwise, url);
  return { pages: [page], files: [], reusables: [] };
}

/**
 * Adds imported content as a new revision. Pages, files and reusable contents at existing paths are
 * replaced and keep their ids; others are added at the end. Removes nothing. Call within a write.
 * @param snapshot the current content
 */
export function applyImport(
  change: ContentChange,
  { snapshot, changeRequestId }: { snapshot: Snapshot; changeRequestId: string | null },
  imported: Imported,
): { revision: Revision; result: ImportResult } {
  const { files, reusables, missed = 0 } = imported;
  const contents = {
    pages: placePages(change, snapshot.revision.pages, snapshot.pages, imported.pages),
    files: replace(snapshot.revision.files, files, (file) => {
      const fileId = snapshot.fileByPath.get(file.path)?.file_id ?? change.newId();
      return { id: fileId, version: putFile(change.db, change.space.id, { ...file, fileId }) };
    }),
    reusables: replace(snapshot.revision.reusables, reusables, (reusable) => {
      const known = snapshot.reusables.find(({ path }) => path === reusable.path);
      const reusableId = known?.reusable_id ?? change.newId();
      const version = putReusable(change.db, change.space.id, { ...reusable, reusableId });
      return { id: reusableId, version };
    }),
  };
  const count = countPages(imported.pages) + files.length + reusables.length;
  const message = `Import ${count} ${count === 1 ? 'resource' : 'resources'}`;
  const revision = commit(change, contents, [snapshot.revision.id], message, changeRequestId);
  const totalResources = count + missed;
  return { revision, result: { revision: revision.id, importedResources: count, totalResources } };
}

function replace<Item>(entries: readonly Entry[], items: readonly Item[], put: (item: Item) => Entry) {
  const all = [...entries, ...items.map(put)];
  return [...new Map(all.map((entry) => [entry.id, entry])).values()];
}

function placePages(
  change: ContentChange,
  nodes: readonly PageNode[],
  placed: readonly PlacedPage[],
  imported: readonly ImportedPage[],
): PageNode[] {
  const merged = new Map(nodes.map((node) => [node.id, node]));
  const bySlug = new Map(placed.map((known) => [known.page.slug, known]));
  for (const page of imported) {
    const known = bySlug.get(page.slug);
    const node = known && merged.get(known.page.page_id);
    const pages = placePages(change, node?.pages ?? [], known?.pages ?? [], page.pages);
    const entry = putImported(change, known, page);
    merged.set(entry.id, { ...entry, ...(pages.length > 0 && { pages }) });
  }
  return [...merged.values()];
}

/** The new version of a page; properties that the import lacks stay unchanged. */
function putImported(change: ContentChange, known: PlacedPage | undefined, imported: ImportedPage): Entry {
  const { db, space, clock, newId } = change;
  if (known !== undefined && imported.markdown === undefined) {
    return { id: known.page.page_id, version: known.page.version };
  }
  const { title, slug, description = known?.page.description ?? '', markdown = '' } = imported;
  const pageId = known?.page.page_id ?? newId();
  const now = clock.now();
  const attributes = { ...(known && JSON.parse(known.page.attributes)), ...imported.attributes };
  const times = { createdAt: known?.page.created_at ?? now, updatedAt: now };
  const version = putPage(db, space.id, { pageId, title, slug, description, attributes, markdown, ...times });
  return { id: pageId, version };
}

function countPages(pages: readonly ImportedPage[]): number {
  const counts = pages.map((page) => Number(page.markdown !== undefined) + countPages(page.pages));
  return counts.reduce((sum, count) => sum + count, 0);
}
