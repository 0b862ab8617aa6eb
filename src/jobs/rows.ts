import { InvalidJson, type JsonKey, parseInputJson } from '../api/input-json.js';
import { isJsonObject } from '../api/transport/json-text.js';
import { usageError } from '../base/errors.js';
import { plainCell } from '../base/formula.js';

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
  return usageError('bad_rows', `line ${line}: ${what}; nothing was sent`, { details: { line } });
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

export interface CsvOptions {
  /** Default: the most frequent one of the header. */
  separator?: string;
  /** Whether cells keep the blanks at their ends. */
  keepBlanks?: boolean;
}

/**
 * Reads rows. The extension decides the format; without a known one, the first character does.
 * @param name path, or `-`
 * @param options.keepBlanks whether cells of CSV and TSV keep the blanks at their ends; JSON always does
 * @throws DocsError usage `bad_rows`, with the line
 */
export async function parseRows(text: string, name: string, options: CsvOptions = {}): Promise<Rows> {
  const format = formatOf(name, text);
  if (format === 'json') return parseJsonRows(text);
  if (format === 'ndjson') return parseNdjsonRows(text);
  return parseCsvRows(text, { ...options, ...(/\.tsv$/i.test(name) && { separator: '\t' }) });
}

function formatOf(name: string, text: string): 'csv' | 'json' | 'ndjson' {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  const first = text.trimStart().charAt(0);
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : ending === 'json' ? 'json' : 'csv';
}

/**
 * Reads CSV with a header line: comma, semicolon or tab, whichever the header has; quoted fields may
 * hold line breaks. Blanks at the ends of a cell are taken off, and so is the `'` that docs and spreadsheets
 * put before a formula; what cannot be seen is read from its mark.
 * @throws DocsError usage `bad_rows`
 */
async function parseCsvRows(text: string, { separator, keepBlanks = false }: CsvOptions = {}): Promise<Rows> {
  const { parse } = await import('csv-parse/sync');
  const delimiter = separator ?? separatorOf(text);
  const options = { bom: true, info: true, relax_column_count: true, skip_records_with_empty_values: true };
  let parsed: { record: string[]; info: { lines: number } }[];
  try {
    // The types of the package do not know `info`.
    parsed = parse(text, { ...options, delimiter }) as unknown as typeof parsed;
  } catch (cause) {
    const { lines = 1, message } = cause as { lines?: number; message: string };
    throw badRows(lines, `not valid CSV: ${message.replace(/\.$/, '')}`);
  }
  // A record begins after the last line of the one before.
  const begin = parsed.map(({ record, info }) => ({ record, line: info.lines - breaksIn(record) }));
  const [header, ...rows] = begin;
  if (header === undefined) throw badRows(1, 'missing header line');
  const names = header.record.map((name) => name.trim());
  const whole = rows.map(({ record, line }) => ({
    line,
    record: keepBlanks ? record : record.map(trimmed),
    cut: keepBlanks ? 0 : record.filter((value) => trimmed(value) !== value).length,
  }));
  const filled = whole.filter(({ record }) => record.some((value) => value !== ''));
  return {
    header: { line: header.line, cells: names.map((name, at) => ({ name, column: at + 1 })) },
    rows: filled.map(({ record, line }) => rowOf(record, line, names)),
    trimmed: filled.reduce((sum, { cut }) => sum + cut, 0),
  };
}

const blanks = ' \t\u00a0';

/** Without spaces, tabs and no-break spaces at its ends. */
function trimmed(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && blanks.includes(value.charAt(from))) from += 1;
  while (to > from && blanks.includes(value.charAt(to - 1))) to -= 1;
  return value.slice(from, to);
}

function rowOf(record: readonly string[], line: number, names: readonly string[]): Row {
  if (record.length > names.length) {
    throw badRows(line, `${record.length} fields where the header has ${names.length}`);
  }
  const cells = record.map(
    (value, at): Cell => ({ name: names[at] ?? '', value: plainCell(value), column: at + 1, typed: true }),
  );
  return { line, cells: cells.filter(({ value }) => value !== '') };
}

/** The most frequent separator of the first line. */
function separatorOf(text: string): string {
  const first = text.replace(/^\ufeff/, '').split(/\r?\n/, 1)[0] ?? '';
  const count = (separator: string) => first.split(separator).length;
  return [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
}

function breaksIn(record: readonly string[]): number {
  return record.join('').split(/\r\n|\n|\r/).length - 1;
}

/** Reads a JSON array of objects. @throws DocsError usage `bad_rows` */
function parseJsonRows(text: string): Rows {
  const placeOf = placesIn(text);
  const { value, places } = parse(text, 1);
  if (!Array.isArray(value)) throw badRows(1, 'expected a list of objects');
  let line = 1;
  const rows = value.map((item: unknown): Row => {
    const place = places.get(item);
    if (place !== undefined) line = placeOf(place.at).line;
    return jsonRow(item, line, place?.keys ?? [], (at) => placeOf(at).column);
  });
  return { rows };
}

function parseNdjsonRows(text: string): Rows {
  const rows = text.split(/\r?\n/).flatMap((content, index): Row[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const { value, places } = parse(content, line);
    return [jsonRow(value, line, places.get(value)?.keys ?? [], (at) => at + 1)];
  });
  return { rows };
}

interface ObjectSource {
  at: number;
  keys: readonly JsonKey[];
}

/** @param line the line at which the text begins */
function parse(text: string, line: number): { value: unknown; places: ReadonlyMap<unknown, ObjectSource> } {
  const places = new Map<unknown, ObjectSource>();
  try {
    const value = parseInputJson(text, (object, at, keys) => places.set(object, { at, keys }));
    return { value, places };
  } catch (cause) {
    if (!(cause instanceof InvalidJson)) throw cause;
    throw badRows(line + cause.line - 1, `not valid JSON: column ${cause.column}: ${cause.what}`);
  }
}

function jsonRow(
  item: unknown,
  line: number,
  keys: readonly JsonKey[],
  columnOf: (at: number) => number,
): Row {
  if (!isJsonObject(item)) throw badRows(line, 'expected an object');
  const cells = keys.map(
    ({ name, at }): Cell => ({ name: name.trim(), value: item[name], column: columnOf(at) }),
  );
  return { line, cells };
}

/** Finds line and column of an index of a text, both from 1. */
function placesIn(text: string): (at: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}
