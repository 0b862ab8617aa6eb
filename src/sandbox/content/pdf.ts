export interface PdfLine {
  text: string;
  bold?: boolean;
}

const [columns, rows] = [80, 56];
/** In points. Characters are 0.6 of the font size wide, so 80 columns fill the width between the margins. */
const [pageWidth, pageHeight, fontSize, leading, margin] = [595, 842, 10, 13, 56];
/** Id of the first object after catalog, tree of pages and fonts. */
const firstFree = 5;

/**
 * A PDF of plain text: A4, fixed-width font, long lines wrapped, each page on a new sheet. Characters that
 * WinAnsi lacks become question marks.
 */
export function writePdf(title: string, pages: readonly (readonly PdfLine[])[]): Uint8Array {
  const sheets = pages.flatMap((lines) => sheetsOf(lines.flatMap(wrap)));
  const ids = sheets.map((_, index) => firstFree + 2 * index);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] /Count ${ids.length} >>`,
    font('Courier'),
    font('Courier-Bold'),
    ...sheets.flatMap((lines, index) => sheet(lines, (ids[index] ?? 0) + 1)),
  ];
  const info = `<< /Title (${pdfString(title)}) >>`;
  return assemble([...objects, info]);
}

function sheetsOf(lines: readonly PdfLine[]): PdfLine[][] {
  const count = Math.max(1, Math.ceil(lines.length / rows));
  return Array.from({ length: count }, (_, index) => lines.slice(index * rows, (index + 1) * rows));
}

function sheet(lines: readonly PdfLine[], contentId: number): [page: string, content: string] {
  const resources = '<< /Font << /F1 3 0 R /F2 4 0 R >> >>';
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Resources ${resources} /Contents ${contentId} 0 R >>`;
  const shown = (lines.length === 0 ? [{ text: '', bold: false }] : lines).map(
    ({ text, bold }) => `/F${bold ? 2 : 1} ${fontSize} Tf (${pdfString(text)}) Tj T*`,
  );
  const stream = `BT ${leading} TL ${margin} ${pageHeight - margin - fontSize} Td\n${shown.join('\n')}\nET`;
  return [page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`];
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

/** The file: objects numbered from 1, their offsets, the catalog and the title. */
function assemble(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  return Buffer.from(`${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF\n`, 'latin1');
}

function wrap({ text, ...style }: PdfLine): PdfLine[] {
  const lines: PdfLine[] = [];
  let rest = [...text.replaceAll('\t', '    ')];
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > 0 ? space : columns;
    lines.push({ ...style, text: rest.slice(0, end).join('') });
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, { ...style, text: rest.join('') }];
}

/** WinAnsi between 0x80 and 0x9f, where it differs from Latin-1. */
const winAnsi = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** A PDF string in WinAnsi, one JavaScript character a byte. */
function pdfString(text: string): string {
  const bytes = [...text.normalize('NFC')].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x20) return ' ';
    if (code < 0x7f || (code >= 0xa0 && code <= 0xff)) return letter;
    const special = winAnsi.indexOf(letter);
    return special === -1 || code < 0xa0 ? '?' : String.fromCharCode(0x80 + special);
  });
  return bytes.join('').replaceAll(/[\\()]/g, '\\$&');
}
