import type { TablePart } from '../../../document/document.js';
import { textOf } from './cells.js';
import type { Row } from './model.js';

/** Characters of the narrowest and the widest column. */
const [narrowest, widest] = [6, 42];
/** Rows that are measured: the widths shall not wait for thousands. */
const measured = 400;

/** Widths of columns, in characters, that stay as rows come and go. */
export function widthsOf({ columns, rows }: Pick<TablePart, 'columns' | 'rows'>): number[] {
  const step = Math.max(1, Math.floor(rows.length / measured));
  const sample = rows.filter((_row, at) => at % step === 0);
  return columns.map(({ label, as }, at) => {
    const lengths = sample.map((row) => longestLine(textOf(row[at], as))).sort((one, other) => one - other);
    // One long text shall not make its column wide: it wraps.
    const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
    const text = as === 'time' ? 16 : Math.ceil(usual * 1.1);
    // Beside the text: space on both sides, and the border of a badge.
    const needed = Math.max(text, label.length + 2) + (as === 'role' || as === 'state' ? 5 : 4);
    return Math.min(widest, Math.max(narrowest, needed));
  });
}

/** Pixels of a row without its lines, and of each line. */
const [rowHeight, lineHeight] = [14, 21.6];

/** How high a row will about be, in pixels. @param widths of `widthsOf` */
export function heightOf(
  row: Row,
  { columns }: Pick<TablePart, 'columns'>,
  widths: readonly number[],
): number {
  const lines = columns.map(({ as }, at) => {
    const space = Math.max(1, (widths[at] ?? 1) - 3);
    const texts = textOf(row[at], as).split('\n');
    return texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / space)), 0);
  });
  return rowHeight + lineHeight * Math.max(1, ...lines);
}

function longestLine(text: string): number {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}
