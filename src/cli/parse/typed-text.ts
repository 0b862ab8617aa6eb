import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isEncoding } from '../../base/encodings.js';
import { type DocsError, notSent, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { commandLine, withFlags } from '../../base/shell-word.js';
import { decodeText } from '../../base/text-encoding.js';
import { type Argument, type Command, camel, type ManualInput, type Option } from '../declare/command.js';
import type { CommandOutline } from '../declare/outline.js';
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
    throw notSent('local-io', 'unreadable_file', `${flag}: cannot read ${source}: ${reason}`, { cause });
  }
}

async function readStdin(io: Reader['io'], flag: string): Promise<Uint8Array> {
  if (io.stdin.isTTY) {
    const message = `${flag}: - reads standard input, which is the terminal; use a pipe or name a file`;
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

/** Which texts a command line reads from files and standard input, by the declaration of its command. */

/** Whether a word is a JSON object, not a path. */
export function isObjectText(word: string): boolean {
  return word.trimStart().startsWith('{');
}

/** Whether a word is a URL with its scheme. */
export function isUrl(word: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(word);
}

/** Whether a command line reads a text; the rows of a file read none. */
function readsText({ args, options }: Pick<Command, 'args' | 'options'>, input: ManualInput): boolean {
  const given = [
    ...args.map((argument) => [argument, input.args[argument.name]] as const),
    ...options.map((option) => [option, input.options[camel(option.name)]] as const),
  ];
  return given.some(([taker, typed]) => {
    const words = typed === undefined ? [] : [typed].flat().map(String);
    return words.some((word) => reads(taker, word));
  });
}

function reads({ reads: how }: Argument | Option, word: string): boolean {
  if (how === 'pair') return /^[^=]+=@/.test(word);
  if (how === 'at') return word === '-' || word.startsWith('@');
  if (how === 'unless-json') return !isObjectText(word);
  return how === 'unless-url' ? !isUrl(word) : how === 'path';
}

/** Refuses an encoding where no text is read. @throws DocsError usage `contradiction` */
export function refuseIdleEncoding(command: Pick<Command, 'args' | 'options'>, input: ManualInput): void {
  if (input.options.encoding === undefined || readsText(command, input)) return;
  const takers = [...command.args, ...command.options].filter(({ reads: how }) => how !== undefined);
  const names = takers.map((taker) => ('value' in taker ? `--${taker.name}` : `<${taker.name}>`));
  const message = `--encoding is for a text from a file or standard input, and none is read here. Texts are read by: ${names.join(', ')}.`;
  throw usageError('contradiction', message);
}

/**
 * Refuses words of a command line that are not UTF-8: the runtime has put a replacement character where their
 * bytes were, and a change would store it. Only Linux tells the bytes; a typed replacement character is a
 * character like any other.
 * @throws DocsError usage `bad_encoding`
 */
export function refuseBrokenWords(argv: readonly string[], { platform }: Pick<Io, 'platform'>): void {
  const broken = argv.find((word) => word.includes('\ufffd'));
  if (broken === undefined || platform !== 'linux' || isUtf8(ownCommandLine())) return;
  const message = `the argument ${JSON.stringify(broken.slice(0, 60))} is not UTF-8; nothing was sent. Pass the text in a file, with --encoding.`;
  throw usageError('bad_encoding', message);
}

/** The words as the system has them, each with a NUL behind it. */
function ownCommandLine(): Uint8Array {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return new Uint8Array();
  }
}

/** Longer command lines are not repeated. */
const longest = 300;

/** A text that is not UTF-8: adds the same command line with the encoding that the text probably has. */
export function withEncodingHint(
  error: DocsError,
  argv: readonly string[],
  command: CommandOutline,
  platform: NodeJS.Platform,
): DocsError {
  const { encoding } = error.failure.details ?? {};
  const takes = command.options.some(({ name }) => name === 'encoding');
  if (error.code !== 'bad_encoding' || !isEncoding(encoding) || !takes) return error;
  const words = withFlags(withoutEncoding(argv), '--encoding', encoding);
  const hint = commandLine(words, platform);
  return hint.length > longest ? error : error.with({ hint });
}

function withoutEncoding(argv: readonly string[]): string[] {
  const flag = '--encoding';
  return argv.filter((word, at) => word !== flag && argv[at - 1] !== flag && !word.startsWith(`${flag}=`));
}
