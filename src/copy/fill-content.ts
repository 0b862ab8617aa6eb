import type { ChangeRequest } from '../api/resources/change-requests.js';
import type { Space } from '../api/resources/spaces.js';
import type { Document } from '../api/shapes.js';
import type { FileEntry } from '../backup/manifest.js';
import { fileNamesOf } from '../backup/names.js';
import { type BackupReader, type Refusals, type StoredFiles, verifyCommand } from '../backup/reader.js';
import { DocsError } from '../base/errors.js';
import { fileMark } from '../sandbox/content/versions.js';
import {
  type ContentOwner,
  type CopiedContent,
  type CopiedFile,
  type CopiedRevision,
  isOwnText,
  type PagePlace,
  type PageText,
  type PutBefore,
  placesOf,
  putContent,
  putCopiedFile,
  putSomePages,
} from '../sandbox/copy/content.js';
import {
  type CopiedComment,
  type CopiedDiscussion,
  ownerOf,
  putChangeRequest,
  putComments,
} from '../sandbox/copy/discussions.js';
import { putSpace } from '../sandbox/copy/spaces.js';
import type { Database } from '../sandbox/store/database.js';

/** Comments that are held at once. */
const commentBatch = 200;

/**
 * Puts the content of a space of a backup, its comments, and its open change requests, a part at a time. The space
 * must be there, with the users and the OpenAPI specs of its organization.
 * @throws DocsError as the files; whatever aborts the signal
 */
export async function fillSpaceContent(filling: Filling, space: Space): Promise<void> {
  const { db, files } = filling;
  const main = await fillMain(filling, space.id);
  const requests = files.entries.filter(({ kind }) => kind === 'change-request');
  for (const entry of requests) await fillChangeRequest(filling, space.id, entry, main);
  await fillComments(filling, { spaceId: space.id });
  // Now its counts can be compared with what the copy has.
  db.write(() => putSpace(db, space));
}

/** @returns the revision; undefined if the backup could not read it */
async function fillMain(filling: Filling, spaceId: string): Promise<CopiedRevision | undefined> {
  const { db, files } = filling;
  const entry = entryOf(filling, 'content');
  if (entry === undefined) return undefined;
  const revision = await files.json<CopiedRevision>(entry);
  if (revision === undefined) return undefined;
  const marks = new FileMarks(revision.files);
  const content = await fillContent(filling, { spaceId }, revision, contentFilesOf(files, ''), marks);
  db.write(() => putContent(db, spaceId, content));
  return revision;
}

async function fillChangeRequest(
  filling: Filling,
  spaceId: string,
  entry: FileEntry,
  main: CopiedRevision | undefined,
): Promise<void> {
  const { db, files } = filling;
  const request = await files.json<ChangeRequest>(entry);
  if (request === undefined) return;
  const at = entry.path.slice(0, entry.path.lastIndexOf('/') + 1);
  const revision = await files.json<CopiedRevision>(entryOf(filling, 'content', request.id));
  if (revision === undefined) {
    db.write(() => putChangeRequest(db, spaceId, request));
  } else {
    const marks = new FileMarks(revision.files, main?.files ?? []);
    const own = contentFilesOf(files, at, request.id);
    const content = await fillContent(filling, ownerOf(spaceId, request), revision, own, marks);
    db.write(() => putChangeRequest(db, spaceId, request, content));
  }
  await fillComments(filling, { spaceId, changeRequestId: request.id });
  db.write(() => putChangeRequest(db, spaceId, request));
}

async function fillComments({ db, files, signal }: Filling, where: CopiedDiscussion): Promise<void> {
  const entry = entryOf({ files }, 'comments', where.changeRequestId);
  if (entry === undefined) return;
  let [waiting, from]: [CopiedComment[], number] = [[], 0];
  const put = () => {
    signal?.throwIfAborted();
    db.write(() => putComments(db, where, waiting, from));
    from += waiting.length;
    waiting = [];
  };
  for await (const item of files.items<CopiedComment>(entry)) {
    waiting.push(item);
    if (waiting.length >= commentBatch) put();
  }
  if (waiting.length > 0) put();
}

/** @param changeRequest its id; undefined for what is of the space itself */
function entryOf({ files }: Pick<Filling, 'files'>, kind: string, changeRequest?: string) {
  return files.entries.find((entry) => entry.kind === kind && entry.changeRequest === changeRequest);
}

