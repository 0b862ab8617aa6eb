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

/** cli-table3 compares every row with all rows above it: a few at a time keep that linear. */
const rowsAtOnce = 16;

/** Nothing is drawn but the gap between two columns. */
const chars = {
  ...{ top: '', 'top-left': '', 'top-mid': '', 'top-right': '' },
  ...{ mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  ...{ bottom: '', 'bottom-left': '', 'bottom-mid': '', 'bottom-right': '' },
  ...{ left: '', middle: ' '.repeat(gap), right: '' },
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
/**
 * Never printed, for all cells fit. cli-table3 cuts each cell to 10 columns for a log of its own, a
 * character at a time; a mark as wide as that leaves it nothing to cut.
 */
const truncate = '…'.repeat(10);

/** Loads cli-table3. */
export async function loadDraw(): Promise<Draw> {
  const { default: Table } = await import('cli-table3');
  return (rows, aligned = []) =>
    alike(rows)
      .flatMap(({ cells, widths }) => {
        const table = new Table({ chars, style, truncate, colWidths: [...widths], colAligns: [...aligned] });
        table.push(...cells);
        return table.toString().split('\n');
      })
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
}

/** Neighbouring rows of the same widths, a few at a time. */
function alike(rows: readonly Row[]): { cells: string[][]; widths: readonly number[] }[] {
  const groups: { cells: string[][]; widths: readonly number[] }[] = [];
  for (const { cells, widths } of rows) {
    const group = groups.at(-1);
    const fits =
      group !== undefined && group.cells.length < rowsAtOnce && String(group.widths) === String(widths);
    if (fits) group.cells.push([...cells]);
    else groups.push({ cells: [[...cells]], widths });
  }
  return groups;
}
