import { InvalidJson, isJsonObject, parseInputJson } from '../../api/input-json.js';
import { usageError } from '../../base/errors.js';
import { type Reader, readSource } from '../parse/typed-text.js';

/** JSON from files and standard input: integers keep their digits, and no key may stand twice. */

/** @throws DocsError usage `bad_json`, with line and column; as `readSource` */
export async function readJson(reader: Reader, source: string, flag: string): Promise<unknown> {
  const text = await readSource(reader, source, flag);
  try {
    return parseInputJson(text);
  } catch (cause) {
    if (!(cause instanceof InvalidJson)) throw cause;
    const what = source === '-' ? 'standard input' : source;
    const { line, column } = cause;
    throw usageError('bad_json', `${flag}: ${what} is not JSON: ${cause.message}.`, {
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
  if (!isJsonObject(value)) throw usageError('bad_json', `${flag}: the body must be a JSON object.`);
  return value;
}
