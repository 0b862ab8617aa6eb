import type { ImportResult } from '../../../api/resources/content.js';
import { refusal } from '../../refusal.js';
import type { ContentSource } from '../../sources/content-source.js';
import { type ContentChange, commit, type Entry, type PageNode, type Revision } from '../revisions.js';
import type { PlacedPage, Snapshot } from '../snapshot.js';
import { putFile, putPage, putReusable } from '../versions.js';
import { htmlPage } from './html-page.js';
import { decodeText, type Imported, type ImportedPage } from './imported.js';
import { markdownPage } from './markdown-page.js';
import { zipContents } from './zip.js';

const taken = ['website', 'markdown', 'html', 'zip'];

/** Reads and parses the content of a URL. @throws 400 if that fails, or for a source of another kind */
export async function readImport(
  { url, source }: { url: string; source: string },
  contents: ContentSource,
): Promise<Imported> {
  if (!taken.includes(source)) {
    throw refusal(400, `Unsupported import source "${source}"; the sandbox supports ${taken.join(', ')}.`);
  }
  if (source === 'website') return (await import('./website.js')).websiteContents(url, contents);
  const { bytes, name } = await contents.read(url);
  if (source === 'zip') return zipContents(bytes);
  const otherwise = name.replace(/\.[a-z]+$/i, '') || new URL(url).hostname;
  const text = decodeText(bytes, url);
  const page =
    source === 'markdown' ? await markdownPage(text, otherwise) : await htmlPage(text, otherwise, url);
  return { pages: [page], files: [], reusables: [] };
}

/**
 * Adds imported content as a new revision. Pages, files and reusable contents at existing paths are
 * replaced and keep their ids; others are added at the end. Removes nothing. Call within a write.
 * @param snapshot the current content
 */
export function applyImport(
  change: ContentChange,
  { snapshot, changeRequestId }: { snapshot: Snapshot; changeRequestId: string | null },
  imported: Imported,
): { revision: Revision; result: ImportResult } {
  const { files, reusables, missed = 0 } = imported;
  const contents = {
    pages: placePages(change, snapshot.revision.pages, snapshot.pages, imported.pages),
    files: replace(snapshot.revision.files, files, (file) => {
      const fileId = snapshot.fileByPath.get(file.path)?.file_id ?? change.newId();
      return { id: fileId, version: putFile(change.db, change.space.id, { ...file, fileId }) };
    }),
    reusables: replace(snapshot.revision.reusables, reusables, (reusable) => {
      const known = snapshot.reusables.find(({ path }) => path === reusable.path);
      const reusableId = known?.reusable_id ?? change.newId();
      const version = putReusable(change.db, change.space.id, { ...reusable, reusableId });
      return { id: reusableId, version };
    }),
  };
  const count = countPages(imported.pages) + files.length + reusables.length;
  const message = `Import ${count} ${count === 1 ? 'resource' : 'resources'}`;
  const revision = commit(change, contents, [snapshot.revision.id], message, changeRequestId);
  const totalResources = count + missed;
  return { revision, result: { revision: revision.id, importedResources: count, totalResources } };
}

function replace<Item>(entries: readonly Entry[], items: readonly Item[], put: (item: Item) => Entry) {
  const all = [...entries, ...items.map(put)];
  return [...new Map(all.map((entry) => [entry.id, entry])).values()];
}

function placePages(
  change: ContentChange,
  nodes: readonly PageNode[],
  placed: readonly PlacedPage[],
  imported: readonly ImportedPage[],
): PageNode[] {
  const merged = new Map(nodes.map((node) => [node.id, node]));
  const bySlug = new Map(placed.map((known) => [known.page.slug, known]));
  for (const page of imported) {
    const known = bySlug.get(page.slug);
    const node = known && merged.get(known.page.page_id);
    const pages = placePages(change, node?.pages ?? [], known?.pages ?? [], page.pages);
    const entry = putImported(change, known, page);
    merged.set(entry.id, { ...entry, ...(pages.length > 0 && { pages }) });
  }
  return [...merged.values()];
}

/** The new version of a page; properties that the import lacks stay unchanged. */
function putImported(change: ContentChange, known: PlacedPage | undefined, imported: ImportedPage): Entry {
  const { db, space, clock, newId } = change;
  if (known !== undefined && imported.markdown === undefined) {
    return { id: known.page.page_id, version: known.page.version };
  }
  const { title, slug, description = known?.page.description ?? '', markdown = '' } = imported;
  const pageId = known?.page.page_id ?? newId();
  const now = clock.now();
  const attributes = { ...(known && JSON.parse(known.page.attributes)), ...imported.attributes };
  const times = { createdAt: known?.page.created_at ?? now, updatedAt: now };
  const version = putPage(db, space.id, { pageId, title, slug, description, attributes, markdown, ...times });
  return { id: pageId, version };
}

function countPages(pages: readonly ImportedPage[]): number {
  const counts = pages.map((page) => Number(page.markdown !== undefined) + countPages(page.pages));
  return counts.reduce((sum, count) => sum + count, 0);
}
