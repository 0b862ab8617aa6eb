import { spaceById } from '../records/space.js';
import { notFound, refusal } from '../refusal.js';
import { type Download, openKey, sealKey } from '../server/downloads.js';
import type { Database } from '../store/database.js';
import type { ContentChange } from './commit.js';
import { textOf } from './computed.js';
import { plainText, sectionsOf } from './markdown.js';
import { type PdfLine, writePdf } from './pdf.js';
import { flatten, type PlacedPage, type Snapshot, snapshotOf } from './snapshot.js';

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
  url: '/pdf/:key/:name',
  serve(db, { key = '', name = '' }) {
    const [spaceId = '', revisionId = '', pageId, extent] = openKey(db, 'pdf', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const snapshot = snapshotOf(db, space, revisionId);
    const pages = pagesOf(snapshot, pageId ?? wholeRevision, extent === 'only');
    const sheets = pages.map((placed) => linesOf(db, placed));
    const bytes = writePdf(space.title, sheets.length > 0 ? sheets : [[]]);
    return { bytes, contentType: 'application/pdf', name };
  },
};

function pagesOf({ pages, pageById }: Snapshot, pageId: string, only: boolean): PlacedPage[] {
  if (pageId === wholeRevision) return flatten(pages);
  const placed = pageById.get(pageId);
  if (placed === undefined) return [];
  return only ? [placed] : flatten([placed]);
}

function linesOf(db: Database, { page }: PlacedPage): PdfLine[] {
  const head = [page.title, page.description].filter(Boolean);
  const sections = sectionsOf(textOf(db, page)).flatMap(({ title, markdown }) => {
    const lines = plainText(markdown)
      .split('\n')
      .map((text) => ({ text }));
    return title === '' ? lines : [{ text: '' }, { text: title, bold: true }, ...lines];
  });
  return [...head.map((text, index) => ({ text, bold: index === 0 })), { text: '' }, ...sections];
}
