import type { SpaceRow } from '../records/space.js';
import type { Database } from '../store/database.js';

/** An item of a revision, at one version (migrations/020-content.ts). */
export interface Entry {
  id: string;
  version: number;
}

/** A page of a revision with its children, in order. */
export interface PageNode extends Entry {
  pages?: PageNode[];
}

/** The contents of a revision. */
export interface Contents {
  pages: PageNode[];
  files: Entry[];
  reusables: Entry[];
}

/** An immutable state of the content of a space or a change request. */
export interface Revision extends Contents {
  id: string;
  spaceId: string;
  /** The change request it belongs to. */
  changeRequestId: string | null;
  parents: string[];
  /** Describes the change. */
  message: string;
  authorId: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export const noContents: Contents = { pages: [], files: [], reusables: [] };

interface RevisionRow {
  id: string;
  space_id: string;
  change_request_id: string | null;
  parents: string;
  pages: string;
  files: string;
  reusables: string;
  message: string;
  author_id: string | null;
  created_at: number;
}

/** A revision of a space. One without a row is empty, and as old as the space. */
export function revisionOf(db: Database, space: SpaceRow, id: string): Revision {
  return db.remember(`revision ${space.id} ${id}`, () => {
    const row = db.get<RevisionRow>('SELECT * FROM revisions WHERE id = ? AND space_id = ?', id, space.id);
    return row === undefined ? emptyRevision(space, id) : toRevision(row);
  });
}

/** Saves a revision. Call within a write. */
export function addRevision(db: Database, revision: Revision): void {
  db.run(
    `INSERT INTO revisions (id, space_id, change_request_id, parents, pages, files, reusables, message, author_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[revision.id, revision.spaceId, revision.changeRequestId, JSON.stringify(revision.parents)],
    ...[revision.pages, revision.files, revision.reusables].map((list) => JSON.stringify(list)),
    ...[revision.message, revision.authorId, revision.createdAt],
  );
}

/** Makes a revision the current one of its space. Call within a write. */
export function publishRevision(db: Database, { id, spaceId, createdAt }: Revision): void {
  db.run('UPDATE spaces SET revision_id = ?, updated_at = ? WHERE id = ?', id, createdAt, spaceId);
}

function emptyRevision(space: SpaceRow, id: string): Revision {
  const { id: spaceId, created_at: createdAt } = space;
  const message = 'Create the space';
  return {
    ...noContents,
    id,
    spaceId,
    changeRequestId: null,
    parents: [],
    message,
    authorId: null,
    createdAt,
  };
}

function toRevision(row: RevisionRow): Revision {
  return {
    id: row.id,
    spaceId: row.space_id,
    changeRequestId: row.change_request_id,
    parents: JSON.parse(row.parents) as string[],
    pages: JSON.parse(row.pages) as PageNode[],
    files: JSON.parse(row.files) as Entry[],
    reusables: JSON.parse(row.reusables) as Entry[],
    message: row.message,
    authorId: row.author_id,
    createdAt: row.created_at,
  };
}
