import { badRows, type Cell, type Row, type Rows } from './row.js';

export interface CsvOptions {
  /** Default: the most frequent one of the header. */
  separator?: string;
  /** Whether cells keep the blanks at their ends. */
  keepBlanks?: boolean;
}

/**
 * Reads CSV with a header line: comma, semicolon or tab, whichever the header has; quoted fields may
 * hold line breaks. Blanks at the ends of a cell are taken off, and so is the `'` that docs and spreadsheets
 * put before a formula.
 * @throws DocsError usage `bad_rows`
 */
export async function parseCsvRows(
  text: string,
  { separator, keepBlanks = false }: CsvOptions = {},
): Promise<Rows> {
  const { parse } = await import('csv-parse/sync');
  const delimiter = separator ?? separatorOf(text);
  const options = { bom: true, info: true, relax_column_count: true, skip_records_with_empty_values: true };
  let parsed: { record: string[]; info: { lines: number } }[];
  try {
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
    (value, at): Cell => ({ name: names[at] ?? '', value: plain(value), column: at + 1, typed: true }),
  );
  return { line, cells: cells.filter(({ value }) => value !== '') };
}

/** `'=1+1` is `=1+1`, quoted so that spreadsheets do not run it (RELIABILITY.md). */
export function plain(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value;
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
