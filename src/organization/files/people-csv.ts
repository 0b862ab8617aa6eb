import fs from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkInput } from '../../api/validate.js';
import { DocsError, localIoError, systemCode } from '../../base/errors.js';
import { plainCell } from '../../base/formula.js';
import { withNearest } from '../../files/yaml/node.js';
import type { FileLocation, Kind, Scope, Value } from '../model.js';
import { addMembership, plainRole, roleField } from './items.js';
import { markerOf, memberships, teamsKey } from './layout.js';
import { type PeopleFile, PersonInFile } from './person.js';
import type { Reading } from './reading.js';
import { operationOf } from './values.js';

/** people.csv: columns email, role, sso and teams; read and written as a stream. */

/** Above this number of people, pull writes people.csv. */
export const mostInYaml = 5000;
export const largestCsv = 256 * 1024 * 1024;

/** A row, and what it was read from. */
export interface CsvRow {
  cells: readonly string[];
  /** Without the line break at its end. */
  raw: string;
  line: number;
}

interface Parsed {
  record: string[];
  raw: string;
  info: { lines: number };
}

/** The columns that people.csv can have: the key, fields that are not lists or maps, and teams. */
export function csvColumns(kind: Kind): string[] {
  const marker = markerOf(kind);
  const simple = kind.fields.filter(({ key, schema }) => key !== marker && schema.type !== 'object');
  return [marker, ...simple.map(({ key }) => key), teamsKey];
}

/** How a CSV file is written: its separator is the most frequent one of the header. */
export async function csvHead(path: string): Promise<{ delimiter: string; eol: string; mark: string }> {
  const handle = await fs.promises.open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const [first = ''] = text.replace(/^[\ufeff\r\n]+/, '').split(/\r?\n/, 1);
    const count = (separator: string) => first.split(separator).length;
    const delimiter = [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
    return {
      delimiter,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
      mark: text.startsWith('\ufeff') ? '\ufeff' : '',
    };
  } finally {
    await handle.close();
  }
}

/** The rows of a CSV file, the header first. @throws `NotUtf8`, and errors of the CSV itself */
export async function* csvRows(path: string): AsyncGenerator<CsvRow> {
  const { parse } = await import('csv-parse');
  const { delimiter } = await csvHead(path);
  const options = { bom: true, info: true, raw: true, relax_column_count: true, skip_empty_lines: true };
  const parser = parse({ ...options, delimiter, max_record_size: 65_536 });
  const input = Readable.from(checkedText(fs.createReadStream(path)));
  input.on('error', (error) => parser.destroy(error));
  let before = 0;
  for await (const { record, raw, info } of input.pipe(parser) as AsyncIterable<Parsed>) {
    const skipped = (raw.match(/^(?:\r?\n)+/)?.[0] ?? '').replaceAll('\r', '').length;
    yield {
      cells: record.map(plainCell),
      raw: raw.replace(/^[\r\n]+|[\r\n]+$/g, ''),
      line: before + 1 + skipped,
    };
    before = info.lines;
  }
}

class NotUtf8 extends Error {
  constructor(readonly lines: number) {
    super('not UTF-8');
  }
}

/** The bytes as they are, once it is known that they are UTF-8. */
async function* checkedText(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let lines = 1;
  for await (const chunk of input) {
    try {
      lines += decoder.decode(chunk, { stream: true }).split('\n').length - 1;
    } catch {
      throw new NotUtf8(lines);
    }
    yield chunk;
  }
}

/** Reads the people of a CSV file. Mistakes are reported with their lines. */
export async function readPeopleCsv(reading: Reading, file: string, kind: Kind, scope: Scope): Promise<void> {
  reading.peopleFile = file;
  reading.lists.push({ file, kinds: [kind], scope });
  let table: Table | undefined;
  let index = 0;
  try {
    for await (const row of csvRows(join(reading.folder, file))) {
      if (table !== undefined) {
        if (row.cells.some((cell) => cell !== '')) readRow(reading, table, row, index++);
        continue;
      }
      const columns = headerOf(reading, file, kind, row);
      if (columns === undefined) return;
      table = tableOf(file, kind, columns);
    }
    if (table === undefined) reading.mistake({ file, line: 1, column: 1, path: '' }, 'has no header line');
  } catch (error) {
    if (error instanceof DocsError) throw error;
    if (systemCode(error) !== undefined && !isCsvError(error))
      throw localIoError(error, `cannot read ${join(reading.folder, file)}`);
    // What is wrong with a value, or with docs itself, is not for the reader of the table to tell.
    if (!(error instanceof NotUtf8) && !isCsvError(error)) throw error;
    const line = Number((error as { lines?: number }).lines ?? 1);
    const words =
      error instanceof NotUtf8
        ? 'is not UTF-8 text'
        : 'is not valid CSV: a quote is missing, or a row is too long';
    reading.mistake({ file, line, column: 1, path: '' }, words);
  }
}

