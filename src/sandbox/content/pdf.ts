import { windows1252 } from '../../base/text-encoding.js';
import { spaceById } from '../records/in-path.js';
import { notFound, refusal } from '../refusal.js';
import { type Download, openKey, sealKey } from '../server/tokens.js';
import { linesOf, plainText, sectionsOf } from './markdown.js';
import { type ContentChange, flatten, type PlacedPage, type Snapshot, snapshotOf } from './revisions.js';
import { textOf } from './view.js';

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
  if (page === undefined && only) throw refusal(400, 'query parameter "only" requires "page"');
  const { pageById } = snapshotOf(db, space, revisionId);
  if (page !== undefined && !pageById.has(page)) throw notFound('page', page);
  const extent = only ? 'only' : 'below';
  const key = sealKey(db, 'pdf', [space.id, revisionId, page ?? wholeRevision, extent]);
  return `${origin}/pdf/${key}/${encodeURIComponent(name)}.pdf`;
}

export const pdfDownload: Download = {
  path: '/pdf/{key}/{name}',
  serve(db, { key = '', name = '' }) {
    const [spaceId = '', revisionId = '', pageId, extent] = openKey(db, 'pdf', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const snapshot = snapshotOf(db, space, revisionId);
    const pages = pagesOf(snapshot, pageId ?? wholeRevision, extent === 'only').map(({ page }) => {
      const { title, description } = page;
      return { title, description, markdown: textOf(db, page) };
    });
    const bytes = writePdf({ title: space.title, createdAt: snapshot.revision.createdAt, pages });
    return { bytes, contentType: 'application/pdf', name };
  },
};

function pagesOf({ pages, pageById }: Snapshot, pageId: string, only: boolean): PlacedPage[] {
  if (pageId === wholeRevision) return flatten(pages);
  const placed = pageById.get(pageId);
  if (placed === undefined) return [];
  return only ? [placed] : flatten([placed]);
}

interface PdfContent {
  title: string;
  /** When the content was made, in milliseconds. */
  createdAt: number;
  pages: readonly { title: string; description: string; markdown: string }[];
}

/** A line of text as it is drawn: of letters that are bytes of Windows-1252. */
interface Line {
  text: string;
  /** In points. */
  size: number;
  bold?: boolean;
}

/** A4 and its margins, in points. */
const [sheetWidth, sheetHeight, margin] = [595, 842, 56];
const lineHeight = 1.4;
/** By level of the heading. */
const headingSizes = [10, 16, 14, 12, 11, 10, 10];

/**
 * The text of pages as a PDF 1.4, each page on a new sheet: titles, descriptions, headings and lines, without images
 * and links. Set in Helvetica, which every reader has, so characters outside of Windows-1252 become `?`; the last
 * sheet then says so.
 */
export function writePdf({ title, createdAt, pages }: PdfContent): Uint8Array {
  const paged = pages.length === 0 ? [[]] : pages.map(linesOfPage);
  const isLossy = paged.flat().some(({ text }) => text.includes(missing));
  const note = wrapped('Characters outside of Windows-1252 are shown as ?.', { size: 8 });
  if (isLossy) paged.at(-1)?.push({ text: '', size: 10 }, ...note);
  const sheets = paged.flatMap(sheetsOf);
  const dateTime = new Date(createdAt).toISOString().replaceAll(/[-:T]|\..*/g, '');
  const [firstSheet, each] = [6, 2];
  const sheetRefs = sheets.map((_, index) => `${firstSheet + each * index} 0 R`);
  return fileOf([
    '/Type /Catalog /Pages 2 0 R',
    `/Type /Pages /Count ${sheets.length} /Kids [${sheetRefs.join(' ')}] /MediaBox [0 0 ${sheetWidth} ${sheetHeight}]
/Resources << /Font << /F1 4 0 R /F2 5 0 R >> >>`,
    `/Title <${utf16(title)}> /Producer (docs sandbox) /CreationDate (D:${dateTime}Z)`,
    '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding',
    '/Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding',
    ...sheets.flatMap((drawing, index) => [
      `/Type /Page /Parent 2 0 R /Contents ${firstSheet + each * index + 1} 0 R`,
      { stream: drawing },
    ]),
  ]);
}

/** @param objects numbered from 1: entries of a dictionary, or a stream; the catalog first, information third */
function fileOf(objects: readonly (string | { stream: string })[]): Uint8Array {
  // The comment of high bytes says that the file is not text.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  let table = '0000000000 65535 f \n';
  for (const [index, object] of objects.entries()) {
    // A letter is a byte.
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`;
    const body =
      typeof object === 'string'
        ? `<< ${object} >>`
        : `<< /Length ${object.stream.length} >>\nstream\n${object.stream}\nendstream`;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n${table}${trailer}`, 'latin1');
}

function utf16(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');
}

function linesOfPage({ title, description, markdown }: PdfContent['pages'][number]): Line[] {
  const sections = sectionsOf(markdown).flatMap(({ title: heading, level, markdown: text }) => {
    const lines = Array.from(linesOf(text), ({ line, code }) => (code ? line : plainText(line)));
    const body = lines
      .join('\n')
      .trim()
      .replaceAll(/\n{3,}/g, '\n\n')
      .split('\n');
    const head = level === 0 ? [] : wrapped(heading, { size: headingSizes[level] ?? 10, bold: true });
    return [{ text: '', size: 10 }, ...head, ...body.flatMap((line) => wrapped(line, { size: 10 }))];
  });
  const above = description === '' ? [] : wrapped(description, { size: 11 });
  return [...wrapped(title, { size: 22, bold: true }), ...above, ...sections];
}

/** The drawings of as many sheets as the lines take. */
function sheetsOf(lines: readonly Line[]): string[] {
  const sheets: string[] = [];
  let [drawing, y] = ['', sheetHeight - margin];
  for (const { text, size, bold } of lines) {
    if (y - size * lineHeight < margin) {
      sheets.push(drawing);
      [drawing, y] = ['', sheetHeight - margin];
    }
    y -= size * lineHeight;
    const shown = text.replaceAll(missing, '?').replaceAll(/[\\()]/g, '\\$&');
    if (shown !== '')
      drawing += `BT /F${bold ? 2 : 1} ${size} Tf ${margin} ${y.toFixed(1)} Td (${shown}) Tj ET\n`;
  }
  return [...sheets, drawing];
}

/** A text as lines that fit between the margins, broken at spaces; a word that is too long is cut. */
function wrapped(text: string, { size, bold = false }: Omit<Line, 'text'>): Line[] {
  // Bold letters are up to a tenth wider.
  const most = (sheetWidth - 2 * margin) / size / (bold ? 1.1 : 1);
  const lines: Line[] = [];
  let rest = lettersOf(text).trimEnd();
  do {
    const fits = Math.max(fittingLetters(rest, most), 1);
    const space = fits < rest.length ? rest.lastIndexOf(' ', fits) : -1;
    const end = space > 0 ? space : fits;
    lines.push({ text: rest.slice(0, end), size, bold });
    rest = rest.slice(end).trimStart();
  } while (rest !== '');
  return lines;
}

function fittingLetters(text: string, mostEms: number): number {
  let width = 0;
  for (let index = 0; index < text.length; index += 1) {
    width += widthOf(text.charAt(index));
    if (width > mostEms) return index;
  }
  return text.length;
}

/** Widths of Helvetica from the space to the tilde, in 1/1000 em. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** In em. A letter with an accent is as wide as without; other signs are at most as wide as one em. */
function widthOf(letter: string): number {
  return (widths[letter.normalize('NFD').charCodeAt(0) - 0x20] ?? 1000) / 1000;
}

/** Stands for a character that Windows-1252 lacks. */
const missing = '\x7f';

/** A text in letters that are bytes of Windows-1252; what is not seen, such as a variation selector, is left out. */
function lettersOf(text: string): string {
  const seen = text
    .normalize('NFC')
    .replaceAll('\t', '    ')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, '');
  return seen.replaceAll(/[^ -~\xa0-\xff]/gu, (letter) => {
    const index = windows1252.indexOf(letter);
    return index === -1 ? missing : String.fromCharCode(0x80 + index);
  });
}
