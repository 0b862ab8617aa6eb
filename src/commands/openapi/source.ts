import { usageError } from '../../base/errors.js';
import { isUrl, type Reader, readSource } from '../../cli/parse/typed-text.js';
import type { SpecSource } from '../../workflows/openapi-publish/spec.js';

/**
 * The source of a URL.
 * @throws Error whose message follows the flag's name. Checked here, so that the message names the flag
 *   instead of both forms of the source.
 */
export function sourceUrl(typed: string | string[]): { url: string } {
  const url = String(typed);
  if (!URL.canParse(url)) throw new Error(`must be an absolute URL, not "${url}"`);
  if (url.length > 2048) throw new Error(`must be at most 2048 characters long, not ${url.length}`);
  return { url };
}

/**
 * The source that one word names: a URL with its scheme, else a file, as path or `@file`, or `-` for
 * standard input.
 * @throws DocsError usage `bad_value`, `empty_source`; what `readSource` throws
 */
export async function sourceNamed(reader: Reader, typed: string): Promise<SpecSource> {
  if (isUrl(typed)) {
    try {
      return sourceUrl(typed);
    } catch (cause) {
      throw usageError('bad_value', `<source> ${(cause as Error).message}`);
    }
  }
  const text = await readSource(reader, typed.replace(/^@/, ''), '<source>');
  if (text.trim() !== '') return { text };
  const what = typed === '-' ? 'standard input' : typed.replace(/^@/, '');
  throw usageError('empty_source', `${what} is empty; expected an OpenAPI specification`);
}
