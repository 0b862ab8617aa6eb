import type { Document } from '../../api/shapes.js';
import {
  type ContentOwner,
  type CopiedContent,
  type CopiedRevision,
  isOwnText,
  type PagePlace,
  type PageText,
  type PutBefore,
  placesOf,
  putCopiedFile,
  putSomePages,
} from '../../sandbox/copy/content.js';
import type { Database } from '../../sandbox/store/database.js';
import type { FileEntry } from '../../workflows/backup/folder/manifest.js';
import type { FileMarks } from './file-marks.js';
import type { SpaceFiles } from './space-files.js';

/** Pages whose texts are held at once. */
const batch = 64;

export interface Filling {
  db: Database;
  files: SpaceFiles;
  signal?: AbortSignal | undefined;
}

/** The files of one content: those of a space, or of a change request. */
export interface ContentFiles {
  /** Its folder below that of the space: '' or `change-requests/7 Typos/`. */
  at: string;
  /** By id of the page or file. */
  pages: ReadonlyMap<string, FileEntry>;
  markdown: ReadonlyMap<string, FileEntry>;
  bytes: ReadonlyMap<string, FileEntry>;
}

/** @param changeRequest its id; undefined for those of the space */
export function contentFilesOf(files: SpaceFiles, at: string, changeRequest?: string): ContentFiles {
  const own = files.entries.filter((entry) => entry.changeRequest === changeRequest);
  const byId = (kind: string) =>
    new Map(own.filter((entry) => entry.kind === kind).map((entry) => [entry.id ?? '', entry]));
  return { at, pages: byId('page'), markdown: byId('page-markdown'), bytes: byId('file') };
}

/**
 * Puts the pages and files that a backup has of some content, a few at a time.
 * @returns the content, which refers to them
 */
export async function fillContent(
  filling: Filling,
  owner: ContentOwner,
  revision: CopiedRevision,
  own: ContentFiles,
  marks: FileMarks,
): Promise<CopiedContent> {
  const put: PutBefore = {
    files: await fillFiles(filling, owner, revision, own),
    pages: await fillPages(filling, owner, revision, own, marks),
  };
  return { revision, texts: new Map(), bytes: new Map(), put };
}

async function fillFiles(
  { db, files, signal }: Filling,
  { spaceId }: ContentOwner,
  revision: CopiedRevision,
  own: ContentFiles,
): Promise<Map<string, number>> {
  const put = new Map<string, number>();
  for (const file of revision.files) {
    const entry = own.bytes.get(file.id);
    if (entry === undefined) continue;
    signal?.throwIfAborted();
    const bytes = await files.bytes(entry);
    const { version } = db.write(() => putCopiedFile(db, spaceId, file, bytes));
    put.set(file.id, version);
  }
  return put;
}

async function fillPages(
  { db, files, signal }: Filling,
  owner: ContentOwner,
  { pages, createdAt }: CopiedRevision,
  own: ContentFiles,
  marks: FileMarks,
): Promise<Map<string, number>> {
  const put = new Map<string, number>();
  const at = Date.parse(createdAt);
  for await (const read of inBatches(placesOf(pages), (place) => readPage(files, place, own))) {
    signal?.throwIfAborted();
    const some = read.flat();
    const texts = new Map(some.map((page) => [page.page.id, textOf({ db, files }, page, own, marks)]));
    for (const [id, version] of db.write(() => putSomePages(db, owner, some, { texts, at })))
      put.set(id, version);
  }
  return put;
}

/** Reads the items in batches, the next one while the caller works on one. */
async function* inBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): AsyncGenerator<R[]> {
  const batchAt = (start: number) => Promise.all(items.slice(start, start + batch).map(read));
  let next = batchAt(0);
  try {
    for (let start = 0; start < items.length; start += batch) {
      const now = await next;
      next = batchAt(start + batch);
      yield now;
    }
  } finally {
    await Promise.allSettled([next]);
  }
}

/** A page with its files as they are. */
interface ReadPage extends PagePlace {
  text: FileEntry;
  markdown: string;
  json: FileEntry | undefined;
  structured: string;
}

async function readPage(files: SpaceFiles, place: PagePlace, own: ContentFiles): Promise<ReadPage[]> {
  const { id } = place.page;
  const [text, json] = [own.markdown.get(id), own.pages.get(id)];
  if (text === undefined) return [];
  const [markdown, structured = ''] = await Promise.all([files.text(text), json && files.text(json)]);
  return [{ ...place, text, markdown, json, structured }];
}

/** The structured text is parsed only if it may not follow from the Markdown. A text may name files by paths itself. */
function textOf(
  { db, files }: Pick<Filling, 'db' | 'files'>,
  { page, text, json, ...read }: ReadPage,
  { at }: ContentFiles,
  marks: FileMarks,
): PageText {
  const marked = (path: string, content: string) => marks.replaced(content, path.slice(at.length));
  const kept = { markdown: withoutNewline(read.markdown) };
  if (isOwnText(db, page, kept)) return kept;
  const told = { markdown: marked(text.path, kept.markdown) };
  if (json === undefined) return told;
  const { document } = files.parsed<{ document?: Document }>(json, read.structured);
  return { ...told, document: document && JSON.parse(marked(json.path, JSON.stringify(document))) };
}

/** Backups end a text with a newline, unless it has one. */
function withoutNewline(text: string): string {
  return text.replace(/(?<!\n)\n$/, '');
}
