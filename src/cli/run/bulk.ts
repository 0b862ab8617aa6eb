import type { Client } from '../../api/client.js';

import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { formatJson, isJsonObject, RawNumber } from '../../api/transport/json-text.js';
import { DocsError, usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { defined } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import { type Cell, type Mistake, mistakeWords, type Row, type Rows } from '../../jobs/rows.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { counted } from '../../output/text.js';
import { rememberingClient } from '../../snapshot/organization.js';
import {
  type Argument,
  type Command,
  camel,
  type GroupEntry,
  type ManualInput,
  type Option,
} from '../declare/command.js';
import { contextFlags } from '../declare/global-flags.js';
import { commandAt } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { manyArgument } from '../declare/told.js';
import { namedCommand } from '../parse/suggest.js';
import { typedNull } from '../parse/values.js';
import { resolveIds } from '../resolve/resolve-ids.js';
import { assemble } from './assemble.js';
import { type AskedChange, changeByOperation } from './operation-proposal.js';
import { warnReader } from './output.js';
import type { LeftOut } from './proposal.js';
import { readRowsFile } from './typed-files.js';

/**
 * `docs bulk`: runs a command for each row of a file, as one job.
 * @throws DocsError usage where the command or a row is wrong: nothing was sent; as `changeByOperation`
 */
export async function runBulk(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { args, options } = input;
  const path = await namedCommand([args.command ?? []].flat(), groups, session.io.platform);
  const { command, ...place } = await commandAt(groups, path);
  refuseUnfit(command, path);
  if (session.gate !== undefined) {
    const { passGate } = await import('./policy-gate.js');
    await passGate(session, path, command, { args: {}, options: {} });
  }
  if (typeof options.from !== 'string')
    throw usageError('missing_flag', '--from is required: a file with the rows, or -');
  const keepBlanks = options.keepBlanks === true;
  const { rows, source } = await readRowsFile(session, options.from, '--from', { keepBlanks });
  tellBlanks(session, rows, keepBlanks);
  const columns = columnsOf(command);
  const constant = constants(input, columns.known);
  checkColumns(command, columns, rows, [...constant.keys()]);
  if (rows.rows.length === 0 && options.allowEmpty !== true)
    throw usageError('no_items', 'there are no rows; add --allow-empty if that is intended');
  const base = { args: {}, options: {}, ...place };
  const checked = await checkRows(session, command, columns, rows, constant, base);
  refuseMistakes(session, checked, rows.rows.length, options.skipInvalid === true);
  warnReader(session, checked.repeats.map(mistakeWords));
  const { asked, leftOut } = checked;
  const calls = asked.map(({ call }) => call);
  const more = { asked, leftOut, source };
  await changeByOperation(session, command, { calls, many: true }, { ...base, options }, more);
}

/** Blanks belong to CSV, whose cells have no quotes to show them. @throws usage `contradiction` for JSON */
function tellBlanks(session: Session, { header, trimmed = 0 }: Rows, keepBlanks: boolean): void {
  if (keepBlanks && header === undefined)
    throw usageError(
      'contradiction',
      '--keep-blanks is for CSV and TSV; the texts of JSON keep their blanks',
    );
  if (trimmed > 0)
    session.printer.note(
      `Removed blanks at the ends of ${counted(trimmed, 'cell')}; --keep-blanks keeps them.`,
    );
}

function refuseUnfit(command: Command, path: string): void {
  const changes = command.spec !== undefined && command.operations.every(({ method }) => method !== 'GET');
  if (changes) return;
  const message = `docs ${path} changes nothing on the platform, so it cannot be run in bulk`;
  throw usageError('not_bulk', message, { hint: 'docs commands' });
}

/** `--set role=read`: a value for every row. */
function constants({ options }: ManualInput, known: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of (options.set as string[] | undefined) ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (!known.includes(name)) {
      const what =
        at < 1
          ? 'expected column=value'
          : `${name} is not a positional or flag of this command; known: ${known.join(', ')}`;
      throw usageError('bad_value', `--set ${JSON.stringify(pair)}: ${what}`);
    }
    values.set(name, [...(values.get(name) ?? []), pair.slice(at + 1)]);
  }
  return values;
}

