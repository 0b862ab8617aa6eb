import { freeSlug, slugOf } from '../../text/slug.js';
import { contentTypeOf, dimensionsOf } from '../media.js';
import { htmlPage } from './html-page.js';
import { decodeText, type Imported, type ImportedPage } from './imported.js';
import { markdownPage } from './markdown-page.js';
import { type ZipEntry, zipEntries } from './zip-entries.js';

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

/** `getting-started` as a title: `Getting started`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
