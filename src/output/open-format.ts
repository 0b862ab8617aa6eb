import type { Shown } from './fields.js';
import { stringify, stringifyEach } from './json.js';
import type { Format, ItemFormat, PrinterOptions } from './printer.js';

/** The format, once it knows what it needs to show the items. */
export async function informed(
  opening: Promise<ItemFormat>,
  items: readonly unknown[],
  whole = false,
): Promise<ItemFormat> {
  const format = await opening;
  await format.learn?.(items, whole);
  return format;
}

/** One JSON value. Only `end` closes an array, so that a list that fails midway cannot pass for a whole one. */
function jsonFormat(): ItemFormat {
  const between = ',\n  ';
  let first = true;
  const before = () => {
    const text = first ? '[\n  ' : between;
    first = false;
    return text;
  };
  return {
    items: (values) => (values.length === 0 ? '' : before() + stringifyEach(values, between)),
    lines: (lines) => lines.joined(before(), between),
    end: () => (first ? '[]\n' : '\n]\n'),
    one: (value) => `${stringify(value, 2)}\n`,
  };
}

/** One item a line, each a whole JSON value. */
function ndjsonFormat(): ItemFormat {
  return {
    items: (values) => (values.length === 0 ? '' : `${stringifyEach(values, '\n')}\n`),
    lines: (lines) => lines.lines(),
    one: (value) => `${stringify(value)}\n`,
  };
}

/** The format of one printing; all but JSON is loaded for it. @throws the failure to load what it needs */
export async function openFormat(format: Format, shown: Shown, options: PrinterOptions): Promise<ItemFormat> {
  if (format === 'json') return jsonFormat();
  if (format === 'ndjson') return ndjsonFormat();
  return (await import('./formats.js')).openRows(format, shown, options);
}
