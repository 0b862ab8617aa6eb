import { type DocsError, usageError } from '../base/errors.js';
import type { JqFilter } from './jq.js';
import { isRawNumber, stringify } from './json.js';
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
  const outputs = await filter.values(json);
  const other = outputs.findIndex((output) => !isRow(output));
  if (other >= 0) throw notRows(outputs[other]);
  const items = outputs.flat(Number.POSITIVE_INFINITY) as Record<string, unknown>[];
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const csv = await csvWriter(options.csvRaw ?? false);
  return csv([
    keys,
    ...items.map((item) => keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined))),
  ]);
}

/** An object, or a list of objects. */
function isRow(output: unknown): boolean {
  if (Array.isArray(output)) return output.every(isRow);
  return typeof output === 'object' && output !== null && !isRawNumber(output);
}

function notRows(output: unknown): DocsError {
  const text = stringify(output);
  const shown = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return usageError('not_rows', `-o csv takes objects from --jq, and it yields ${shown}.`);
}
