import type { ContentPage } from '../../api/resources/content.js';
import type { Database } from '../store/database.js';
import { type Columns, columnsOf, idFrom, insert, type Row } from '../store/rows.js';

/**
 * What a copy of another organization was told of a version of a page or file, and would answer otherwise by
 * itself: the column `told` is JSON of these, or null. Only the fields that differ are in it. Other resources
 * have that of records/fields.ts; a version needs one of its own, since several revisions share it, in other places.
 */

/** Location in a Git repository; null where none was told. */
type GitLocation = { oid: string; path: string } | null;

export interface PageOverrides {
  documentId?: string;
  git?: GitLocation;
  /** In place of the path that the slugs from the top make. */
  path?: string;
  /** The seed shown while `of` is what the sandbox computes from; null: nothing. */
  seed?: { shown: string | null; of: string | null };
  /** The address in the app shown where the sandbox has `of`. */
  app?: { shown: string; of: string };
  /**
   * What stands before the text, instead of the title as a heading. The text then is as it was told, to its
   * last character, and its computed part is in it.
   */
  head?: string;
}

export interface FileOverrides {
  name?: string;
  git?: GitLocation;
}

export interface ReusableOverrides {
  document?: string | null;
  git?: GitLocation;
}

/** @param told the column */
export function overridesOf<Told extends PageOverrides | FileOverrides | ReusableOverrides>(
  told: string | null,
): Told {
  return told === null ? ({} as Told) : (JSON.parse(told) as Told);
}

/** The column. */
export function toldColumn(told: PageOverrides | FileOverrides | ReusableOverrides): string | null {
  const text = JSON.stringify(told);
  return text === '{}' ? null : text;
}

/**
 * Stands in a text for the URL that a file is downloaded from, which each answer makes anew. On a reserved
 * host, as the other URLs of the sandbox.
 */
const mark = 'https://files.sandbox.example/in-text/';
const marks = /https:\/\/files\.sandbox\.example\/in-text\/([\w-]+)/g;

export function fileMark(fileId: string): string {
  return mark + encodeURIComponent(fileId);
}

/** The id of the file that an address stands for; undefined for other addresses. */
export function markedFile(address: string): string | undefined {
  return address.startsWith(mark) ? /^[\w-]+/.exec(address.slice(mark.length))?.[0] : undefined;
}

/** A text with the URLs of its files. @param urlOf undefined for a file that is gone */
export function withFileUrls(text: string, urlOf: (fileId: string) => string | undefined): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marks, (marked, fileId: string) => urlOf(fileId) ?? marked);
}

/** Optional properties of a page beyond title, slug, description and text. */
export type PageAttributes = Partial<Pick<ContentPage, (typeof pageAttributes)[number]>>;
export const pageAttributes = [
  ...(['emoji', 'icon', 'layout', 'cover', 'hidden'] as const),
  ...(['noIndex', 'noRobotsIndex', 'computed'] as const),
] as const;

/** A version of a page; its place belongs to the revision. Times in milliseconds. */
export interface PageVersion {
  pageId: string;
  title: string;
  slug: string;
  description: string;
  attributes: PageAttributes;
  markdown: string;
  createdAt: number;
  updatedAt: number;
}

export interface FileVersion {
  fileId: string;
  /** Path within the space, such as `images/logo.png`; the last segment is its name. */
  path: string;
  contentType: string;
  dimensions?: { width: number; height: number } | undefined;
  bytes: Uint8Array;
}

export interface ReusableVersion {
  reusableId: string;
  title: string;
  path: string;
  markdown: string;
}

/** Columns without the number, the space, and the text or bytes. */
const columns = {
  page_versions: 'hash, page_id, title, slug, description, attributes, created_at, updated_at, told',
  file_versions: 'hash, file_id, path, content_type, size, width, height, told',
  reusable_versions: 'hash, reusable_id, title, path, told',
};

/** The columns of texts and bytes. */
const bodies = {
  page_versions: 'markdown, document',
  file_versions: 'base64',
  reusable_versions: 'markdown',
};

type VersionTable = keyof typeof columns;

export interface PageRow
  extends Row<{
    text: 'hash page_id title slug description attributes';
    integer: 'version created_at updated_at';
  }> {
  /** What a copy was told of it, as in the next two. */
  told: string | null;
}

export interface FileRow
  extends Row<{
    text: 'hash file_id path content_type';
    maybeText: 'told';
    integer: 'version size';
    maybeInteger: 'width height';
  }> {}

