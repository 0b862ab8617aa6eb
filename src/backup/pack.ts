import { Readable } from 'node:stream';
import type { ContentFile, ContentPage, Revision } from '../api/resources/content.js';
import { Type } from '../api/type.js';
import { conforms } from '../api/validate.js';
import { DocsError } from '../base/errors.js';
import { slug } from '../base/name.js';
import { shellWord } from '../base/shell-word.js';
import { defined, isObject } from '../base/values.js';
import { distinctFileName, fileNameKey, safeFileName } from '../base/write-file.js';
import type { FileEntry, SpaceEntry, SpaceManifest } from './manifest.js';
import { absolutePath, type LinkSource, linkReader, relativePath, rewriteLinks } from './pack-links.js';
import type { BackupReader, StoredFiles } from './reader.js';
import type { LeftOut } from './shapes.js';

/**
 * Where pages go in a pack. An import makes the path of a page from the names of its file and folders, and
 * sorts by them; a page with others below it is the README of their folder.
 */

interface PackedPage {
  page: ContentPage;
  /** Path of its file in the pack: `guides/README.md`. */
  file: string;
  /** Whether relative links of its text could be read otherwise than from its file: they begin with `/`. */
  absolute: boolean;
}

interface PackLayout {
  /** Each page before those below it. */
  pages: PackedPage[];
  /** Whether siblings are sorted otherwise in the space than by name. */
  reordered: boolean;
}

/** Longest name of a file or folder, in bytes; slugs have at most 100. */
const mostBytes = 120;
/** Names that an import takes for the page of the folder around them. */
const ownPage = /^(?:readme|index)$/i;

/** @param numbered names begin with a number, so that they sort as the pages do */
export function placeInPack(pages: readonly ContentPage[], numbered: boolean): PackLayout {
  const placed: PackedPage[] = [];
  let reordered = false;
  const place = (level: readonly ContentPage[], above: string): void => {
    const names = namesOf(level, numbered);
    reordered ||= names.some((name, at) => at > 0 && name < (names[at - 1] ?? ''));
    for (const [at, page] of level.entries()) {
      const path = `${above}${names[at]}`;
      const isParent = (page.pages ?? []).length > 0;
      const absolute = !isParent && ownPage.test(names[at] ?? '');
      placed.push({ page, file: isParent || absolute ? `${path}/README.md` : `${path}.md`, absolute });
      place(page.pages ?? [], `${path}/`);
    }
  };
  place(pages, '');
  return { pages: placed, reordered };
}

function namesOf(pages: readonly ContentPage[], numbered: boolean): string[] {
  const taken = new Set<string>();
  const digits = String(pages.length).length;
  return pages.map((page, at) => {
    const number = numbered ? `${String(at + 1).padStart(digits, '0')}-` : '';
    const name = distinctFileName(`${number}${nameOf(page)}`, (key) => taken.has(key));
    taken.add(fileNameKey(name));
    return name;
  });
}

/**
 * The slug, which an import makes of it again; links in the pack go by it. Any other is made safe for file systems:
 * without dots, which would begin an ending, and without the underscores of `_includes` and `__MACOSX`.
 */
function nameOf({ id, slug: own, title }: ContentPage): string {
  const words = (own || slug(title) || id).replaceAll(/[/\\.]/g, '-').replace(/^[\s_-]+/, '');
  if (/^[a-z0-9-]+$/.test(words) && words.length <= mostBytes) return words;
  return safeFileName(words === '' ? id : words, mostBytes).replaceAll('.', '-');
}

/**
 * A pack in which a single folder holds everything loses it: an import ignores such a folder. So the page of
 * that folder goes beside it; if there is none, or if it would count as the page of the top, another folder goes
 * around all.
 * @param files paths of the files beside the pages
 * @param around name of the folder around all
 */
export function keepFolder(pages: readonly PackedPage[], files: string[], around: string): string {
  const paths = [...pages.map(({ file }) => file), ...files].map((path) => path.split('/'));
  const [first] = paths;
  if (first === undefined || !paths.every((path) => path.length > 1 && path[0] === first[0])) return '';
  const own = pages.find(({ file }) => file === `${first[0]}/README.md`);
  if (own === undefined || ownPage.test(first[0] ?? '')) return `${around}/`;
  own.file = `${first[0]}.md`;
  own.absolute = true;
  return '';
}

