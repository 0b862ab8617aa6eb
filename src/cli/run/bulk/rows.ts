import { DocsError, usageError } from '../../../errors.js';
import type { Mistake, Row, Rows } from '../../../jobs/rows.js';
import type { Command, ManualInput } from '../../declare/command.js';
import type { Session } from '../../declare/session.js';
import { assemble, type PlannedCall } from '../assemble.js';
import type { LeftOut } from '../job-results.js';
import { type Columns, inputOf } from './columns.js';

/** Turns rows into requests, as a typed command would be; mistakes are reported with line and column. */

export interface CheckedRows {
  calls: PlannedCall[];
  inputs: ManualInput[];
  /** The index of the row of each call. */
  indexes: number[];
  mistakes: Mistake[];
  /** The rows with mistakes. */
  leftOut: LeftOut[];
}

/** Assembles and checks every row; nothing is sent. */
export async function checkRows(
  session: Session,
  command: Command,
  columns: Columns,
  rows: Rows,
  constant: ReadonlyMap<string, string[]>,
  base: ManualInput,
): Promise<CheckedRows> {
  const checked: CheckedRows = { calls: [], inputs: [], indexes: [], mistakes: [], leftOut: [] };
  const unattended: Session = { ...session, interactive: false, attended: false };
  for (const [index, row] of rows.rows.entries()) {
    try {
      const input = inputOf(command, columns, row, constant, base);
      const [call] = (await assemble(unattended, command, input)).calls;
      if (call === undefined) throw usageError('empty_row', 'This row has no id.');
      checked.calls.push(call);
      checked.inputs.push(input);
      checked.indexes.push(index);
    } catch (cause) {
      if (!(cause instanceof DocsError) || cause.kind !== 'usage') throw cause;
      checked.mistakes.push(...mistakesOf(cause, command, columns, rows, row));
      const first = row.cells[0]?.value;
      checked.leftOut.push({ index, id: typeof first === 'string' ? first : '', error: cause });
    }
  }
  return checked;
}

/** Each issue of a row with its place: the column that holds it, or that lacks it. */
function mistakesOf(cause: DocsError, command: Command, columns: Columns, rows: Rows, row: Row): Mistake[] {
  const { issues, column } = (cause.failure.details ?? {}) as {
    issues?: { field: string; message: string }[];
    column?: number;
  };
  const { line } = row;
  const place = (name: string | undefined) => placeOf(columns, rows, row, name);
  if (issues === undefined) {
    const named = namedIn(cause.message);
    const found = column === undefined ? place(named) : { column };
    // What else a missing positional says is for who types it.
    const missing = cause.code === 'missing_argument' && named !== undefined;
    return [{ line, ...found, message: missing ? `${named} is required.` : plain(cause.message) }];
  }
  return issues.map(({ field, message: said }) => {
    const name = nameOfField(command, field);
    // The whole sentence of a single issue tells what was given, too.
    const message = issues.length === 1 ? plain(cause.message) : `${name ?? field} ${said}.`;
    return { line, ...place(name), message };
  });
}

/** The first flag or positional that a message names. */
function namedIn(message: string): string | undefined {
  const found = /--([\w-]+)|<([\w=-]+)>/.exec(message);
  return found?.[1] ?? found?.[2];
}

/** In a file there are columns, not flags. */
function plain(message: string): string {
  return message.replaceAll(/--([a-z][\w-]*)/g, '$1').replaceAll(/<([\w=-]+)>/g, '$1');
}

function nameOfField(command: Command, field: string): string | undefined {
  const top = field.split('.')[0];
  const fills = (one: { field?: string }) =>
    one.field === field || one.field === top || one.field?.startsWith(`${field}.`);
  return (command.args.find(fills) ?? command.options.find(fills))?.name;
}

function placeOf(
  columns: Columns,
  { header }: Rows,
  row: Row,
  name: string | undefined,
): { column?: number; name?: string } {
  if (name === undefined) return {};
  const target = columns.of(name);
  const here = (cell: { name: string }) => JSON.stringify(columns.of(cell.name)) === JSON.stringify(target);
  const column = (row.cells.find(here) ?? header?.cells.find(here))?.column;
  return { name, ...(column !== undefined && column > 0 && { column }) };
}
