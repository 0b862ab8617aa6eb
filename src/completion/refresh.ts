import { Writable } from 'node:stream';
import type { GroupEntry } from '../cli/declare/command.js';
import { walk } from '../cli/parse/walk.js';
import { type ResourceKind, resourceKinds } from '../cli/resolve/resource-kinds.js';
import type { Io, Output } from '../io.js';
import { safeLine } from '../output/safe-text.js';
import { isCacheName, writeCache } from './cache.js';
import { type Candidate, isPlainWord } from './candidate.js';

/** `docs __complete-ids`: asks the platform for a list, in the background, and caches what it told. */

/** Most ids that are kept of a list. */
const mostIds = 500;
const longestTitle = 60;
const largestAnswer = 1 << 23;
/** The longest that the whole of it may take, in milliseconds. */
const limitMs = 20_000;

/** Runs a command line of docs; `run` of main.ts. */
export type Run = (argv: readonly string[], io: Io) => Promise<number>;

/**
 * Runs the list command of a kind and keeps its ids. A list that fails is kept as an empty one, so that
 * the platform is not asked anew with every key.
 * @param words name of the cache entry, name of the kind, flags of the list
 */
export async function refreshIds(
  words: readonly string[],
  groups: readonly GroupEntry[],
  io: Io,
  run: Run,
): Promise<void> {
  const [name = '', kindName = '', ...flags] = words;
  const kind = resourceKinds.find((known) => known.name === kindName);
  if (kind === undefined || !isCacheName(name)) return;
  const stdout = new Gathered();
  const stderr = new Gathered();
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(limitMs)]);
  const env = { ...io.env, DOCS_DEBUG: '', CI: '1' };
  const code = await run(await listWords(kind, groups, flags), { ...io, env, stdout, stderr, signal });
  const ids = code === 0 ? idsIn(stdout.text, kind) : [];
  await writeCache(io, name, { atMs: io.now(), ids });
}

async function listWords(
  kind: ResourceKind,
  groups: readonly GroupEntry[],
  flags: readonly string[],
): Promise<string[]> {
  const words = kind.list.split(' ');
  const { command } = await walk(words, groups);
  const limited = command?.options.some(({ name }) => name === 'limit') ?? false;
  return [
    ...words,
    ...flags,
    ...(limited ? ['--limit', String(mostIds)] : []),
    ...['--json', '--fields', [...new Set([kind.id, kind.title])].join(',')],
    ...['--no-input', '--quiet', '--no-retry', '--timeout', '10s'],
  ];
}

/** Ids that need no quoting in any shell, with titles in one short line. */
function idsIn(json: string, kind: ResourceKind): Candidate[] {
  const items: unknown = JSON.parse(json);
  if (!Array.isArray(items)) return [];
  return items.slice(0, mostIds).flatMap((item) => {
    const word = String(at(item, kind.id) ?? '');
    const title = at(item, kind.title);
    return isPlainWord(word) ? [{ word, note: typeof title === 'string' ? shortTitle(title) : '' }] : [];
  });
}

function at(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], item);
}

function shortTitle(title: string): string {
  const letters = [...safeLine(title).trim()];
  return letters.length <= longestTitle
    ? letters.join('')
    : `${letters.slice(0, longestTitle - 1).join('')}…`;
}

/** Keeps what is written, up to a limit. */
class Gathered extends Writable implements Output {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.text += chunk.toString('utf8');
    done(this.text.length > largestAnswer ? new Error('too long') : undefined);
  }
}
