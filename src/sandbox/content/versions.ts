import type { ContentPage } from '../../api/resources/revisions.js';
import type { Database, SqlValue } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import type { Names } from './merge.js';

/** Optional properties of a page beyond title, slug, description and text. */
export type PageAttributes = Partial<
  Pick<
    ContentPage,
    | 'emoji'
    | 'icon'
    | 'layout'
    | 'cover'
    | 'hidden'
    | 'noIndex'
    | 'noRobotsIndex'
    | 'computed'
    | 'computedSeed'
  >
>;

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

/** Columns of a page version without its text. */
export const pageColumns =
  'v.id AS version, v.hash, v.page_id, v.title, v.slug, v.description, v.attributes, v.created_at, v.updated_at';

export interface PageRow {
  version: number;
  hash: string;
  page_id: string;
  title: string;
  slug: string;
  description: string;
  attributes: string;
  created_at: number;
  updated_at: number;
}

export interface FileRow {
  version: number;
  hash: string;
  file_id: string;
  path: string;
  content_type: string;
  size: number;
  width: number | null;
  height: number | null;
}

export interface ReusableRow {
  version: number;
  hash: string;
  reusable_id: string;
  title: string;
  path: string;
}

/** Saves a version of a page unless it exists, and returns its number. Call within a write. */
export function putPage(db: Database, spaceId: string, page: PageVersion): number {
  const { pageId, title, slug, description, markdown, createdAt, updatedAt } = page;
  const attributes = JSON.stringify(page.attributes);
  const hash = idFrom(JSON.stringify([pageId, title, slug, description, attributes, markdown]));
  return put(db, 'page_versions', {
    ...{ space_id: spaceId, hash, page_id: pageId, title, slug, description, attributes },
    ...{ created_at: createdAt, updated_at: updatedAt, markdown },
  });
}

/** Saves a version of a file unless it exists, and returns its number. Call within a write. */
export function putFile(db: Database, spaceId: string, file: FileVersion): number {
  const base64 = Buffer.from(file.bytes).toString('base64');
  return put(db, 'file_versions', {
    space_id: spaceId,
    hash: idFrom(JSON.stringify([file.fileId, file.path, file.contentType, base64])),
    file_id: file.fileId,
    path: file.path,
    content_type: file.contentType,
    size: file.bytes.length,
    width: file.dimensions?.width ?? null,
    height: file.dimensions?.height ?? null,
    base64,
  });
}

/** Saves a version of a reusable content unless it exists, and returns its number. */
export function putReusable(db: Database, spaceId: string, reusable: ReusableVersion): number {
  const { reusableId, title, path, markdown } = reusable;
  const hash = idFrom(JSON.stringify([reusableId, title, path, markdown]));
  return put(db, 'reusable_versions', {
    ...{ space_id: spaceId, hash, reusable_id: reusableId, title, path, markdown },
  });
}

export function pageByVersion(db: Database, version: number): PageRow | undefined {
  return db.get<PageRow>(`SELECT ${pageColumns} FROM page_versions v WHERE v.id = ?`, version);
}

/** The text of a version of a page. */
export function markdownOf(db: Database, version: number): string {
  const sql = 'SELECT markdown FROM page_versions WHERE id = ?';
  return db.get<{ markdown: string }>(sql, version)?.markdown ?? '';
}

export function fileByVersion(db: Database, version: number): FileRow | undefined {
  return db.get<FileRow>(
    `SELECT id AS version, hash, file_id, path, content_type, size, width, height FROM file_versions WHERE id = ?`,
    version,
  );
}

export function reusableByVersion(db: Database, version: number): ReusableRow | undefined {
  return db.get<ReusableRow>(
    'SELECT id AS version, hash, reusable_id, title, path FROM reusable_versions WHERE id = ?',
    version,
  );
}

/** Names of versions, unique among siblings. */
export function versionNames(db: Database): Names {
  return {
    page: (version) => pageByVersion(db, version)?.slug ?? '',
    file: (version) => fileByVersion(db, version)?.path ?? '',
    reusable: (version) => reusableByVersion(db, version)?.path ?? '',
  };
}

type VersionTable = 'page_versions' | 'file_versions' | 'reusable_versions';

function put(
  db: Database,
  table: VersionTable,
  row: Record<string, SqlValue> & { space_id: string; hash: string },
): number {
  const kept = db.get<{ id: number }>(
    `SELECT id FROM ${table} WHERE space_id = ? AND hash = ?`,
    row.space_id,
    row.hash,
  );
  if (kept !== undefined) return kept.id;
  const holes = Object.keys(row).map(() => '?');
  const added = db.get<{ id: number }>(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${holes.join(', ')}) RETURNING id`,
    ...Object.values(row),
  );
  if (added === undefined) throw new Error(`The insert into ${table} returned no row.`);
  return added.id;
}
