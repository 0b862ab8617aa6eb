import { spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { addRevision, type Entry, type PageNode, revisionOf } from './revisions.js';

/**
 * Copies the current content of a space to its duplicate, as the first revision. Pages, files and
 * reusable contents keep their ids, so that links by id lead to the copies.
 */
export function copyContent(db: Database, from: string, to: string): void {
  const [original, copy] = [from, to].map((id) => found(spaceById(db, id), 'space', id));
  if (original === undefined || copy === undefined) return;
  const { pages, files, reusables } = revisionOf(db, original, original.revision_id);
  const copied = (table: string, columns: string) => (version: number) => {
    const row = db.get<{ id: number }>(
      `INSERT INTO ${table} (space_id, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE id = ? RETURNING id`,
      copy.id,
      version,
    );
    if (row === undefined) throw new Error(`Row ${version} of ${table} not found.`);
    return row.id;
  };
  const copyPage = copied(
    'page_versions',
    'hash, page_id, title, slug, description, attributes, created_at, updated_at, markdown',
  );
  const copyFile = copied('file_versions', 'hash, file_id, path, content_type, size, width, height, base64');
  const copyReusable = copied('reusable_versions', 'hash, reusable_id, title, path, markdown');
  addRevision(db, {
    ...{ id: copy.revision_id, spaceId: copy.id, changeRequestId: null, parents: [] },
    ...{ message: `Duplicate ${original.title}`, authorId: null, createdAt: copy.created_at },
    pages: copyPages(pages, copyPage),
    files: copyEntries(files, copyFile),
    reusables: copyEntries(reusables, copyReusable),
  });
}

function copyPages(nodes: readonly PageNode[], copy: (version: number) => number): PageNode[] {
  return nodes.map(({ id, version, pages }) => ({
    ...{ id, version: copy(version) },
    ...(pages !== undefined && { pages: copyPages(pages, copy) }),
  }));
}

function copyEntries(entries: readonly Entry[], copy: (version: number) => number): Entry[] {
  return entries.map(({ id, version }) => ({ id, version: copy(version) }));
}
