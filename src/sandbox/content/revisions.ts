import type { SpaceRow } from '../records/space.js';
import type { Database } from '../store/database.js';
import { insert } from '../store/sql.js';

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

/** A revision with what a copy was told of it: JSON of records/told.ts. */
export interface StoredRevision extends Revision {
  told: string | null;
}

/** What revisions consist of; of their space they need only what never changes. */
export const contentTables = ['revisions', 'page_versions', 'file_versions', 'reusable_versions'];

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
  const { id, spaceId, changeRequestId, parents, pages, files, reusables, message } = revision;
  insert(db, 'revisions', {
    id,
    space_id: spaceId,
    change_request_id: changeRequestId,
    parents: JSON.stringify(parents),
    pages: JSON.stringify(pages),
    files: JSON.stringify(files),
    reusables: JSON.stringify(reusables),
    message,
    author_id: revision.authorId,
    created_at: revision.createdAt,
  });
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
