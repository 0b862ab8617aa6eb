import { DocsError } from '../base/errors.js';
import { columnText, columnValue, plainText } from './cells.js';
import type { ResolvedColumn } from './columns.js';
import { valueAt } from './fields.js';
import type { ItemFormat } from './item-format.js';

/** Formats of one item a line: TSV, CSV, and ids alone. */

const escaped = /[\\\0-\x1f\x7f-\x9f\ud800-\udfff]/u;
const eachEscaped = new RegExp(escaped, 'gu');
const short: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * One item a line, whole values with tabs between them. What would break a line or a value is
 * escaped: `\t`, `\n`, `\r`, `\\`, other control characters as `\xNN`.
 * @param withHeader whether the first line names the fields by their paths, as `--fields` does
 */
export function tsvFormat(columns: readonly ResolvedColumn[], withHeader: boolean): ItemFormat {
  const header = withHeader ? line(columns.map(headOf)) : '';
  const row = (item: unknown) => line(columns.map((column) => columnText(item, column)));
  return {
    begin: () => header,
    items: (values) => values.map(row).join(''),
    one: (value) => header + row(value),
  };
}

function headOf({ head, path }: ResolvedColumn): string {
  return head ?? path;
}

/** Values as one line of TSV. */
export function line(values: readonly string[]): string {
  return `${values.map(inOneLine).join('\t')}\n`;
}

function inOneLine(text: string): string {
  return escaped.test(text) ? text.replace(eachEscaped, escapeOne) : text;
}

function escapeOne(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).toUpperCase();
  return short[character] ?? (code > 0xff ? `\\u${hex}` : `\\x${hex.padStart(2, '0')}`);
}

/** How a cell begins that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * CSV with a header that names the fields by their paths. Text that a spreadsheet would run as a
 * formula gets a `'` before it (RELIABILITY.md); numbers stay numbers.
 * @param raw no `'`, values as they are (`--csv-raw`)
 */
export async function csvFormat(columns: readonly ResolvedColumn[], raw: boolean): Promise<ItemFormat> {
  const csv = await csvWriter(raw);
  const rows = (items: readonly unknown[]) =>
    csv(items.map((item) => columns.map((column) => columnValue(item, column))));
  const header = () => csv([columns.map(headOf)]);
  return { begin: header, items: rows, one: (value) => header() + rows([value]) };
}

/** Writes rows of values as CSV. @param raw as in `csvFormat` */
export async function csvWriter(raw: boolean): Promise<(rows: readonly (readonly unknown[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  const cell = (value: unknown) => {
    const text = plainText(value);
    return !raw && typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  };
  return (rows) => stringify(rows.map((row) => row.map(cell)));
}

/** Ids alone, one per line. @throws `no_id` (exit 15): a list of ids must never be silently short */
export function idFormat(path: string): ItemFormat {
  const id = (item: unknown) => {
    const text = plainText(valueAt(item, path));
    if (text === '')
      throw new DocsError('bad-response', 'no_id', `An item in the response has no "${path}".`);
    return line([text]);
  };
  return { items: (values) => values.map(id).join(''), one: id };
}