export interface ReusableRow {
  version: number;
  hash: string;
  reusable_id: string;
  title: string;
  path: string;
  told: string | null;
}

/** Saves a version of a page unless it exists, and returns its number. Call within a write, as the next two. */
export function putPage(db: Database, spaceId: string, page: PageVersion): number {
  return put(db, 'page_versions', { space_id: spaceId, hash: hashOfPage(page), ...columnsOf(page) });
}

export function putFile(db: Database, spaceId: string, file: FileVersion): number {
  const { dimensions, bytes, ...named } = file;
  const base64 = Buffer.from(bytes).toString('base64');
  const body = { size: bytes.length, ...dimensions, base64 };
  const hash = hashOfFile(file, base64);
  return put(db, 'file_versions', { space_id: spaceId, hash, ...columnsOf(named), ...body });
}

/** Identifies a page by its content, whenever it was made. */
export function hashOfPage({ pageId, title, slug, description, attributes, markdown }: PageVersion): string {
  return idFrom(JSON.stringify([pageId, title, slug, description, JSON.stringify(attributes), markdown]));
}

/** Identifies a file by its content. */
export function hashOfFile(
  { fileId, path, contentType }: Pick<FileVersion, 'fileId' | 'path' | 'contentType'>,
  base64: string,
): string {
  return idFrom(JSON.stringify([fileId, path, contentType, base64]));
}

export function hashOfReusable({ reusableId, title, path, markdown }: ReusableVersion): string {
  return idFrom(JSON.stringify([reusableId, title, path, markdown]));
}

export function putReusable(db: Database, spaceId: string, reusable: ReusableVersion): number {
  const hash = hashOfReusable(reusable);
  return put(db, 'reusable_versions', { space_id: spaceId, hash, ...columnsOf(reusable) });
}

/** Copies a version to another space and returns its number there. Call within a write. */
export function copyVersion(db: Database, table: VersionTable, version: number, spaceId: string): number {
  const all = `${columns[table]}, ${bodies[table]}`;
  const row = db.get<{ id: number }>(
    `INSERT INTO ${table} (space_id, ${all}) SELECT ?, ${all} FROM ${table} WHERE id = ? RETURNING id`,
    ...[spaceId, version],
  );
  if (row === undefined) throw new Error(`Row ${version} of ${table} not found.`);
  return row.id;
}

export function pageByVersion(db: Database, version: number): PageRow | undefined {
  return byVersion(db, 'page_versions', version);
}

export function markdownOf(db: Database, version: number): string {
  const sql = 'SELECT markdown FROM page_versions WHERE id = ?';
  return db.get<{ markdown: string }>(sql, version)?.markdown ?? '';
}

/** The structured text of a page that does not follow from its Markdown; undefined if it does. */
export function documentAt(db: Database, version: number): string | undefined {
  const sql = 'SELECT document FROM page_versions WHERE id = ?';
  return db.get<{ document: string | null }>(sql, version)?.document ?? undefined;
}

export function fileByVersion(db: Database, version: number): FileRow | undefined {
  return byVersion(db, 'file_versions', version);
}

export function reusableByVersion(db: Database, version: number): ReusableRow | undefined {
  return byVersion(db, 'reusable_versions', version);
}

function byVersion<Row>(db: Database, table: VersionTable, version: number): Row | undefined {
  return db.get<Row>(`SELECT id AS version, ${columns[table]} FROM ${table} WHERE id = ?`, version);
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Names of versions, unique among siblings: slugs of pages, paths of the others. */
export interface Names {
  page(version: number): string;
  file(version: number): string;
  reusable(version: number): string;
}

export function versionNames(db: Database): Names {
  return {
    page: (version) => pageByVersion(db, version)?.slug ?? '',
    file: (version) => fileByVersion(db, version)?.path ?? '',
    reusable: (version) => reusableByVersion(db, version)?.path ?? '',
  };
}

/** Inserts a version, unless its space has one of that hash; returns its number. Call within a write. */
export function put(
  db: Database,
  table: VersionTable,
  row: Columns & { space_id: string; hash: string },
): number {
  const sql = `SELECT id FROM ${table} WHERE space_id = ? AND hash = ?`;
  const known = db.get<{ id: number }>(sql, row.space_id, row.hash);
  if (known !== undefined) return known.id;
  insert(db, table, row);
  return db.get<{ id: number }>('SELECT last_insert_rowid() AS id')?.id ?? 0;
}
