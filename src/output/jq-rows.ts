import { DocsError } from '../errors.js';
import type { JqFilter } from './jq.js';
import { isRow, notRows } from './jq-trial.js';
import type { PrinterOptions } from './printer.js';
import { csvWriter } from './row-formats.js';

/**
 * The outputs of a filter as CSV: a row for each object, with a column for each key in the order in which it
 * first comes. What is nested is JSON in its cell.
 * @throws DocsError usage `jq_failed`; `not_rows` where an output is neither an object nor a list of them
 */
export async function rowsText(
  filter: JqFilter,
  json: string,
  options: Pick<PrinterOptions, 'csvRaw'>,
): Promise<string> {
  const tried = await filter.attempt(json);
  if ('reason' in tried) throw new DocsError('usage', 'jq_failed', `--jq failed: ${tried.reason}.`);
  const other = tried.outputs.findIndex((output) => !isRow(output));
  if (other >= 0) throw notRows(tried.outputs[other]);
  const items = tried.outputs.flat(Number.POSITIVE_INFINITY) as Record<string, unknown>[];
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const csv = await csvWriter(options.csvRaw ?? false);
  return csv([
    keys,
    ...items.map((item) => keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined))),
  ]);
}