/** Turns the paths of files in the texts of a backup back into what stands for the files (sandbox/content/versions.ts). */
class FileMarks {
  /** Names as texts have them → marks, by what leads to their folder: `files/`, `../../files/`. */
  readonly #folders: ReadonlyMap<string, ReadonlyMap<string, string>>;

  /**
   * @param files of the content
   * @param main of its space, if it is that of a change request, which names those that are the same
   */
  constructor(files: readonly CopiedFile[], main?: readonly CopiedFile[]) {
    const folders = new Map([['files/', marksOf(files)]]);
    if (main !== undefined) folders.set('../../files/', marksOf(main));
    this.#folders = folders;
  }

  /** @param path of the page below the folder of its content: `pages/guides/install.md` */
  replaced(text: string, path: string): string {
    const above = '../'.repeat(path.split('/').length - 1);
    let replaced = text;
    for (const [folder, marks] of this.#folders) {
      const start = above + folder;
      if (marks.size > 0 && replaced.includes(start)) replaced = withMarks(replaced, start, marks);
    }
    return replaced;
  }
}

function marksOf(files: readonly CopiedFile[]): Map<string, string> {
  const names = fileNamesOf(files.map(({ id, name: title }) => ({ id, title })));
  return new Map([...names].map(([id, name]) => [encodeURIComponent(name), fileMark(id)]));
}

/** A character before a path that belongs to it would make it another path. */
function withMarks(text: string, start: string, marks: ReadonlyMap<string, string>): string {
  const paths = new RegExp(`(?<![\\w./%-])${start.replaceAll('.', '\\.')}([^\\s"<>\\]\\\\\`/]+)`, 'g');
  return text.replaceAll(paths, (path, rest: string) => {
    const name = nameAtStart(rest, marks);
    return name === undefined ? path : `${marks.get(name)}${rest.slice(name.length)}`;
  });
}

/** The longest name: some have brackets, and some stand in brackets. */
function nameAtStart(rest: string, marks: ReadonlyMap<string, string>): string | undefined {
  for (let end = rest.length; end > 0; end--) {
    const isEnd = end === rest.length || /[')?#]/.test(rest[end] ?? '');
    if (isEnd && marks.has(rest.slice(0, end))) return rest.slice(0, end);
  }
  return undefined;
}

/** Pages whose texts are held at once. */
const batch = 64;

interface Filling {
  db: Database;
  files: StoredFiles;
  signal?: AbortSignal | undefined;
}

/** The files of one content: those of a space, or of a change request. */
interface ContentFiles {
  /** Its folder below that of the space: '' or `change-requests/7 Typos/`. */
  at: string;
  /** By id of the page or file. */
  pages: ReadonlyMap<string, FileEntry>;
  markdown: ReadonlyMap<string, FileEntry>;
  bytes: ReadonlyMap<string, FileEntry>;
}

/** @param changeRequest its id; undefined for those of the space */
function contentFilesOf(files: StoredFiles, at: string, changeRequest?: string): ContentFiles {
  const own = files.entries.filter((entry) => entry.changeRequest === changeRequest);
  const byId = (kind: string) =>
    new Map(own.filter((entry) => entry.kind === kind).map((entry) => [entry.id ?? '', entry]));
  return { at, pages: byId('page'), markdown: byId('page-markdown'), bytes: byId('file') };
}

/**
 * Puts the pages and files that a backup has of some content, a few at a time.
 * @returns the content, which refers to them
 */
async function fillContent(
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

async function readPage(files: StoredFiles, place: PagePlace, own: ContentFiles): Promise<ReadPage[]> {
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

/** Refuses what is not as the manifests of a backup say. */
export function refusalsOf(reader: BackupReader): Refusals {
  return {
    damaged: (path, cause) => changedInBackup(reader, path, cause),
    missing: ({ code, message, failure }) =>
      new DocsError('local-io', code, `${message}; nothing was changed`, {
        ...failure,
        hint: verifyCommand(reader),
      }),
  };
}

export function changedInBackup(reader: BackupReader, path: string, cause?: unknown): DocsError {
  const message = `${path} in ${reader.root} differs from its manifest; nothing was changed`;
  return new DocsError('configuration', 'changed_in_backup', message, {
    ...(cause !== undefined && { cause }),
    outcome: 'not-sent',
    hint: verifyCommand(reader),
  });
}
