import { type Cell, type ColumnKind, type TablePart, tablePart } from '../document/document.js';
import { columnText, columnValue } from '../output/cells.js';
import {
  type ColumnSource,
  type Kind,
  type ResolvedColumn,
  resolveColumns,
  sentenceLabel,
} from '../output/columns.js';

/** Rows as a terminal lists them, as a table of a page: the same columns. */

/** Kinds of columns that a page writes otherwise than as text; the others are texts as in a pipe. */
const kinds: Partial<Record<Kind, ColumnKind>> = {
  role: 'role',
  state: 'state',
  age: 'time',
  bytes: 'bytes',
  count: 'count',
  yesno: 'yesno',
  id: 'id',
};

/**
 * @param title what the command is for
 * @param items rows, or a single value
 */
export function rowsPart(title: string, items: readonly unknown[], view: ColumnSource): TablePart {
  const columns = resolveColumns(view, undefined);
  const named = Object.fromEntries(
    columns.map((column) => [sentenceLabel(column.label), kindOf(column, items)] as const),
  );
  const rows = items.map((item) =>
    columns.map((column) => cellOf(columnValue(item, column), columnText(item, column))),
  );
  return tablePart(title, named, { rows, empty: 'Nothing was found.' });
}

/** As declared, or a time where all values are. */
function kindOf(column: ResolvedColumn, items: readonly unknown[]): ColumnKind {
  const declared = kinds[column.as ?? 'text'];
  if (declared !== undefined) return declared;
  const texts = items.map((item) => columnText(item, column)).filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => isoTime.test(text)) ? 'time' : 'text';
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function cellOf(value: unknown, text: string): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return text === '' ? null : text;
}
