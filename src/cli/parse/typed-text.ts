import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { notSent, usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { isObject } from '../../is-object.js';
import { systemCode } from '../../system-error.js';

/**
 * Reads what `-` (standard input) or a path names, as UTF-8.
 * @throws DocsError `local-io` where the file cannot be read; usage where stdin is a terminal
 */
export async function readSource(io: Io, source: string, flag: string): Promise<string> {
  if (source === '-') return readStdin(io, flag);
  try {
    return await readFile(resolve(io.cwd, source), 'utf8');
  } catch (cause) {
    const reason = systemCode(cause) === 'ENOENT' ? 'no such file' : String(cause);
    throw notSent('local-io', 'unreadable_file', `${flag}: cannot read ${source}: ${reason}.`, { cause });
  }
}

async function readStdin(io: Io, flag: string): Promise<string> {
  if (io.stdin.isTTY) {
    const message = `${flag}: - reads standard input, which is the terminal; use a pipe or name a file.`;
    throw usageError('stdin_is_terminal', message);
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

/** Ids from arguments, `@file` or `-`, one a line; blank lines are skipped. */
export async function readIds(io: Io, typed: readonly string[], name: string): Promise<string[]> {
  const lists = typed.map(async (word) => {
    if (word !== '-' && !word.startsWith('@')) return [word];
    const lines = (await readLongText(io, word, `<${name}>`)).split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  });
  return (await Promise.all(lists)).flat();
}

/** A JSON object from a file or standard input, for `--input`. @throws DocsError usage `bad_json` */
export async function readJsonObject(io: Io, source: string, flag: string): Promise<Record<string, unknown>> {
  const text = await readSource(io, source, flag);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const what = source === '-' ? 'standard input' : source;
    const reason = String(cause).replace(/^SyntaxError: /, '');
    throw usageError('bad_json', `${flag}: ${what} is not JSON: ${reason}.`);
  }
  if (!isObject(value)) throw usageError('bad_json', `${flag}: the body must be a JSON object.`);
  return value;
}
