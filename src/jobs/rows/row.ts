import { usageError } from '../../base/errors.js';

export interface Cell {
  name: string;
  /** A text from CSV, any value from JSON. */
  value: unknown;
  /** From 1: the field of a CSV row, or the character of a JSON line where its key begins. */
  column: number;
  /** Whether its text may mean null, as on a command line; JSON tells null and "null" apart. */
  typed?: true;
}

export interface Row {
  /** The line of the file on which it begins, from 1. */
  line: number;
  cells: readonly Cell[];
}

export interface Rows {
  /** The columns of the first line; undefined for JSON, where each row has its own. */
  header?: { line: number; cells: readonly { name: string; column: number }[] };
  rows: readonly Row[];
  /** Cells that lost blanks at their ends. */
  trimmed?: number;
}

/** The error for a file of which no row can be used. */
export function badRows(line: number, what: string) {
  return usageError('bad_rows', `Line ${line}: ${what}; nothing was sent.`, { details: { line } });
}

export interface Mistake {
  line: number;
  /** The column at fault, from 1; undefined where the row as a whole is. */
  column?: number;
  name?: string;
  message: string;
}

/** `Line 4, column 2 (role): must be …` */
export function mistakeWords({ line, column, name, message }: Mistake): string {
  const named = name === undefined ? '' : ` (${name})`;
  const at = column === undefined ? '' : `, column ${column}${named}`;
  return `Line ${line}${at}: ${message}`;
}