function isCsvError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('CSV_');
}

/** The names of the columns; undefined where one is not known, which is reported. */
function headerOf(reading: Reading, file: string, kind: Kind, { cells, line }: CsvRow): string[] | undefined {
  const known = csvColumns(kind);
  const names = cells.map((cell) => cell.trim());
  const before = reading.mistakes.length;
  const at = { file, line, column: 1 };
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) reading.mistake({ ...at, path: name }, 'is there twice');
    else if (!known.includes(name)) {
      const words = withNearest(`is not a known column (${known.join(', ')})`, name, known);
      reading.mistake({ ...at, path: name }, words);
    }
  }
  const marker = markerOf(kind);
  if (!names.includes(marker)) reading.mistake({ ...at, path: marker }, 'is missing from the header');
  return reading.mistakes.length > before ? undefined : names;
}

interface Table extends PeopleFile {
  file: string;
  columns: readonly string[];
}

function tableOf(file: string, kind: Kind, columns: readonly string[]): Table {
  return {
    ...{ file, kind, columns },
    placeOf: (line, index) => ({ file, line, column: 1, path: `${kind.spot.list}[${index}]` }),
    placesOf: () => none,
  };
}

function readRow(reading: Reading, table: Table, row: CsvRow, index: number): void {
  const { kind, columns } = table;
  const at = table.placeOf(row.line, index);
  const marker = markerOf(kind);
  if (row.cells.length > columns.length) {
    reading.mistake(at, `has ${row.cells.length} cells where the header has ${columns.length}`);
    return;
  }
  const cells = new Map(columns.map((name, column) => [name, (row.cells[column] ?? '').trim()]));
  const key = cells.get(marker) ?? '';
  if (key === '') {
    reading.mistake({ ...at, path: `${at.path}.${marker}` }, 'is missing');
    return;
  }
  const fields = fieldsIn(reading, kind, cells, at);
  const item = new PersonInFile(`${kind.name}/${key}`, index, fields, table, row.line);
  reading.add(item);
  const teams = cells.get(teamsKey) ?? '';
  if (teams === '') return;
  for (const { team, role } of teamsIn(teams)) {
    if (
      role !== plainRole &&
      !fits(reading, memberships, { [roleField]: role }, { ...at, path: `${at.path}.${teamsKey}` })
    )
      continue;
    addMembership(reading, item, { team, role, at });
  }
}

const none = Object.freeze({});

/** `writers editors:owner`, with spaces or semicolons between. */
function teamsIn(cell: string): { team: string; role: string }[] {
  const parts = cell.split(/[\s;]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const colon = part.lastIndexOf(':');
    return colon < 0
      ? { team: part, role: plainRole }
      : { team: part.slice(0, colon), role: part.slice(colon + 1) };
  });
}

/** Cells that are empty are not looked at, like keys that are not there. */
function fieldsIn(
  reading: Reading,
  kind: Kind,
  cells: ReadonlyMap<string, string>,
  at: FileLocation,
): Readonly<Record<string, Value>> {
  const id = kind.fields.map(({ key }) => cells.get(key) ?? '').join('\0');
  const known = reading.sharedFields.get(id);
  if (known !== undefined) return known;
  const fields: Record<string, Value> = {};
  for (const field of kind.fields) {
    const cell = cells.get(field.key) ?? '';
    if (cell !== '') fields[field.key] = cellValue(cell, field.schema.type === 'boolean');
  }
  if (!fits(reading, kind, fields, at)) return {};
  if (reading.sharedFields.size < mostShared) reading.sharedFields.set(id, Object.freeze(fields));
  return fields;
}

/** People differ in few roles; more than that are not worth to remember. */
const mostShared = 1000;

function cellValue(cell: string, isBoolean: boolean): Value {
  if (isBoolean && (cell === 'true' || cell === 'false')) return cell === 'true';
  return cell;
}

function fits(reading: Reading, kind: Kind, fields: Record<string, Value>, at: FileLocation): boolean {
  const issues = checkInput(operationOf(kind), { body: fields });
  for (const { field, message } of issues) {
    const value = fields[field];
    const words = message === 'must be a boolean' ? 'must be true or false' : message;
    const known = words.startsWith('must be one of ')
      ? words.slice('must be one of '.length).split(', ')
      : [];
    const told = typeof value === 'string' ? withNearest(words, value, known) : { message: words };
    reading.mistake({ ...at, path: `${at.path}.${field}` }, told);
  }
  return issues.length === 0;
}
