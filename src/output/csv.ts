import { plainText } from './cells.js';
import type { ResolvedColumn } from './columns.js';
import { valueAt } from './fields.js';
import type { ItemFormat } from './item-format.js';

/** How a cell begins that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * CSV with a header that names the fields by their paths. Text that a spreadsheet would run as a
 * formula gets a `'` before it (RELIABILITY.md); numbers stay numbers.
 * @param raw no `'`, values as they are (`--csv-raw`)
 */
export async function csvFormat(columns: readonly ResolvedColumn[], raw: boolean): Promise<ItemFormat> {
  const { stringify } = await import('csv-stringify/sync');
  const cell = (item: unknown, path: string) => {
    const value = valueAt(item, path);
    const text = plainText(value);
    return !raw && typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  };
  const rows = (items: readonly unknown[]) =>
    stringify(items.map((item) => columns.map((column) => cell(item, column.path))));
  const header = () => stringify([columns.map((column) => column.path)]);
  return { begin: header, items: rows, one: (value) => header() + rows([value]) };
}
