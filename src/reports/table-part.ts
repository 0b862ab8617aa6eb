import type { ColumnKind, TablePart } from './report.js';

/** A table part, its columns as label and kind. */
export function tablePart(
  title: string,
  columns: readonly (readonly [label: string, as: ColumnKind])[],
  { rows, empty, note }: Pick<TablePart, 'rows' | 'empty' | 'note'>,
): TablePart {
  const named = columns.map(([label, as]) => ({ label, as }));
  return { kind: 'table', title, columns: named, rows, empty, ...(note !== undefined && { note }) };
}
