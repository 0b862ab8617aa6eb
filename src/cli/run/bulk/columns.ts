import { pathParameters } from '../../../api/operation.js';
import { RawNumber } from '../../../api/transport/json-text.js';
import { usageError } from '../../../base/errors.js';
import { nearest } from '../../../base/nearest.js';
import type { Cell, Row, Rows } from '../../../jobs/rows.js';
import { type Argument, type Command, camel, type ManualInput, type Option } from '../../declare/command.js';
import { contextFlags } from '../../declare/context-flags.js';
import { manyArgument } from '../../declare/traits.js';
import { typedNull } from '../../parse/values.js';

/** The columns of a file against a command: its positionals and flags, by their names. */

/** What a column fills. */
type Target = { kind: 'argument'; argument: Argument } | { kind: 'option'; option: Option };

export interface Columns {
  /** The target of a column, by its name as in the file. */
  of(name: string): Target | undefined;
  known: readonly string[];
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

export function columnsOf(command: Command): Columns {
  const targets = new Map<string, Target>();
  for (const argument of command.args) targets.set(argument.name, { kind: 'argument', argument });
  for (const option of command.options) {
    const fills = option.field !== undefined || option.name === 'unset';
    if (fills && !notForRows.has(option.name)) targets.set(option.name, { kind: 'option', option });
  }
  return { of: (name) => targets.get(normal(name)) ?? targets.get(name.trim()), known: [...targets.keys()] };
}

/** The id that names the item of a row, as its cells or the values for all rows say it; '' where none does. */
export function idIn(
  command: Command,
  columns: Columns,
  row: Row,
  constant: ReadonlyMap<string, string[]>,
): string {
  const parameters = command.operations.map((op) => pathParameters(op.path).at(-1));
  const isId = (name: string) => {
    const target = columns.of(name);
    if (target === undefined) return false;
    const { field } = target.kind === 'argument' ? target.argument : target.option;
    return field !== undefined && parameters.includes(field);
  };
  const cell = row.cells.find(({ name }) => isId(name))?.value;
  const value = cell ?? [...constant].find(([name]) => isId(name))?.[1][0];
  const isText = typeof value === 'string' || typeof value === 'number' || value instanceof RawNumber;
  return isText ? String(value) : '';
}

/** @throws DocsError usage `unknown_column`, `repeated_column`, `missing_column` */
export function checkColumns(
  command: Command,
  columns: Columns,
  rows: Rows,
  constant: readonly string[],
): void {
  if (rows.header === undefined) return;
  const { cells, line } = rows.header;
  const seen = new Set<string>();
  for (const { name, column } of cells) {
    const target = columns.of(name);
    if (target === undefined) throw unknownColumn(columns, name, { line, column }, atLine(line, column));
    const key = nameOf(target);
    const repeated = seen.has(key) && !isRepeatable(command, target);
    if (repeated || constant.includes(key))
      throw usageError(
        'repeated_column',
        `${atLine(line, column)}${JSON.stringify(name)} is given twice; nothing was sent.`,
        { details: { line, column } },
      );
    seen.add(key);
  }
  const missing = requiredNames(command).find((name) => !seen.has(name) && !constant.includes(name));
  if (missing !== undefined)
    throw usageError('missing_column', `Line ${line}: column ${missing} is missing; nothing was sent.`);
}

function requiredNames(command: Command): string[] {
  const inContext = new Set<string>(Object.values(contextFlags));
  const options = command.options.filter((option) => option.required && !inContext.has(option.name));
  return [...command.args.filter((arg) => arg.required), ...options].map(({ name }) => name);
}

function nameOf(target: Target): string {
  return target.kind === 'argument' ? target.argument.name : target.option.name;
}

/** Whether a column may come several times: each adds a value. An id is always one a row. */
function isRepeatable(command: Command, target: Target): boolean {
  if (target.kind === 'option') return target.option.variadic;
  return target.argument.variadic && manyArgument(command)?.name !== target.argument.name;
}

/** @param place where no row is named that has it: that of a row is added to all of its mistakes */
function unknownColumn({ known }: Columns, name: string, at: { line: number; column: number }, place = '') {
  const meant = nearest(normal(name), known);
  const near = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`;
  const fault = `${JSON.stringify(name)} is not a positional or flag of this command. ${near}`;
  return usageError('unknown_column', place + fault, { details: { ...at, known: [...known] } });
}

function atLine(line: number, column: number): string {
  return `Line ${line}, column ${column}: `;
}

/**
 * A row as what would be typed. Texts are what they say: `@file` and `-` read nothing in a row.
 * @param constant values for all rows, by name
 * @throws DocsError usage, whose `details.column` names the column at fault
 */
export function inputOf(
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
    const target = columns.of(cell.name);
    if (target === undefined)
      throw unknownColumn(columns, cell.name, { line: row.line, column: cell.column });
    const key = nameOf(target);
    if (seen.has(key) && !isRepeatable(command, target)) throw wrong(cell, 'is given twice');
    seen.add(key);
    if (target.kind === 'option') {
      setOption(options, target.option, cell);
      continue;
    }
    const { name, variadic } = target.argument;
    const texts = textsOf(cell, isRepeatable(command, target));
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
  return usageError('bad_value', `${name} ${what}.`, { details: { column } });
}