/** Warns of every mistake; then the rows at fault are skipped, or nothing is sent. */
function refuseMistakes(
  session: Session,
  { mistakes, leftOut }: CheckedRows,
  total: number,
  skip: boolean,
): void {
  const [first] = mistakes;
  if (first === undefined) return;
  warnReader(session, mistakes.map(mistakeWords));
  if (skip) {
    session.printer.note(`Skipped ${leftOut.length} of ${counted(total, 'row')} with mistakes.`);
    return;
  }
  const rows = `${leftOut.length} of ${total} rows ${leftOut.length === 1 ? 'has a mistake' : 'have mistakes'}`;
  throw usageError('bad_rows', `${rows}; nothing was sent. ${mistakeWords(first)}`, {
    details: { mistakes },
  });
}

/** Turns rows into requests, as a typed command would be; mistakes are reported with line and column. */

/** Assembles and checks every row; nothing is sent. */
async function checkRows(
  session: Session,
  command: Command,
  columns: Columns,
  rows: Rows,
  constant: ReadonlyMap<string, string[]>,
  base: ManualInput,
): Promise<CheckedRows> {
  const checked: CheckedRows = { asked: [], mistakes: [], leftOut: [], repeats: [] };
  const unattended = unattendedIn(session);
  for (const [index, row] of rows.rows.entries()) {
    try {
      const typed = inputOf(command, columns, row, constant, base);
      const { session: filled, input } = await resolveIds(unattended, command, typed, async () => {});
      const [call] = (await assemble(filled, command, input)).calls;
      if (call === undefined) throw usageError('empty_row', 'this row has no id');
      checked.asked.push({ index, call, input });
    } catch (cause) {
      // Of a row, not of the platform or the session.
      const isMistake =
        cause instanceof DocsError && (cause.kind === 'usage' || cause.code === 'unknown_title');
      if (!isMistake) throw cause;
      checked.mistakes.push(...mistakesOf(cause, command, columns, rows, row));
      checked.leftOut.push({ index, id: idIn(command, columns, row, constant), error: cause });
    }
  }
  const place = (row: Row, field: string) => placeOf(columns, rows, row, nameOfField(command, field));
  return withoutContradictions(checked, rows.rows, place);
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
    return [{ line, ...found, message: missing ? `${named} is required` : plain(cause.message) }];
  }
  return issues.map(({ field, message: said }) => {
    const name = nameOfField(command, field);
    // The whole sentence of a single issue tells what was given, too.
    const message = issues.length === 1 ? plain(cause.message) : `${name ?? field} ${said}`;
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
  const here = (cell: { name: string }) => columns.of(cell.name) === target;
  const column = (row.cells.find(here) ?? header?.cells.find(here))?.column;
  return { name, ...(column !== undefined && column > 0 && { column }) };
}

/** Rows about the same resource: what they set must not differ, since the last would win in silence. */

/** What an earlier row sets: as JSON, and where. */
interface Set {
  value: string;
  index: number;
}

/** What the rows about one resource set, by field, and the whole requests. */
interface Known {
  fields: Map<string, Set>;
  requests: Map<string, number>;
}

/** Where a field of a row stands in the file. */
type PlaceOf = (row: Row, field: string) => Pick<Mistake, 'column' | 'name'>;

/** Moves rows that contradict each other to those with mistakes, and names those that repeat another. */
function withoutContradictions(checked: CheckedRows, rows: readonly Row[], placeOf: PlaceOf): CheckedRows {
  const resources = new Map<string, Known>();
  const wrong = new Map<number, Mistake>();
  const repeats: Mistake[] = [];
  for (const { index, call } of checked.asked) {
    if (!sets(call.op)) continue;
    const row = rows[index] as Row;
    const key = JSON.stringify([call.op.id, call.input.path]);
    const known = resources.get(key) ?? { fields: new Map(), requests: new Map() };
    resources.set(key, known);
    const request = formatJson([call.input.query, call.input.body]);
    const twin = known.requests.get(request);
    if (twin === undefined) known.requests.set(request, index);
    else repeats.push({ line: row.line, message: `repeats line ${rows[twin]?.line}.` });
    for (const [field, value] of fieldsOf(call)) {
      const first = known.fields.get(field);
      if (first === undefined) known.fields.set(field, { value, index });
      else if (first.value !== value) {
        const other = rows[first.index] as Row;
        const say = (here: Row, there: Row, own: string, its: string): Mistake => ({
          line: here.line,
          ...placeOf(here, field),
          message: `contradicts line ${there.line} for ${call.id}: ${own} here, ${its} there.`,
        });
        wrong.set(index, wrong.get(index) ?? say(row, other, value, first.value));
        wrong.set(first.index, wrong.get(first.index) ?? say(other, row, first.value, value));
      }
    }
  }
  return wrong.size === 0 ? { ...checked, repeats } : without(checked, wrong, repeats);
}

/** Whether a request sets what a resource is; others create one, or add to it. */
function sets(op: AnyOperation): boolean {
  return !ruleOf(op).creates && (op.method !== 'POST' || /\/(?:move|transfer)$/.test(op.path));
}

/** What a request sets, by dotted path. A list of a PUT adds to what is there, so two may differ. */
function fieldsOf({ op, input }: Change): [field: string, value: string][] {
  const found: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    } else if (!Array.isArray(value) || op.method === 'PATCH')
      found.push([path.join('.'), formatJson(value)]);
  };
  visit(input.body ?? {}, []);
  return found;
}

