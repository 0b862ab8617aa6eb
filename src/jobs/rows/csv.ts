import { badRows, type Row, type Rows } from './row.js';

/**
 * Reads CSV with a header line: comma, semicolon or tab, whichever the header has; quoted fields may
 * hold line breaks. The `'` that docs and spreadsheets put before a formula is taken off.
 * @param separator default: the most frequent one of the header
 * @throws DocsError usage `bad_rows`
 */
export async function parseCsvRows(text: string, separator?: string): Promise<Rows> {
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
  return {
    header: { line: header.line, cells: names.map((name, at) => ({ name, column: at + 1 })) },
    rows: rows.map((row) => rowOf(row.record, row.line, names)),
  };
}

function rowOf(record: readonly string[], line: number, names: readonly string[]): Row {
  if (record.length > names.length) {
    throw badRows(line, `${record.length} fields where the header has ${names.length}`);
  }
  const cells = record.map((value, at) => ({ name: names[at] ?? '', value: plain(value), column: at + 1 }));
  return { line, cells: cells.filter(({ value }) => value !== '') };
}

/** `'=1+1` is `=1+1`, quoted so that spreadsheets do not run it (RELIABILITY.md). */
function plain(value: string): string {
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
