import { gap } from './fit-columns.js';

/** Cells side by side in one line, each with the width it was cut to. */
export interface Row {
  /** Cleaned and coloured. */
  cells: readonly string[];
  /** Terminal columns of each cell. */
  widths: readonly number[];
}

/** Draws rows, each as one line that does not end in spaces. */
export type Draw = (rows: readonly Row[], aligned?: readonly ('left' | 'right')[]) => string;

/** Rows go to cli-table3 as lines of one row, some twenty times cheaper; its cost grows with their number. */
const rowsAtOnce = 16;

/** Nothing is drawn but the gap between two columns. */
const borders = ['top', 'mid', 'bottom', 'left', 'right'].flatMap((side) =>
  [side, `${side}-left`, `${side}-mid`, `${side}-right`].map((name) => [name, '']),
);
const chars: Record<string, string> = { ...Object.fromEntries(borders), middle: ' '.repeat(gap) };
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
/** Never printed: all cells fit. cli-table3 cuts each to 10 columns for a log; so wide a mark saves that. */
const truncate = '…'.repeat(10);

/** Loads cli-table3. */
export async function loadDraw(): Promise<Draw> {
  const { default: Table } = await import('cli-table3');
  return (rows, aligned = []) =>
    alike(rows)
      .flatMap(({ columns, widths }) => {
        const table = new Table({ chars, style, truncate, colWidths: [...widths], colAligns: [...aligned] });
        table.push(columns.map((lines) => lines.join('\n')));
        return table.toString().split('\n');
      })
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
}

/** Neighbouring rows of the same widths, a few at a time, as columns. */
function alike(rows: readonly Row[]): { columns: string[][]; widths: readonly number[] }[] {
  const groups: { columns: string[][]; widths: readonly number[] }[] = [];
  for (const { cells, widths } of rows) {
    const group = groups.at(-1);
    const room = (group?.columns[0]?.length ?? 0) < rowsAtOnce;
    if (group !== undefined && room && String(group.widths) === String(widths)) {
      group.columns.forEach((column, index) => {
        column.push(cells[index] ?? '');
      });
    } else groups.push({ columns: cells.map((cell) => [cell]), widths });
  }
  return groups;
}