function without(
  { asked, mistakes, leftOut }: CheckedRows,
  wrong: ReadonlyMap<number, Mistake>,
  repeats: Mistake[],
): CheckedRows {
  const more = [...wrong].map(([index, { message, column }]) => {
    const id = asked.find((one) => one.index === index)?.call.id ?? '';
    return { index, id, error: usageError('contradictory_rows', message, { details: defined({ column }) }) };
  });
  return {
    asked: asked.filter(({ index }) => !wrong.has(index)),
    mistakes: [...mistakes, ...wrong.values()].sort((a, b) => a.line - b.line),
    leftOut: [...leftOut, ...more].sort((a, b) => a.index - b.index),
    repeats,
  };
}

/** The rows of a file as requests, and what is wrong with the others. */
interface CheckedRows {
  asked: AskedChange[];
  mistakes: Mistake[];
  /** The rows with mistakes. */
  leftOut: LeftOut[];
  /** The rows that say what an earlier one says. */
  repeats: Mistake[];
}

/** The columns of a file against a command: its positionals and flags, by their names. */

interface Columns {
  /** What a column fills, by its name as in the file. */
  of(name: string): Argument | Option | undefined;
  known: readonly string[];
}

function isOption(taker: Argument | Option): taker is Option {
  return 'nullable' in taker;
}

/** Flags that are the job's, or read further files; none of them is a row's. */
const notForRows = new Set('input limit page-size page concurrency fail-fast allow-empty again'.split(' '));

/** `--Email Domain` and `email_domain` mean `email-domain`. */
function normal(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^--/, '')
    .replace(/^<|>$/g, '')
    .replaceAll(/[\s_]+/g, '-');
}

function columnsOf(command: Command): Columns {
  const options = command.options.filter(
    ({ field, name }) => (field !== undefined || name === 'unset') && !notForRows.has(name),
  );
  const takers = new Map([...command.args, ...options].map((taker) => [taker.name, taker]));
  return { of: (name) => takers.get(normal(name)) ?? takers.get(name.trim()), known: [...takers.keys()] };
}

/** The id that names the item of a row, as its cells or the values for all rows say it; '' where none does. */
function idIn(command: Command, columns: Columns, row: Row, constant: ReadonlyMap<string, string[]>): string {
  const parameters = command.operations.map((op) => pathParameters(op.path).at(-1));
  const isId = (name: string) => {
    const { field } = columns.of(name) ?? {};
    return field !== undefined && parameters.includes(field);
  };
  const cell = row.cells.find(({ name }) => isId(name))?.value;
  const value = cell ?? [...constant].find(([name]) => isId(name))?.[1][0];
  const isText = typeof value === 'string' || typeof value === 'number' || value instanceof RawNumber;
  return isText ? String(value) : '';
}

/** @throws DocsError usage `unknown_column`, `repeated_column`, `missing_column` */
function checkColumns(command: Command, columns: Columns, rows: Rows, constant: readonly string[]): void {
  if (rows.header === undefined) return;
  const { cells, line } = rows.header;
  const seen = new Set<string>();
  for (const { name, column } of cells) {
    const taker = columns.of(name);
    if (taker === undefined) throw unknownColumn(columns, name, { line, column }, atLine(line, column));
    const repeated = seen.has(taker.name) && !isRepeatable(command, taker);
    if (repeated || constant.includes(taker.name))
      throw usageError(
        'repeated_column',
        `${atLine(line, column)}${JSON.stringify(name)} is given twice; nothing was sent`,
        { details: { line, column } },
      );
    seen.add(taker.name);
  }
  const missing = requiredNames(command).find((name) => !seen.has(name) && !constant.includes(name));
  if (missing !== undefined)
    throw usageError('missing_column', `line ${line}: column ${missing} is missing; nothing was sent`);
}

