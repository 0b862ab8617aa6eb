import type { ContentFile, ContentPage, Revision } from '../../api/resources/content.js';
import { defined } from '../../base/values.js';
import {
  type Contents,
  type Entry,
  type PageNode,
  revisionOf,
  type StoredRevision,
} from '../content/revisions.js';
import { fileMark, type ToldFile, type ToldReusable, toldColumn, toldOf } from '../content/told.js';
import { type FileRow, fileByVersion, hashOfFile, hashOfReusable, nameOf, put } from '../content/versions.js';
import { oidOf, ownRevision } from '../content/view.js';
import { orgById } from '../records/org.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import {
  type CopiedPages,
  type PageText,
  type Place,
  pathOf,
  putCopiedPage,
  putPages,
} from './content-pages.js';
import { msOf, tell, upsert } from './rows.js';

/** A revision as the platform answers it; files of a backup have no URL. */
export type CopiedRevision = Omit<Revision, 'files'> & { files: readonly CopiedFile[] };

/** The content of a space or a change request, as the platform answers it. */
export interface CopiedContent {
  revision: CopiedRevision;
  /** By page id; a page without one keeps the text that the space has of it. */
  texts: ReadonlyMap<string, PageText>;
  /** By file id; a file without them keeps those that the space has of it, or is empty. */
  bytes: ReadonlyMap<string, Uint8Array>;
  /** What was put beforehand, for content that is too much to hold at once. */
  put?: PutBefore;
}

/** Numbers of versions by id. */
export interface PutBefore {
  pages: Map<string, number>;
  files: Map<string, number>;
}

/** A page with its place in the tree. */
export interface PagePlace extends Place {
  page: ContentPage;
}

/** Whose content is put. */
export interface ContentOwner {
  spaceId: string;
  /** With its number, for addresses. */
  changeRequest?: { id: string; number: number; authorId: string | null };
}

/**
 * Makes content the current one of a space, which must be there. Putting it again changes nothing; newer content
 * takes its place. Call within a write.
 */
export function putContent(db: Database, spaceId: string, content: CopiedContent): void {
  putRevision(db, { spaceId }, content);
  db.run('UPDATE spaces SET revision_id = ? WHERE id = ?', content.revision.id, spaceId);
}

/** Puts some pages of a space before the rest; returns their versions by id. Call within a write. */
export function putSomePages(
  db: Database,
  { spaceId, changeRequest }: ContentOwner,
  pages: readonly PagePlace[],
  { texts, at }: Pick<CopiedContent, 'texts'> & { at: number },
): Map<string, number> {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const copied = { db, space, changeRequest: changeRequest?.number, texts, at, put: none, known: none };
  return new Map(pages.map(({ page, ...place }) => [page.id, putCopiedPage(copied, page, place)]));
}

/** The pages of a tree with their places, each before those below it. */
export function placesOf(pages: readonly ContentPage[], above = ''): PagePlace[] {
  return pages.flatMap((page) => {
    const { pages: below = [] } = page;
    return [{ page, above, hasPages: below.length > 0 }, ...placesOf(below, pathOf(page, above))];
  });
}

/** Puts a revision of a space or change request with all it refers to. Call within a write. */
export function putRevision(db: Database, owner: ContentOwner, content: CopiedContent): void {
  const space = found(spaceById(db, owner.spaceId), 'space', owner.spaceId);
  const { revision } = content;
  const { changeRequest } = owner;
  putRevisionRow(db, {
    ...contentsOf(db, space, content, changeRequest?.number),
    id: revision.id,
    spaceId: space.id,
    changeRequestId: changeRequest?.id ?? null,
    parents: revision.parents,
    message: revision.git?.message ?? '',
    authorId: changeRequest?.authorId ?? null,
    createdAt: msOf(revision.createdAt),
  });
  tellRevision(db, space, revision, changeRequest?.number);
}

/** Writes the row of a revision, in place of one with the same id. */
export function putRevisionRow(db: Database, revision: Omit<StoredRevision, 'told'>, assumed = false): void {
  upsert(db, 'revisions', ['id'], {
    id: revision.id,
    space_id: revision.spaceId,
    change_request_id: revision.changeRequestId,
    parents: JSON.stringify(revision.parents),
    pages: JSON.stringify(revision.pages),
    files: JSON.stringify(revision.files),
    reusables: JSON.stringify(revision.reusables),
    message: revision.message,
    author_id: revision.authorId,
    created_at: revision.createdAt,
    assumed: assumed ? 1 : 0,
  });
}

function contentsOf(
  db: Database,
  space: SpaceRow,
  content: CopiedContent,
  changeRequest: number | undefined,
): Contents {
  const { revision, bytes, put } = content;
  const main = revisionOf(db, space, space.revision_id);
  const known = new Map(versionsOf(main.pages));
  const filesBefore = new Map([...versionsOf(main.files), ...(put?.files ?? [])]);
  const texts = markedTexts(content);
  const at = msOf(revision.createdAt);
  const copied: CopiedPages = { db, space, changeRequest, texts, put: put?.pages ?? none, known, at };
  return {
    pages: putPages(copied, revision.pages),
    files: revision.files.map((file) =>
      putCopiedFile(db, space.id, file, bytes.get(file.id), filesBefore.get(file.id)),
    ),
    reusables: (revision.reusableContents ?? []).map((one) => putCopiedReusable(db, space.id, one)),
  };
}

