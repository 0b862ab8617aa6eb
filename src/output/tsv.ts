import { plainText } from './cells.js';
import type { ResolvedColumn } from './columns.js';
import { valueAt } from './fields.js';
import type { ItemFormat } from './item-format.js';

const escaped = /[\\\0-\x1f\x7f-\x9f\p{Surrogate}]/u;
const eachEscaped = new RegExp(escaped, 'gu');
const short: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * One item a line, whole values with tabs between them. What would break a line or a value is
 * escaped: `\t`, `\n`, `\r`, `\\`, other control characters as `\xNN`.
 * @param withHeader whether the first line names the fields by their paths, as `--fields` does
 */
export function tsvFormat(columns: readonly ResolvedColumn[], withHeader: boolean): ItemFormat {
  const header = withHeader ? line(columns.map((column) => column.path)) : '';
  const row = (item: unknown) => line(columns.map((column) => plainText(valueAt(item, column.path))));
  return {
    begin: () => header,
    items: (values) => values.map(row).join(''),
    one: (value) => header + row(value),
  };
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
