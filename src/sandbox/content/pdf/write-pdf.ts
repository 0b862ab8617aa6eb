import PDFDocument from 'pdfkit';
import { markdownTree } from '../markdown-tree.js';
import { writeBlocks } from './blocks.js';
import { Fonts } from './fonts.js';
import type { Picture } from './pictures.js';
import type { Targets } from './runs.js';
import { Sheet } from './sheet.js';

/** A page of the space, with what its links and images are. */
export interface PdfPage extends Targets {
  id: string;
  title: string;
  description: string;
  /** 0 at the top. */
  level: number;
  cover: Picture | undefined;
  markdown: string;
}

export interface PdfContent {
  title: string;
  /** When the content was made, in milliseconds. */
  createdAt: number;
  pages: readonly PdfPage[];
}

const sizes = { title: 22, description: 11, note: 8 };

/**
 * A PDF of pages: A4, each on a new sheet, with their images, links and an outline. The fonts come with the
 * program, those of Chinese, Japanese and Korean from the system. What no font has becomes a box, and the last
 * sheet says which characters these are.
 * @param fontFolders where fonts of the system are looked for
 */
export async function writePdf(content: PdfContent, fontFolders: readonly string[]): Promise<Uint8Array> {
  const { title, createdAt, pages } = content;
  const doc = new PDFDocument({
    size: 'A4',
    margin: 56,
    autoFirstPage: false,
    // Without a font of its own, so that no standard font, which has Latin-1 only, is loaded.
    font: '',
    displayTitle: true,
    info: {
      Title: title,
      Producer: 'docs sandbox',
      Creator: 'docs sandbox',
      CreationDate: new Date(createdAt),
    },
  });
  const bytes = collect(doc);
  const sheet = new Sheet(doc, new Fonts(fontFolders));
  const outline = [doc.outline];
  for (const page of pages) writePage(sheet, page, outline);
  if (pages.length === 0) doc.addPage();
  nameMissing(sheet);
  doc.end();
  return bytes;
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}

/** @param outline the entries above, by level; the entry of the page is put below its parent's */
function writePage(sheet: Sheet, page: PdfPage, outline: PDFKit.PDFOutline[]): void {
  const { doc, fonts } = sheet;
  doc.addPage();
  doc.addNamedDestination(page.id);
  const parent = outline[Math.min(page.level, outline.length - 1)] ?? doc.outline;
  outline.splice(page.level + 1, outline.length, parent.addItem(page.title));
  if (page.cover !== undefined) sheet.picture(page.cover);
  sheet.text(fonts.pieces(page.title, { bold: true }), { size: sizes.title });
  if (page.description !== '') {
    sheet.text(fonts.pieces(page.description, { italic: true }), { size: sizes.description, color: 'gray' });
  }
  sheet.gap(10);
  writeBlocks(sheet, markdownTree(page.markdown), page);
}

const mostNamed = 40;

function nameMissing({ doc, fonts }: Sheet): void {
  if (fonts.missing.size === 0) return;
  const codes = [...fonts.missing].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase());
  const named = codes
    .sort()
    .slice(0, mostNamed)
    .map((code) => `U+${code.padStart(4, '0')}`);
  const more = codes.length > mostNamed ? ` and ${codes.length - mostNamed} more` : '';
  const sheet = new Sheet(doc, new Fonts([]));
  sheet.gap(16);
  const note = `No font on this system has these characters, shown as □: ${named.join(', ')}${more}.`;
  sheet.text(sheet.fonts.pieces(note), { size: sizes.note, color: 'gray' });
}