/** Paths of files in the pack, by id: those of the space, where an import would take them for files. */
function placeFiles(
  files: readonly { id: string; path: string }[],
  pages: readonly PackedPage[],
): Map<string, string> {
  const taken = new Set<string>();
  for (const { file } of pages)
    for (let path = file; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0)))
      taken.add(fileNameKey(path));
  const sorted = [...files].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(
    sorted.map(({ id, path }) => {
      const parts = path.split(/[/\\]/).filter((part) => !/^\.*$/.test(part));
      const names = parts.map((part) => safeFileName(part).replace(/^__MACOSX$/, 'MACOSX'));
      const name = names.pop() ?? safeFileName(id);
      const folder = names.map((one) => `${one}/`).join('');
      // Text that is a file would become a page.
      const own = /\.(?:md|markdown|html?)$/i.test(name) ? `${name}.txt` : name;
      const free = distinctFileName(own, (key) => taken.has(fileNameKey(folder) + key));
      taken.add(fileNameKey(folder + free));
      return [id, folder + free];
    }),
  );
}

/** A space of a backup as a ZIP archive that the platform can import from a URL (`source` is `zip`). */
export interface Pack {
  space: { id: string; title: string };
  changeRequest?: number;
  /** Name for the archive, from the folder of the space: `Welcome.zip`. */
  name: string;
  /** Whether the backup has all of its pages and files. */
  whole: boolean;
  pages: number;
  files: number;
  leftOut: LeftOut[];
  /** The archive, piece by piece: the same for the same backup. @throws DocsError as `BackupReader.bytes` */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface PackOptions {
  /** Number of a change request whose content is packed. */
  changeRequest?: number;
  /** Whether names begin with numbers, which keep the order of pages and change their paths. */
  numbered?: boolean;
}

/**
 * Prepares the pack of a space; reads only the list of what is in it.
 * @throws DocsError as `packSource`
 */
export async function preparePack(
  reader: BackupReader,
  entry: SpaceEntry,
  { changeRequest: number, numbered = false }: PackOptions = {},
): Promise<Pack> {
  const source = await packSource(reader, entry, number);
  const placed = placeInPack(source.pages, numbered);
  const pages = placed.pages.filter(({ page }) => source.textOf(page.id) !== undefined);
  const there = source.files.filter(({ id }) => source.fileOf(id) !== undefined);
  const files = placeFiles(
    there.map(({ id, name, git }) => ({ id, path: git?.path ?? name })),
    pages,
  );
  const around = keepFolder(pages, [...files.values()], entry.folder);
  const leftOut = leftOutOf(source, placed, files);
  const mark = number === undefined ? '' : ` change request ${number}`;
  return {
    space: { id: entry.id, title: entry.title },
    ...defined({ changeRequest: number }),
    name: `${entry.folder}${mark}.zip`,
    whole: pages.length === placed.pages.length && there.length === source.files.length,
    pages: pages.length,
    files: files.size,
    leftOut,
    bytes: () => zipOf(itemsOf({ source, pages, files, around })),
  };
}

interface Contents {
  source: PackSource;
  pages: readonly PackedPage[];
  files: ReadonlyMap<string, string>;
  around: string;
}

/** Sorted by path. */
function itemsOf(contents: Contents): ZipItem[] {
  const { source, pages, files, around } = contents;
  const text = textsOf(contents);
  const items: ZipItem[] = pages.map((packed) => ({
    path: around + packed.file,
    bytes: async () => once(Buffer.from(await text(packed))),
  }));
  for (const [id, path] of files) {
    const entry = source.fileOf(id);
    if (entry !== undefined) items.push({ path: around + path, bytes: () => source.stored.open(entry) });
  }
  return items.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** The texts of pages, with links that lead where their targets are in the pack. */
function textsOf({ source, pages, files }: Contents): (packed: PackedPage) => Promise<string> {
  const fileOfPage = new Map(pages.map(({ page, file }) => [page.id, file]));
  const read = linkReader(source);
  return async (packed) => {
    const entry = source.textOf(packed.page.id);
    if (entry === undefined) return '';
    const from = entry.path;
    const markdown = await source.stored.text(entry);
    const replaced = (written: string): string | undefined => {
      const target = read(packed.page.id, from, written);
      const to = target && (target.kind === 'page' ? fileOfPage.get(target.id) : files.get(target.id));
      if (target === undefined || to === undefined) return undefined;
      const path = packed.absolute ? absolutePath(to) : relativePath(packed.file, to);
      return path === target.path ? undefined : path + target.rest;
    };
    return pageText(packed.page, rewriteLinks(markdown, replaced));
  };
}

/**
 * What a pack, or an import of it, lacks. Ids, times and authors are left out of every pack and not listed.
 * @param files paths in the pack, by id
 */
function leftOutOf(source: PackSource, placed: PackLayout, files: ReadonlyMap<string, string>): LeftOut[] {
  return [...ofPages(source, placed), ...ofFiles(source, files), ...ofSpace(source, placed)];
}

function ofPages(source: PackSource, { pages }: PackLayout): LeftOut[] {
  return pages.flatMap(({ page: { id, title, cover, computed } }): LeftOut[] => [
    ...(source.textOf(id) === undefined
      ? [{ kind: 'page', id, title, reason: 'the backup could not read its text' }]
      : []),
    ...(cover === undefined
      ? []
      : [{ kind: 'cover', id, title, reason: 'an import sets no covers; its file is in the pack' }]),
    ...(computed === undefined
      ? []
      : [{ kind: 'computed-page', id, title, reason: 'an import makes it text that is generated no more' }]),
  ]);
}

function ofFiles(source: PackSource, files: ReadonlyMap<string, string>): LeftOut[] {
  return source.files.flatMap(({ id, name, git }): LeftOut[] => {
    const there = files.get(id);
    if (there === undefined)
      return [{ kind: 'file', id, title: name, reason: 'the backup could not read its bytes' }];
    if (there === (git?.path ?? name)) return [];
    const reason = `an import would not take its name for that of a file; it is ${there} in the pack`;
    return [{ kind: 'file-name', id, title: name, reason }];
  });
}

function ofSpace({ reusables, space, changeRequest }: PackSource, { reordered }: PackLayout): LeftOut[] {
  const { comments = 0, changeRequests = 0 } = changeRequest === undefined ? space.counts : {};
  const order = 'an import sorts pages by name; --numbered keeps the order, and changes their paths';
  return [
    ...reusables.map(({ id, title }) => ({
      ...{ kind: 'reusable-content', id, title },
      reason: 'a backup does not have its text',
    })),
    ...(reordered ? [{ kind: 'order', reason: order }] : []),
    ...(comments === 0 ? [] : [{ kind: 'comments', count: comments, reason: 'an import has no comments' }]),
    ...(changeRequests === 0
      ? []
      : [{ kind: 'change-requests', count: changeRequests, reason: 'pack them with --change-request' }]),
  ];
}

/**
 * A page as a file of a pack: its properties as front matter, which an import reads, then its text.
 * @param markdown as the platform writes it: begins with the title as a heading
 */
export function pageText(page: ContentPage, markdown: string): string {
  const { id, slug, description, emoji, icon, hidden, noIndex, noRobotsIndex, layout } = page;
  // Without a title, an import would take a heading of the text for one.
  const title = page.title.trim() || slug || id;
  const texts = Object.entries({ title, description, emoji, icon })
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([key, value]) => `${key}: ${quoted(String(value))}`);
  const flags = Object.entries({ hidden, noIndex, noRobotsIndex })
    .filter(([, value]) => typeof value === 'boolean')
    .map(([key, value]) => `${key}: ${value}`);
  // What is shown needs no word: it is where nothing else is said.
  const parts = Object.entries(layout ?? {}).filter(([, value]) => value === false);
  const shown = parts.length === 0 ? [] : ['layout:', ...parts.map(([key]) => `  ${key}: false`)];
  return `${['---', ...texts, ...flags, ...shown, '---'].join('\n')}\n\n${withoutTitle(page.title, markdown)}`;
}

/** Twice the title would be a heading of its own. */
function withoutTitle(own: string, text: string): string {
  // Half of a surrogate pair is another character in a file.
  const title = Buffer.from(own).toString();
  const markdown = Buffer.from(text).toString();
  const heading = `# ${title}`;
  if (markdown.trimEnd() === heading.trimEnd()) return '';
  if (markdown.startsWith(`${heading}\n`)) return markdown.slice(heading.length).replace(/^\n+/, '');
  const [line, escaped = ''] = /^# ([^\n]*)\n+/.exec(markdown) ?? [''];
  const isTitle = escaped !== '' && escaped.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').trim() === title.trim();
  return isTitle ? markdown.slice(line.length) : markdown;
}

/** A text in double quotes, as YAML and JSON have it; on one line, so that it cannot end the front matter. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A file of an archive; its bytes are asked for when it is its turn. */
interface ZipItem {
  path: string;
  bytes(): Promise<AsyncIterable<Uint8Array>>;
}

/** The earliest time that an archive can state: the same bytes for the same content, in every time zone. */
const firstTime = new Date(1980, 0, 1);
const fileMode = 0o100644;

/**
 * A ZIP archive, piece by piece, with one file open at a time. The same files give the same bytes.
 * @throws whatever the bytes of a file throw
 */
export async function* zipOf(items: readonly ZipItem[]): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let current: Readable | undefined;
  zip.on('error', (error: Error) => out.destroy(error));
  const options = { mtime: firstTime, mode: fileMode, forceDosTimestamp: true };
  for (const { path, bytes } of items)
    zip.addReadStreamLazy(path, options, (take) => {
      bytes().then(
        (content) => {
          current = Readable.from(content, { objectMode: false });
          take(null, current);
        },
        (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  zip.end();
  try {
    yield* out as AsyncIterable<Uint8Array>;
  } finally {
    current?.destroy();
    out.destroy();
  }
}

/** The content of a space, or of one of its change requests, where a backup has it. */
export interface PackSource extends LinkSource {
  space: SpaceManifest;
  /** The files of the space in the backup. */
  stored: StoredFiles;
  changeRequest: { id: string; number: number } | undefined;
  files: readonly ContentFile[];
  reusables: readonly { id: string; title: string }[];
  /** The text of a page; undefined if the backup lacks it. */
  textOf(pageId: string): FileEntry | undefined;
  fileOf(fileId: string): FileEntry | undefined;
}

/**
 * @param number of a change request; undefined for the space itself
 * @throws DocsError not-found `space_not_read`, `change_request_not_found`; configuration `bad_content`; exit 13
 */
export async function packSource(
  reader: BackupReader,
  entry: SpaceEntry,
  number: number | undefined,
): Promise<PackSource> {
  const verify = `docs backup verify ${shellWord(reader.root, process.platform)} --offline`;
  const [space, stored] = [await reader.space(entry), await reader.filesOf(entry)];
  if (space === undefined || stored === undefined)
    throw notThere('space_not_read', `the backup has no content of space "${entry.title}"`, verify);
  const changeRequest = number === undefined ? undefined : await changeRequestOf(stored, space, number);
  const owned = (file: FileEntry) => file.changeRequest === changeRequest?.id;
  const content = space.files.find((file) => file.kind === 'content' && owned(file));
  if (content === undefined)
    throw notThere('space_not_read', `the backup has no content of space "${entry.title}"`, verify);
  const { pages, files, reusableContents = [] } = await contentIn(stored, content);
  const mains = space.files.filter((file) => file.changeRequest === undefined);
  // A change request has only what differs from its space.
  const known = changeRequest === undefined ? mains : [...mains, ...space.files.filter(owned)];
  const byId = (kind: string) =>
    new Map(known.filter((file) => file.kind === kind).map((file) => [file.id, file]));
  const [texts, bytes] = [byId('page-markdown'), byId('file')];
  const atPath = new Map(space.files.filter(({ kind }) => kind === 'file').map(({ path, id }) => [path, id]));
  return {
    space,
    stored,
    changeRequest,
    pages,
    files,
    reusables: reusableContents,
    textOf: (id) => texts.get(id),
    fileOf: (id) => bytes.get(id),
    fileAt: (path) => atPath.get(path),
  };
}

async function changeRequestOf(stored: StoredFiles, { title }: SpaceManifest, number: number) {
  for (const entry of stored.all('change-request')) {
    const { id = '', path } = entry;
    // Its folder begins with the number.
    if (!path.startsWith(`change-requests/${number} `) && !path.startsWith(`change-requests/${number}/`))
      continue;
    const found = await jsonIn(stored, entry);
    if (isObject(found) && found.number === number) return { id, number };
  }
  const hint = 'docs backup search <folder> <words> --in change-requests';
  throw notThere(
    'change_request_not_found',
    `the backup has no change request ${number} of space "${title}"`,
    hint,
  );
}

const named = { id: Type.String(), title: Type.String() };

/** What of `content.json` a pack needs, whatever else is there. */
const ContentShape = Type.Object({
  pages: Type.Array(
    Type.Recursive((page) => Type.Object({ ...named, pages: Type.Optional(Type.Array(page)) }), {
      $id: 'PackedPage',
    }),
  ),
  files: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  reusableContents: Type.Optional(Type.Array(Type.Object(named))),
});

async function contentIn(
  stored: StoredFiles,
  entry: FileEntry,
): Promise<Pick<Revision, 'pages' | 'files' | 'reusableContents'>> {
  const content = await jsonIn(stored, entry);
  if (!conforms(ContentShape, content)) throw damaged(stored, entry);
  return content as Revision;
}

async function jsonIn(stored: StoredFiles, entry: FileEntry): Promise<unknown> {
  try {
    return await stored.json(entry);
  } catch (cause) {
    throw cause instanceof SyntaxError ? damaged(stored, entry) : cause;
  }
}

function damaged({ at }: StoredFiles, { path }: FileEntry): DocsError {
  return new DocsError(
    'configuration',
    'bad_content',
    `${at}${path} of the backup is damaged; nothing was written`,
    { outcome: 'not-sent', hint: 'docs backup verify <folder> --offline' },
  );
}

function notThere(code: string, message: string, hint: string): DocsError {
  return new DocsError('not-found', code, message, { outcome: 'not-sent', hint });
}
