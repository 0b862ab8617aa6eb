import { type CsvOptions, parseCsvRows } from './rows/csv.js';
import { parseJsonRows, parseNdjsonRows } from './rows/json.js';
import type { Rows } from './rows/row.js';

export type { CsvOptions } from './rows/csv.js';
export * from './rows/row.js';

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
