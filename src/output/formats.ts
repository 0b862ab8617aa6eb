import type { Document, Scalar } from 'yaml';
import { RawNumber } from '../api/transport/json-text.js';
import { DocsError } from '../base/errors.js';
import { safeCell } from '../base/formula.js';
import { hasInvisible, markInvisible, reversibleMarks } from '../base/invisible.js';
import { columnText, columnValue, plainText } from './cells.js';
import { type ResolvedColumn, resolveColumns } from './columns.js';
import { type Shown, valueAt } from './fields.js';
import { unicodeEscape } from './json.js';
import type { Format, ItemFormat, PrinterOptions } from './printer.js';
import { safeText, tabbedLine } from './text.js';

/** Formats of one item a line: TSV, CSV, and ids alone. */

/**
 * One item a line, whole values with tabs between them. What would break a line or a value is
 * escaped: `\t`, `\n`, `\r`, `\\`, other control characters as `\xNN`; what else cannot be seen is marked as in CSV.
 * @param withHeader whether the first line names the fields by their paths, as `--fields` does
 */
export function tsvFormat(columns: readonly ResolvedColumn[], withHeader: boolean): ItemFormat {
  const header = withHeader ? tabbedLine(columns.map(headOf)) : '';
  const row = (item: unknown) =>
    reversibleMarks(tabbedLine(columns.map((column) => columnText(item, column))));
  return {
    begin: () => header,
    items: (values) => values.map(row).join(''),
    one: (value) => header + row(value),
  };
}

function headOf({ head, path }: ResolvedColumn): string {
  return head ?? path;
}

/**
 * CSV with a header that names the fields by their paths. Text that a spreadsheet would run as a
 * formula gets a `'` before it (RELIABILITY.md), and what cannot be seen is `<U+200B>`; numbers stay numbers.
 * @param raw values as they are (`--csv-raw`)
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
    return !raw && typeof value === 'string' ? safeCell(text) : text;
  };
  return (rows) => rows.map((row) => lineOf(row.map(cell), stringify)).join('');
}

/** Most rows need no quotes: the library looks at each cell several times. */
function lineOf(cells: string[], stringify: (rows: string[][]) => string): string {
  const isPlain = cells.every((text) => !/[",\r\n]/.test(text));
  return isPlain ? `${cells.join(',')}\n` : stringify([cells]);
}

/** Ids alone, one per line. @throws `no_id` (exit 15): a list of ids must never be silently short */
export function idFormat(path: string): ItemFormat {
  const id = (item: unknown) => {
    const text = plainText(valueAt(item, path));
    if (text === '') throw new DocsError('bad-response', 'no_id', `an item in the response has no "${path}"`);
    return tabbedLine([text]);
  };
  return { items: (values) => values.map(id).join(''), one: id };
}

/** Not printable in YAML, beside what cannot be seen: written as escapes in double quotes. */
const eachUnprintable = /[\ufffe\uffff]/g;

function isUnprintable(text: string): boolean {
  return hasInvisible(text) || /[\ufffe\uffff]/.test(text);
}

/** A character as YAML escapes it; one of four bytes is not written as two. */
function yamlEscape(character: string): string {
  const [code = 0] = [character.codePointAt(0)];
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : unicodeEscape(character);
}

/** `compat` quotes what older readers would take for something else, such as `no`. */
const written = { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false } as const;
const printed = { lineWidth: 0 } as const;

/** YAML: a list is one sequence, written item by item. */
export async function yamlFormat(): Promise<ItemFormat> {
  const { Document, isScalar, visit } = await import('yaml');
  const render = (value: unknown): string => {
    const document = new Document(value, bigNumbers, written);
    const text = document.toString(printed);
    return isUnprintable(text) ? quoted(document) : text;
  };
  const quoted = (document: Document): string => {
    visit(document, {
      Scalar: (_key, scalar: Scalar) => {
        if (isScalar(scalar) && typeof scalar.value === 'string' && isUnprintable(scalar.value)) {
          scalar.type = 'QUOTE_DOUBLE';
        }
      },
    });
    return markInvisible(document.toString(printed), yamlEscape).replace(eachUnprintable, unicodeEscape);
  };
  let empty = true;
  return {
    items(values) {
      if (values.length > 0) empty = false;
      return values.length === 0 ? '' : render(values);
    },
    end: () => (empty ? '[]\n' : ''),
    one: render,
  };
}

/** Numbers kept as digits become integers of any size, which YAML has. */
function bigNumbers(_key: unknown, value: unknown): unknown {
  if (!(value instanceof RawNumber)) return value;
  return /^-?\d+$/.test(value.rawJson) ? BigInt(value.rawJson) : Number(value.rawJson);
}

/** Any format but JSON: what it shows is by column, but for YAML. @throws the failure to load what it needs */
export async function openRows(
  format: Format,
  { view, fields }: Pick<Shown, 'view' | 'fields'>,
  options: PrinterOptions,
): Promise<ItemFormat> {
  const columns = resolveColumns(view, fields);
  if (format === 'table') {
    const { openTable } = await import('./open-table.js');
    return openTable(view, columns, fields === undefined, options);
  }
  if (format === 'yaml') return shielded(await yamlFormat(), options);
  if (format === 'csv') return shielded(await csvFormat(columns, options.csvRaw ?? false), options);
  const rows = format === 'id' ? idFormat(view.id ?? 'id') : tsvFormat(columns, options.header ?? false);
  return shielded(rows, options);
}

/** Formats for programs that are looked at on a terminal: what they print is sanitised there, too. */
function shielded(format: ItemFormat, { io }: PrinterOptions): ItemFormat {
  if (io.stdout.isTTY !== true) return format;
  const { begin, items, end, one } = format;
  return {
    begin: begin && ((firstPage, more) => safeText(begin(firstPage, more))),
    items: (values) => safeText(items(values)),
    end: end && (() => safeText(end())),
    one: (value) => safeText(one(value)),
  };
}
