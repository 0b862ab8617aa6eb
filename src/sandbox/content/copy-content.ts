import { spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { addRevision, type Entry, type PageNode, revisionOf } from './revisions.js';
import { copyVersion } from './versions.js';

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