function versionsOf(nodes: readonly PageNode[] | readonly Entry[]): [id: string, version: number][] {
  return (nodes as readonly PageNode[]).flatMap(({ id, version, pages = [] }) => [
    [id, version],
    ...versionsOf(pages),
  ]);
}

/** Texts of a live platform have the URLs of its files, which expire. */
function markedTexts({ revision, texts }: CopiedContent): ReadonlyMap<string, PageText> {
  const marks = new Map(
    revision.files.flatMap(({ id, downloadURL }) =>
      downloadURL === undefined ? [] : [[bare(downloadURL), fileMark(id)] as const],
    ),
  );
  if (marks.size === 0) return texts;
  const marked = (text: string) =>
    text.replaceAll(/https?:\/\/[^\s"'<>)\]\\`]+/g, (url) => marks.get(bare(url)) ?? url);
  return new Map(
    [...texts].map(([id, { markdown, document }]) => [
      id,
      {
        markdown: marked(markdown),
        document: document && JSON.parse(marked(JSON.stringify(document))),
      },
    ]),
  );
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

const noSnapshot = {
  ...{ pages: [], pageById: new Map(), pageByPath: new Map() },
  ...{ files: [], fileById: new Map(), fileByPath: new Map(), reusables: [] },
};
const none: ReadonlyMap<string, number> = new Map();
const noReading = { origin: '', reading: {} };

/** Pages, files and reusable contents have records of their own, and sites give the published address. */
function tellRevision(
  db: Database,
  space: SpaceRow,
  revision: CopiedRevision,
  changeRequest: number | undefined,
): void {
  const own = () => {
    const org = found(orgById(db, space.org_id), 'organization', space.org_id);
    const caller = { userId: '', email: '', role: null, level: null };
    const snapshot = { ...noSnapshot, revision: revisionOf(db, space, revision.id) };
    const all = ownRevision({ db, org, caller, space, snapshot, changeRequest, ...noReading });
    const { app, published: _, ...others } = all.urls;
    const { published } = revision.urls;
    return { ...all, urls: defined({ app, published, ...others }) };
  };
  const lists = ['pages', 'files', 'reusableContents'];
  tell(db, { table: 'revisions', key: { id: revision.id } }, revision, own, lists);
}

/** A file as the platform answers it; a backup keeps no URL. */
export type CopiedFile = Omit<ContentFile, 'downloadURL'> & { downloadURL?: string };
type CopiedReusable = NonNullable<Revision['reusableContents']>[number];

/**
 * Puts a file of a space, and returns its entry. Call within a write.
 * @param bytes undefined if they could not be read: the file is then empty, in its told size
 * @param known the version that is there; kept if it is the same file
 */
export function putCopiedFile(
  db: Database,
  spaceId: string,
  file: CopiedFile,
  bytes: Uint8Array | undefined,
  known?: number,
): Entry {
  const { id, contentType, size } = file;
  const path = nameOf(file.git?.path ?? '') === '' ? file.name : (file.git?.path ?? file.name);
  const row = known === undefined ? undefined : fileByVersion(db, known);
  if (bytes === undefined && known !== undefined && row !== undefined && isSame(row, file, path))
    return { id, version: known };
  const base64 =
    bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const hash = hashOfFile({ fileId: id, path, contentType }, base64);
  const told = toldColumn(toldOfFile(file, path, hash));
  const version = put(db, 'file_versions', {
    space_id: spaceId,
    hash: told === null ? hash : idFrom(JSON.stringify([hash, told])),
    file_id: id,
    path,
    content_type: contentType,
    size,
    ...file.dimensions,
    base64,
    told,
  });
  return { id, version };
}

function isSame(row: FileRow, file: CopiedFile, path: string): boolean {
  const { git = { oid: oidOf(row.hash) } } = toldOf<ToldFile>(row.told);
  return row.path === path && row.size === file.size && git?.oid === file.git?.oid;
}

function toldOfFile({ name, git }: CopiedFile, path: string, hash: string): ToldFile {
  const isOwn = git?.oid === oidOf(hash) && git.path === path;
  return {
    ...(name !== nameOf(path) && { name }),
    ...(!isOwn && { git: git === undefined ? null : { oid: git.oid, path: git.path } }),
  };
}

/** Puts a reusable content, whose text the platform does not tell. Call within a write. */
function putCopiedReusable(db: Database, spaceId: string, reusable: CopiedReusable): Entry {
  const { id, title, document, git } = reusable;
  const path = git?.path ?? '';
  const hash = hashOfReusable({ reusableId: id, title, path, markdown: '' });
  const isOwn = git?.oid === oidOf(document ?? hash);
  const told: ToldReusable = {
    ...(document !== hash && { document: document ?? null }),
    ...(!isOwn && { git: git === undefined ? null : { oid: git.oid, path } }),
  };
  const column = toldColumn(told);
  const version = put(db, 'reusable_versions', {
    space_id: spaceId,
    hash: column === null ? hash : idFrom(JSON.stringify([hash, column])),
    reusable_id: id,
    title,
    path,
    markdown: '',
    told: column,
  });
  return { id, version };
}