function requiredNames(command: Command): string[] {
  const inContext = new Set<string>(Object.values(contextFlags));
  const options = command.options.filter((option) => option.required && !inContext.has(option.name));
  return [...command.args.filter((arg) => arg.required), ...options].map(({ name }) => name);
}

/** Whether a column may come several times: each adds a value. An id is always one a row. */
function isRepeatable(command: Command, taker: Argument | Option): boolean {
  return taker.variadic && (isOption(taker) || manyArgument(command)?.name !== taker.name);
}

/** @param place where no row is named that has it: that of a row is added to all of its mistakes */
function unknownColumn({ known }: Columns, name: string, at: { line: number; column: number }, place = '') {
  const meant = nearest(normal(name), known);
  const near = didYouMean(meant) || `; known: ${known.join(', ')}`;
  const fault = `${JSON.stringify(name)} is not a positional or flag of this command${near}`;
  return usageError('unknown_column', place + fault, { details: { ...at, known: [...known] } });
}

function atLine(line: number, column: number): string {
  return `line ${line}, column ${column}: `;
}

/**
 * A row as what would be typed. Texts are what they say: `@file` and `-` read nothing in a row.
 * @param constant values for all rows, by name
 * @throws DocsError usage, whose `details.column` names the column at fault
 */
function inputOf(
  command: Command,
  columns: Columns,
  row: Row,
  constant: ReadonlyMap<string, string[]>,
  base: ManualInput,
): ManualInput {
  const args: Record<string, string | string[]> = {};
  const options: Record<string, unknown> = {};
  const given = [...constant].flatMap(([name, values]) =>
    values.map((value): Cell => ({ name, value, column: 0, typed: true })),
  );
  const seen = new Set<string>();
  for (const cell of [...given, ...row.cells]) {
    const taker = columns.of(cell.name);
    if (taker === undefined) throw unknownColumn(columns, cell.name, { line: row.line, column: cell.column });
    const { name, variadic } = taker;
    if (seen.has(name) && !isRepeatable(command, taker)) throw wrong(cell, 'is given twice');
    seen.add(name);
    if (isOption(taker)) {
      setOption(options, taker, cell);
      continue;
    }
    const texts = textsOf(cell, isRepeatable(command, taker));
    if (variadic) args[name] = [...[args[name] ?? []].flat(), ...texts];
    else if (texts[0] !== undefined) args[name] = texts[0];
  }
  return { ...base, args, options, literal: true };
}

function setOption(options: Record<string, unknown>, option: Option, cell: Cell): void {
  const name = camel(option.name);
  if (cell.value === null || (cell.typed && option.nullable && cell.value === typedNull)) {
    if (!option.nullable) throw wrong(cell, 'cannot be null');
    options.unset = [...((options.unset as string[] | undefined) ?? []), option.name];
  } else if (option.boolean !== undefined) setBoolean(options, option, cell);
  else if (option.variadic) options[name] = [...((options[name] as string[]) ?? []), ...textsOf(cell, true)];
  else options[name] = textsOf(cell, false)[0];
}

function setBoolean(options: Record<string, unknown>, { name, boolean }: Option, cell: Cell): void {
  const value = typeof cell.value === 'string' ? cell.value.trim().toLowerCase() : cell.value;
  const yes = value === true || value === 'true';
  if (!yes && value !== false && value !== 'false')
    throw wrong(cell, `must be true or false, not ${JSON.stringify(cell.value)}`);
  if (yes && boolean === 'only-no') throw wrong(cell, 'can only be false');
  if (yes || boolean === 'no' || boolean === 'only-no') options[camel(name)] = yes;
  else if (boolean === true) throw wrong(cell, 'can only be true');
  else if (boolean !== undefined) options[camel(boolean)] = true;
}

/** The texts of a cell: of a list, each of its values. */
function textsOf(cell: Cell, list: boolean): string[] {
  const { value } = cell;
  if (value === null) throw wrong(cell, 'cannot be null');
  if (Array.isArray(value)) {
    if (!list) throw wrong(cell, 'takes one value, not a list');
    return value.flatMap((item: unknown) => textsOf({ ...cell, value: item }, false));
  }
  if (typeof value === 'object' && !(value instanceof RawNumber))
    throw wrong(cell, 'must be a text, a number, true, false or a list');
  return [String(value)];
}

function wrong({ name, column }: Cell, what: string) {
  return usageError('bad_value', `${name} ${what}`, { details: { column } });
}
