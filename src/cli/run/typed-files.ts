import { resolve } from 'node:path';
import { InvalidJson, parseInputJson } from '../../api/input-json.js';
import { isJsonObject } from '../../api/transport/json-text.js';
import { usageError } from '../../base/errors.js';
import type { Source } from '../../jobs/journal.js';
import type { CsvOptions, Rows } from '../../jobs/rows.js';
import { type Reader, readBytes, readSource, textOf } from '../parse/typed-text.js';

/** JSON and rows from files and standard input: integers keep their digits, and no key may stand twice. */

/** @throws DocsError usage `bad_json`, with line and column; as `readSource` */
export async function readJson(reader: Reader, source: string, flag: string): Promise<unknown> {
  const text = await readSource(reader, source, flag);
  try {
    return parseInputJson(text);
  } catch (cause) {
    if (!(cause instanceof InvalidJson)) throw cause;
    const what = source === '-' ? 'standard input' : source;
    const { line, column } = cause;
    throw usageError('bad_json', `${flag}: ${what} is not JSON: ${cause.message}`, {
      details: { line, column },
    });
  }
}

/** A JSON object, for `--input`. @throws DocsError usage `bad_json` */
export async function readJsonObject(
  reader: Reader,
  source: string,
  flag: string,
): Promise<Record<string, unknown>> {
  const value = await readJson(reader, source, flag);
  if (!isJsonObject(value)) throw usageError('bad_json', `${flag}: the body must be a JSON object`);
  return value;
}

/**
 * Reads rows from a path, or `-` for stdin.
 * @returns also the file; none where they came from standard input
 * @throws DocsError local-io; usage `bad_rows`, `bad_encoding`
 */
export async function readRowsFile(
  reader: Reader,
  from: string,
  flag: string,
  options: CsvOptions = {},
): Promise<{ rows: Rows; source?: Source }> {
  const bytes = await readBytes(reader, from, flag);
  const [{ parseRows }, { sourceOf }] = await Promise.all([
    import('../../jobs/rows.js'),
    import('../../jobs/look.js'),
  ]);
  const rows = await parseRows(textOf(reader, bytes, from), from, options);
  return from === '-' ? { rows } : { rows, source: sourceOf(resolve(reader.io.cwd, from), bytes) };
}
