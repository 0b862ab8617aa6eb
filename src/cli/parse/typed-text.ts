import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DocsError, usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { isObject } from '../../is-object.js';
import { systemCode } from '../../system-error.js';

/** Text that a person gives by naming where it is: `@file`, `-` for standard input, or the text itself. */

/**
 * Reads what `-` (standard input) or a path names, as UTF-8.
 * @throws DocsError `local-io` where the file cannot be read; usage where stdin is a terminal
 */
export async function readSource(io: Io, source: string, flag: string): Promise<string> {
  if (source === '-') return readStdin(io, flag);
  try {
    return await readFile(resolve(io.cwd, source), 'utf8');
  } catch (cause) {
    const reason = systemCode(cause) === 'ENOENT' ? 'there is no such file' : String(cause);
    throw new DocsError('local-io', 'unreadable_file', `${flag}: cannot read ${source}: ${reason}.`, {
      outcome: 'not-sent',
      cause,
    });
  }
}

async function readStdin(io: Io, flag: string): Promise<string> {
  if (io.stdin.isTTY) {
    throw usageError('stdin_is_terminal', `${flag}: - reads standard input, but that is the terminal.`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** A long text: `@file` and `-` are read, anything else is the text. */
export async function readLongText(io: Io, typed: string, flag: string): Promise<string> {
  if (typed === '-') return readSource(io, '-', flag);
  return typed.startsWith('@') ? readSource(io, typed.slice(1), flag) : typed;
}

/**
 * Ids from arguments, `@file` or `-`, one a line; blank lines are skipped.

 * @throws usage error where there is none at all
 */
export async function readIds(io: Io, typed: readonly string[], name: string): Promise<string[]> {
  const lists = await Promise.all(typed.map((word) => readIdSource(io, word, name)));
  return lists.flat();
}

async function readIdSource(io: Io, word: string, name: string): Promise<string[]> {
  if (word !== '-' && !word.startsWith('@')) return [word];
  const text = await readSource(io, word === '-' ? '-' : word.slice(1), `<${name}>`);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * A JSON object from a file or standard input, for `--input`.
 * @throws usage error that tells where the JSON breaks
 */
export async function readJsonObject(io: Io, source: string, flag: string): Promise<Record<string, unknown>> {
  const text = await readSource(io, source, flag);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw usageError(
      'bad_json',
      `${flag}: ${source === '-' ? 'standard input' : source} is not JSON: ${String(cause).replace(/^SyntaxError: /, '')}.`,
    );
  }
  if (!isObject(value)) {
    throw usageError('bad_json', `${flag}: the body must be a JSON object.`);
  }
  return value;
}
