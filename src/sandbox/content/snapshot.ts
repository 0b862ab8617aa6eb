import type { SpaceRow } from '../records/space.js';
import type { Database } from '../store/database.js';
import { contentTables, type Entry, type PageNode, revisionOf, type StoredRevision } from './revisions.js';
import { type ToldPage, toldOf } from './told.js';
import {
  type FileRow,
  fileByVersion,
  type PageRow,
  pageByVersion,
  type ReusableRow,
  reusableByVersion,
} from './versions.js';

export interface PlacedPage {
  page: PageRow;
  /** Slugs from the top, such as `guides/install`. */
  path: string;
  pages: PlacedPage[];
}

/** A revision with everything it refers to, except texts and bytes. */
export interface Snapshot {
  revision: StoredRevision;
  pages: PlacedPage[];
  /** Every page by id, each before those below it. */
  pageById: ReadonlyMap<string, PlacedPage>;
  pageByPath: ReadonlyMap<string, PlacedPage>;
  files: FileRow[];
  fileById: ReadonlyMap<string, FileRow>;
  fileByPath: ReadonlyMap<string, FileRow>;
  reusables: ReusableRow[];
}

export function snapshotOf(db: Database, space: SpaceRow, revisionId: string): Snapshot {
  const read = (): Snapshot => {
    const revision = revisionOf(db, space, revisionId);
    const pages = place(db, revision.pages, '');
    const all = flatten(pages);
    const files = rowsOf(revision.files, (version) => fileByVersion(db, version));
    return {
      revision,
      pages,
      pageById: new Map(all.map((placed) => [placed.page.page_id, placed])),
      pageByPath: new Map(all.map((placed) => [placed.path, placed])),
      files,
      fileById: new Map(files.map((file) => [file.file_id, file])),
      fileByPath: new Map(files.map((file) => [file.path, file])),
      reusables: rowsOf(revision.reusables, (version) => reusableByVersion(db, version)),
    };
  };
  return db.remember(`snapshot ${space.id} ${revisionId}`, read, contentTables);
}

export function flatten(pages: readonly PlacedPage[]): PlacedPage[] {
  return pages.flatMap((placed) => [placed, ...flatten(placed.pages)]);
}

function place(db: Database, nodes: readonly PageNode[], above: string): PlacedPage[] {
  return nodes.flatMap((node) => {
    const page = pageByVersion(db, node.version);
    if (page === undefined) return [];
    const path = toldOf<ToldPage>(page.told).path ?? (above === '' ? page.slug : `${above}/${page.slug}`);
    return [{ page, path, pages: place(db, node.pages ?? [], path) }];
  });
}

function rowsOf<Row>(entries: readonly Entry[], read: (version: number) => Row | undefined): Row[] {
  return entries.map(({ version }) => read(version)).filter((row) => row !== undefined);
}
