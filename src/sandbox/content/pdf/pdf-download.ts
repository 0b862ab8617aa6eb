import { type SpaceRow, spaceById } from '../../records/space.js';
import { notFound, refusal } from '../../refusal.js';
import { type Download, openKey, sealKey } from '../../server/downloads.js';
import type { Database } from '../../store/database.js';
import type { ContentChange } from '../commit.js';
import { textOf } from '../computed.js';
import { bytesOf, fileUrl } from '../file-download.js';
import { type LinkTarget, targetIn } from '../links.js';
import { linkTargets } from '../markdown.js';
import { flatten, type PlacedPage, type Snapshot, snapshotOf } from '../snapshot.js';
import type { PageAttributes } from '../versions.js';
import { appOf } from '../view.js';
import { type Picture, pictureOf } from './pictures.js';
import type { PdfTarget } from './runs.js';
import type { PdfPage } from './write-pdf.js';

const wholeRevision = '-';

/**
 * The URL of a PDF of a revision, which is generated on download: all pages, one with its children, or that
 * one `only`.
 * @throws 404 for an unknown page; 400 for `only` without one
 */
export function pdfUrl(
  { db, space, origin }: Pick<ContentChange, 'db' | 'space'> & { origin: string },
  revisionId: string,
  { page, only = false }: { page?: string; only?: boolean },
  name: string,
): string {
  if (page === undefined && only) throw refusal(400, 'Query parameter "only" requires "page".');
  const { pageById } = snapshotOf(db, space, revisionId);
  if (page !== undefined && !pageById.has(page)) throw notFound('page', page);
  const extent = only ? 'only' : 'below';
  const key = sealKey(db, 'pdf', [space.id, revisionId, page ?? wholeRevision, extent]);
  return `${origin}/pdf/${key}/${encodeURIComponent(name)}.pdf`;
}

export const pdfDownload: Download = {
  path: '/pdf/{key}/{name}',
  serve(db, { key = '', name = '' }, origin) {
    const [spaceId = '', revisionId = '', pageId, extent] = openKey(db, 'pdf', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const snapshot = snapshotOf(db, space, revisionId);
    const shown = pagesOf(snapshot, pageId ?? wholeRevision, extent === 'only');
    const view = { db, space, origin, snapshot, shown: new Set(shown.map(({ page }) => page.page_id)) };
    const pages = shown.map((placed) => toPdfPage(view, placed));
    const content = { title: space.title, createdAt: snapshot.revision.createdAt, pages };
    const bytes = async () => {
      const [{ writePdf }, { fontFolders }] = await Promise.all([
        import('./write-pdf.js'),
        import('./system-fonts.js'),
      ]);
      return writePdf(content, fontFolders());
    };
    return { bytes, contentType: 'application/pdf', name };
  },
};

function pagesOf({ pages, pageById }: Snapshot, pageId: string, only: boolean): PlacedPage[] {
  if (pageId === wholeRevision) return flatten(pages);
  const placed = pageById.get(pageId);
  if (placed === undefined) return [];
  return only ? [placed] : flatten([placed]);
}

interface PdfView {
  db: Database;
  space: SpaceRow;
  origin: string;
  snapshot: Snapshot;
  /** Ids of the pages in the PDF. */
  shown: ReadonlySet<string>;
}

/** All that the PDF shows of a page, read now: the file is written later. */
function toPdfPage(view: PdfView, placed: PlacedPage): PdfPage {
  const { db } = view;
  const { page, path } = placed;
  const markdown = textOf(db, page);
  const [links, pictures] = [new Map<string, PdfTarget>(), new Map<string, Picture>()];
  for (const written of linkTargets(markdown)) {
    const { target } = targetIn(view, placed, written) ?? {};
    const link = target && linkOf(view, target);
    const picture = pictureIn(view, target?.kind === 'file' ? target.file : undefined);
    if (link !== undefined) links.set(written, link);
    if (picture !== undefined) pictures.set(written, picture);
  }
  const { cover } = JSON.parse(page.attributes) as PageAttributes;
  return {
    id: page.page_id,
    title: page.title,
    description: page.description,
    level: path.split('/').length - 1,
    cover: pictureIn(view, cover?.ref.file),
    markdown,
    link: (target) => links.get(target) ?? addressOf(target),
    picture: (target) => pictures.get(target),
  };
}

/**
 * Pages in the PDF by their place there, others by their address in the app. What is in another space has the
 * address of that space: who holds the PDF may not see more of it.
 */
function linkOf({ db, space, origin, snapshot, shown }: PdfView, target: LinkTarget): PdfTarget | undefined {
  if (target.kind === 'abroad') return { url: appOf({ space: { ...space, id: target.space } }, '') };
  const placed = target.kind === 'page' ? snapshot.pageById.get(target.page) : undefined;
  if (placed !== undefined) {
    const { page_id: id } = placed.page;
    return shown.has(id) ? { page: id } : { url: appOf({ space }, placed.path) };
  }
  const file = target.kind === 'file' ? snapshot.fileById.get(target.file) : undefined;
  return file && { url: fileUrl(db, space.id, origin, file) };
}

/** Other addresses as written: the web, and mail. */
function addressOf(target: string): PdfTarget | undefined {
  return /^(?:https?|mailto):/i.test(target) ? { url: target } : undefined;
}

function pictureIn({ db, space, snapshot }: PdfView, fileId: string | undefined): Picture | undefined {
  const file = fileId === undefined ? undefined : snapshot.fileById.get(fileId);
  const bytes = file && bytesOf(db, space.id, file.version);
  return bytes && pictureOf(bytes);
}
