import { resolve } from 'node:path';
import { notSent, systemCode, usageError } from '../../base/errors.js';
import { decodeText } from '../../base/text-encoding.js';
import type { Session } from '../declare/session.js';

/** Every text of a person that is not typed goes through here: files, standard input, lists of ids. */

/** What reading takes of a session: where to read, and the encoding of `--encoding`. */
export type Reader = Pick<Session, 'io' | 'encoding'>;

/**
 * Reads the text of what `-` (standard input) or a path names.
 * @throws DocsError as `readBytes`; usage `bad_encoding` where it is in another encoding
 */
export async function readSource(reader: Reader, source: string, flag: string): Promise<string> {
  return textOf(reader, await readBytes(reader, source, flag), source);
}

/** The text of the bytes of a source, none of them replaced. @throws DocsError usage `bad_encoding` */
export function textOf({ encoding }: Reader, bytes: Uint8Array, source: string): string {
  return decodeText(bytes, source === '-' ? 'standard input' : source, encoding);
}

/**
 * @throws DocsError `local-io` where the file cannot be read; usage where stdin is a terminal; the reason of the run's
 *   signal, since whoever is to write into a pipe may never do so
 */
export async function readBytes({ io }: Reader, source: string, flag: string): Promise<Uint8Array> {
  const { signal } = io;
  signal.throwIfAborted();
  const read = new AbortController();
  const stopped = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { signal: read.signal });
  });
  const bytes = source === '-' ? readStdin(io, flag) : readFileAt(io, source, flag);
  return Promise.race([bytes, stopped]).finally(() => read.abort());
}

async function readFileAt(io: Reader['io'], source: string, flag: string): Promise<Uint8Array> {
  try {
    // Loaded here: most commands read no file.
    const { readFile } = await import('node:fs/promises');
    return await readFile(resolve(io.cwd, source));
  } catch (cause) {
    const reason = systemCode(cause) === 'ENOENT' ? 'no such file' : String(cause);
    throw notSent('local-io', 'unreadable_file', `${flag}: cannot read ${source}: ${reason}.`, { cause });
  }
}

async function readStdin(io: Reader['io'], flag: string): Promise<Uint8Array> {
  if (io.stdin.isTTY) {
    const message = `${flag}: - reads standard input, which is the terminal; use a pipe or name a file.`;
    throw usageError('stdin_is_terminal', message);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** A long text: `@file` and `-` are read, anything else is the text. */
export async function readLongText(reader: Reader, typed: string, flag: string): Promise<string> {
  if (typed === '-') return readSource(reader, '-', flag);
  return typed.startsWith('@') ? readSource(reader, typed.slice(1), flag) : typed;
}

/** Ids from arguments, `@file` or `-`, one a line; blank lines are skipped. */
export async function readIds(reader: Reader, typed: readonly string[], name: string): Promise<string[]> {
  const lists = typed.map(async (word) => {
    if (word !== '-' && !word.startsWith('@')) return [word];
    const lines = (await readLongText(reader, word, `<${name}>`)).split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  });
  return (await Promise.all(lists)).flat();
}
