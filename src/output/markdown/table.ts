import type { Table, TableRow } from 'mdast';
import type { Draw, Row } from '../draw.js';
import { gap } from '../fit-columns.js';
import { widthOf, wrap } from '../text-width.js';
import { type MarkdownLook, wordsOf } from './phrasing.js';

/** Narrower columns say nothing: each row is then a list of its cells. */
const leastColumns = 8;

/** A table as lines that fit: cells are wrapped; one of too many columns becomes a list for each row. */
export function tableLines(table: Table, columns: number, look: MarkdownLook, draw: Draw): string[] {
  const [head, ...body] = table.children.map((row) => cellsOf(row));
  if (head === undefined) return [];
  const widths = widthsOf([head, ...body], columns);
  if (widths === undefined) return body.flatMap((cells) => recordLines(head, cells, columns, look));
  const aligned = head.map((_, at) => (table.align?.[at] === 'right' ? 'right' : 'left'));
  const rows = [
    ...rowLines(head, widths).map(({ cells }) => ({
      cells: cells.map((cell) => look.heading(cell)),
      widths,
    })),
    { cells: widths.map((width) => look.quiet('─'.repeat(width))), widths },
    ...body.flatMap((cells) => rowLines(cells, widths)),
  ];
  return draw(rows, aligned).trimEnd().split('\n');
}

function cellsOf({ children }: TableRow): string[] {
  return children.map((cell) => wordsOf(cell).replaceAll(/\s+/g, ' '));
}

/** Natural widths, the widest cut to a common one where the window is too narrow. */
function widthsOf(rows: readonly (readonly string[])[], columns: number): number[] | undefined {
  const natural = (rows[0] ?? []).map((_, at) =>
    rows.reduce((most, cells) => Math.max(most, widthOf((cells[at] ?? '').slice(0, columns * 2))), 1),
  );
  const room = columns - gap * (natural.length - 1);
  const taken = (cap: number) => natural.reduce((sum, width) => sum + Math.min(width, cap), 0);
  let cap = columns;
  while (cap >= leastColumns && taken(cap) > room) cap -= 1;
  return taken(cap) > room ? undefined : natural.map((width) => Math.min(width, cap));
}

/** A row of wrapped cells as rows of one line each. */
function rowLines(cells: readonly string[], widths: readonly number[]): Row[] {
  const wrapped = widths.map((width, at) => wrap(cells[at] ?? '', width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => ({
    cells: wrapped.map((lines) => lines[line] ?? ''),
    widths,
  }));
}

function recordLines(
  head: readonly string[],
  cells: readonly string[],
  columns: number,
  look: MarkdownLook,
): string[] {
  const lines = cells.flatMap((cell, at) => {
    const [first = '', ...more] = wrap(`${head[at] ?? ''}: ${cell}`, columns);
    const label = `${head[at] ?? ''}:`;
    return [first.startsWith(label) ? look.heading(label) + first.slice(label.length) : first, ...more];
  });
  return [...lines, ''];
}
