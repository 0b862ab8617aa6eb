import type { Client } from '../../../api/client.js';
import { DocsError, usageError } from '../../../base/errors.js';
import type { Mistake, Row, Rows } from '../../../jobs/rows.js';
import { rememberingClient } from '../../../snapshot/remembering-client.js';
import type { Command, ManualInput } from '../../declare/command.js';
import type { Session } from '../../declare/session.js';
import { resolveIds } from '../../resolve/resolve-ids.js';
import { assemble } from '../assemble.js';
import type { CheckedRows } from './checked-rows.js';
import { type Columns, idIn, inputOf } from './columns.js';
import { withoutContradictions } from './contradictions.js';

/** Turns rows into requests, as a typed command would be; mistakes are reported with line and column. */

/** Assembles and checks every row; nothing is sent. */
export async function checkRows(
  session: Session,
  command: Command,
  columns: Columns,
  rows: Rows,
  constant: ReadonlyMap<string, string[]>,
  base: ManualInput,
): Promise<CheckedRows> {
  const checked: CheckedRows = { calls: [], inputs: [], indexes: [], mistakes: [], leftOut: [], repeats: [] };
  const unattended = unattendedIn(session);
  for (const [index, row] of rows.rows.entries()) {
    try {
      const typed = inputOf(command, columns, row, constant, base);
      const { session: filled, input } = await resolveIds(unattended, command, typed, async () => {});
      const [call] = (await assemble(filled, command, input)).calls;
      if (call === undefined) throw usageError('empty_row', 'This row has no id.');
      checked.calls.push(call);
      checked.inputs.push(input);
      checked.indexes.push(index);
    } catch (cause) {
      if (!(cause instanceof DocsError) || !isMistake(cause)) throw cause;
      checked.mistakes.push(...mistakesOf(cause, command, columns, rows, row));
      checked.leftOut.push({ index, id: idIn(command, columns, row, constant), error: cause });
    }
  }
  const place = (row: Row, field: string) => placeOf(columns, rows, row, nameOfField(command, field));
  return withoutContradictions(checked, rows.rows, place);
}

/** Of a row, not of the platform or the session. */
function isMistake({ kind, code }: DocsError): boolean {
  return kind === 'usage' || code === 'unknown_title';
}

/** Nobody is asked, and what names many rows is looked up once. */
function unattendedIn(session: Session): Session {
  let client: Promise<Client> | undefined;
  return {
    ...session,
    interactive: false,
    client: (use) => {
      client ??= session.client(use).then(rememberingClient);
      return client;
    },
  };
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
