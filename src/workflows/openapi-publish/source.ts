import { readSource } from '../../cli/run/typed-text.js';
import { DocsError, usageError } from '../../errors.js';
import type { Io } from '../../io.js';

/** Where a specification comes from: a URL that the platform reads, or a text that is sent. */
export type SpecSource = { url: string } | { text: string };

/**
 * The source of a URL.
 * @throws Error whose message goes on after the flag's name. Checked here, so that the message names
 *   the flag and not both forms of the source.
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
export async function sourceNamed(io: Io, typed: string): Promise<SpecSource> {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return checkedUrl(typed);
  const text = await readSource(io, typed.replace(/^@/, ''), '<source>');
  if (text.trim() !== '') return { text };
  const what = typed === '-' ? 'Standard input' : typed.replace(/^@/, '');
  throw usageError('empty_source', `${what} is empty, so there is no specification to publish.`);
}

function checkedUrl(typed: string): { url: string } {
  try {
    return sourceUrl(typed);
  } catch (cause) {
    if (cause instanceof DocsError || !(cause instanceof Error)) throw cause;
    throw usageError('bad_value', `<source> ${cause.message}.`);
  }
}
