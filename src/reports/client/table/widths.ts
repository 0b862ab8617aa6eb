import type { TablePart } from '../../report.js';
import { isNumeric, textOf } from './cells.js';

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
    const text = as === 'time' ? 16 : Math.ceil(usual * (as === 'id' ? 1.1 : 1));
    const needed = Math.max(text, label.length + 2) + (isNumeric(as) ? 1 : 3);
    return Math.min(widest, Math.max(narrowest, needed));
  });
}

function longestLine(text: string): number {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}
