import type { ChangeRequestRow } from '../records/in-path.js';
import { type SpaceRow, spaceById } from '../records/in-path.js';
import { found } from '../refusal.js';
import type { Caller } from '../scope.js';
import type { Database } from '../store/database.js';
import { type Clock, columnsOf, insert } from '../store/rows.js';
import {
  copyVersion,
  type FileRow,
  fileByVersion,
  type Names,
  overridesOf,
  type PageOverrides,
  type PageRow,
  pageByVersion,
  type ReusableRow,
  reusableByVersion,
  versionNames,
} from './versions.js';

/** An item of a revision, at one version (store/schema.ts). */
export interface Entry {
  id: string;
  version: number;
}

/** A page of a revision with its children, in order. */
export interface PageNode extends Entry {
  pages?: PageNode[];
}

export interface Contents {
  pages: PageNode[];
  files: Entry[];
  reusables: Entry[];
}

/** An immutable state of the content of a space or a change request. */
export interface Revision extends Contents {
  id: string;
  spaceId: string;
  changeRequestId: string | null;
  parents: string[];
  message: string;
  authorId: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** A revision with what a copy was told of it: JSON of records/fields.ts. */
export interface StoredRevision extends Revision {
  told: string | null;
}

/** What revisions consist of; of their space they need only what never changes. */
const contentTables = ['revisions', 'page_versions', 'file_versions', 'reusable_versions'];

export const noContents: Contents = { pages: [], files: [], reusables: [] };

/** Columns of JSON. */
type Lists = 'parents' | 'pages' | 'files' | 'reusables';
type RevisionRow = Omit<Revision, Lists> & Record<Lists, string> & Pick<StoredRevision, 'told'>;

/** A revision of a space. One without a row is empty, and as old as the space. */
export function revisionOf(db: Database, space: SpaceRow, id: string): StoredRevision {
  const read = (): StoredRevision => {
    const row = db.get<RevisionRow>(
      `SELECT id, space_id AS spaceId, change_request_id AS changeRequestId, parents, pages, files, reusables,
         message, author_id AS authorId, created_at AS createdAt, told
       FROM revisions WHERE id = ? AND space_id = ?`,
      ...[id, space.id],
    );
    return row === undefined ? emptyRevision(space, id) : toRevision(row);
  };
  return db.remember(`revision ${space.id} ${id}`, read, contentTables);
}

export function addRevision(db: Database, revision: Revision): void {
  insert(db, 'revisions', columnsOf(revision));
}

/** Makes a revision the current one of its space. Call within a write. */
export function publishRevision(db: Database, { id, spaceId, createdAt }: Revision): void {
  db.run('UPDATE spaces SET revision_id = ?, updated_at = ? WHERE id = ?', id, createdAt, spaceId);
}

function emptyRevision({ id: spaceId, created_at: createdAt }: SpaceRow, id: string): StoredRevision {
  const contents = { ...noContents, parents: [], message: 'Create the space' };
  return { ...contents, id, spaceId, changeRequestId: null, authorId: null, createdAt, told: null };
}

function toRevision(row: RevisionRow): StoredRevision {
  return {
    ...row,
    parents: JSON.parse(row.parents) as string[],
    pages: JSON.parse(row.pages) as PageNode[],
    files: JSON.parse(row.files) as Entry[],
    reusables: JSON.parse(row.reusables) as Entry[],
  };
}

export interface ContentChange {
  db: Database;
  space: SpaceRow;
  caller: Caller;
  clock: Clock;
  newId(): string;
}

/** Saves contents as a new revision by the caller, which may belong to a change request. */
export function commit(
  { db, space, caller, clock, newId }: ContentChange,
  { pages, files, reusables }: Contents,
  parents: string[],
  message: string,
  changeRequestId: string | null = null,
): Revision {
  const revision: Revision = {
    id: newId(),
    spaceId: space.id,
    changeRequestId,
    parents,
    pages,
    files,
    reusables,
    message,
    authorId: caller.userId,
    createdAt: clock.now(),
  };
  addRevision(db, revision);
  return revision;
}

/** Merges a change request and its space's main content; undefined if they conflict. */
export function mergedContents(
  { db, space }: Pick<ContentChange, 'db' | 'space'>,
  request: ChangeRequestRow,
): Contents | undefined {
  const base = revisionOf(db, space, request.revision_merged_ancestor ?? request.revision_initial);
  const main = revisionOf(db, space, space.revision_id);
  const change = revisionOf(db, space, request.revision_id);
  return mergeContents({ base, main, change }, versionNames(db));
}

/**
 * Copies the current content of a space to its duplicate, as the first revision. Pages, files and
 * reusable contents keep their ids, so that links by id lead to the copies.
 */
export function copyContent(db: Database, from: string, to: string): void {
  const original = found(spaceById(db, from), 'space', from);
  const copy = found(spaceById(db, to), 'space', to);
  const { pages, files, reusables } = revisionOf(db, original, original.revision_id);
  const copied = (table: Parameters<typeof copyVersion>[1], { id, version }: Entry) => ({
    id,
    version: copyVersion(db, table, version, copy.id),
  });
  const copiedPages = (nodes: readonly PageNode[]): PageNode[] =>
    nodes.map((node) => {
      const page = copied('page_versions', node);
      return node.pages === undefined ? page : { ...page, pages: copiedPages(node.pages) };
    });
  addRevision(db, {
    id: copy.revision_id,
    spaceId: copy.id,
    changeRequestId: null,
    parents: [],
    message: `Duplicate ${original.title}`,
    authorId: null,
    createdAt: copy.created_at,
    pages: copiedPages(pages),
    files: files.map((file) => copied('file_versions', file)),
    reusables: reusables.map((reusable) => copied('reusable_versions', reusable)),
  });
}

interface Divergence {
  /** The common base. */
  base: Contents;
  /** The space's. */
  main: Contents;
  /** The change request's. */
  change: Contents;
}

/** A page with the one above it; '' at the top. */
export interface Spot {
  version: number;
  parent: string;
}
type Spots = Map<string, Spot>;

const top = '';

/**
 * Three-way merge: takes changes, additions and removals of one side, and changes that both made alike. Pages
 * keep the order of the main content; those new in the change request follow their neighbour there.
 * @returns undefined on a conflict: both sides changed one item, or one removed what the other changed; a
 *   page lost its parent; or both added something at one path
 */
export function mergeContents({ base, main, change }: Divergence, names: Names): Contents | undefined {
  const pages = mergeTrees(base.pages, main.pages, change.pages, names.page);
  const files = mergeTrees(base.files, main.files, change.files, names.file);
  const reusables = mergeTrees(base.reusables, main.reusables, change.reusables, names.reusable);
  return pages && files && reusables && { pages, files, reusables };
}

/** Merges trees of pages, or lists, which are trees of one level. */
function mergeTrees(
  base: readonly PageNode[],
  main: readonly PageNode[],
  change: readonly PageNode[],
  name: (version: number) => string,
): PageNode[] | undefined {
  const [ours, theirs] = [spotsOf(main), spotsOf(change)];
  const merged = mergeSpots(spotsOf(base), ours, theirs);
  if (merged === undefined) return undefined;
  const orphaned = [...merged.values()].some(({ parent }) => parent !== top && !merged.has(parent));
  if (orphaned) return undefined;
  const [mainOrder, changeOrder] = [byParent(ours), byParent(theirs)];
  const children = (parent: string): PageNode[] =>
    mergeOrder(
      mainOrder.get(parent) ?? [],
      changeOrder.get(parent) ?? [],
      (id) => merged.get(id)?.parent === parent,
    ).map((id) => {
      const pages = children(id);
      return { id, version: merged.get(id)?.version ?? 0, ...(pages.length > 0 && { pages }) };
    });
  const pages = children(top);
  return distinct(pages, name) ? pages : undefined;
}

/** Undefined where both sides changed the same thing differently. */
function mergeSpots(base: Spots, main: Spots, change: Spots): Spots | undefined {
  const merged: Spots = new Map();
  for (const id of new Set([...main.keys(), ...change.keys()])) {
    const [old, ours, theirs] = [base.get(id), main.get(id), change.get(id)];
    const taken = same(ours, old) ? theirs : ours;
    if (!same(ours, old) && !same(theirs, old) && !same(ours, theirs)) return undefined;
    if (taken !== undefined) merged.set(id, taken);
  }
  return merged;
}

function same(a: Spot | undefined, b: Spot | undefined): boolean {
  return a?.version === b?.version && a?.parent === b?.parent;
}

/** The main order, with the other side's additions after the items they follow there. */
function mergeOrder(
  main: readonly string[],
  change: readonly string[],
  stays: (id: string) => boolean,
): string[] {
  const order = main.filter(stays);
  const known = new Set(order);
  let index = 0;
  for (const id of change.filter(stays)) {
    if (known.has(id)) index = order.indexOf(id);
    else order.splice(index, 0, id);
    index += 1;
  }
  return order;
}

export function spotsOf(nodes: readonly PageNode[], parent = top, spots: Spots = new Map()): Spots {
  for (const { id, version, pages = [] } of nodes) {
    spots.set(id, { version, parent });
    spotsOf(pages, id, spots);
  }
  return spots;
}

function byParent(spots: Spots): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const [id, { parent }] of spots) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  return children;
}

/** Whether names differ among siblings. */
function distinct(nodes: readonly PageNode[], name: (version: number) => string): boolean {
  const names = new Set(nodes.map(({ version }) => name(version)));
  return names.size === nodes.length && nodes.every(({ pages = [] }) => distinct(pages, name));
}

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
    const pages = placePages(db, revision.pages, '');
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

function placePages(db: Database, nodes: readonly PageNode[], above: string): PlacedPage[] {
  return nodes.flatMap((node) => {
    const page = pageByVersion(db, node.version);
    if (page === undefined) return [];
    const path =
      overridesOf<PageOverrides>(page.told).path ?? (above === '' ? page.slug : `${above}/${page.slug}`);
    return [{ page, path, pages: placePages(db, node.pages ?? [], path) }];
  });
}

function rowsOf<Row>(entries: readonly Entry[], read: (version: number) => Row | undefined): Row[] {
  return entries.map(({ version }) => read(version)).filter((row) => row !== undefined);
}
