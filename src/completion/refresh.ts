import { text } from 'node:stream/consumers';
import { derivedIo, type Input, type Io, withSignal } from '../base/io.js';
import { isObject } from '../base/values.js';
import type { GroupEntry } from '../cli/declare/command.js';
import { walk } from '../cli/parse/walk.js';
import { namedResources, type Resource } from '../model/resources.js';
import { CapturedOutput } from '../output/captured-output.js';
import { valueAt } from '../output/fields.js';
import { safeLine } from '../output/text.js';
import { isCacheName, shortTitle, writeCache } from '../settings/title-cache.js';
import { type Candidate, isPlainWord } from './candidate.js';

/** The number of ids kept of a list. */
const mostIds = 500;
const largestAnswer = 1 << 23;
/** The time limit of the whole refresh, in milliseconds. */
const limitMs = 20_000;

/**
 * `docs __complete-ids`: runs the list command of a kind in the background and caches its ids. A failed list
 * is cached as empty, so that not every keystroke sends a request. The variables with credentials come as JSON
 * on standard input, since other programs can read the environment of a process.
 * @param words the name of the cache entry, the name of the kind, the flags of the list
 * @param run runs a command line of docs
 */
export async function refreshIds(
  words: readonly string[],
  groups: readonly GroupEntry[],
  io: Io,
  run: (argv: readonly string[], io: Io) => Promise<number>,
): Promise<void> {
  const [name = '', kindName = '', ...flags] = words;
  const kind = namedResources.find((known) => known.name === kindName);
  if (kind === undefined || !isCacheName(name)) return;
  const tooLong = new Error('too long');
  const stdout = new CapturedOutput(undefined, largestAnswer, tooLong);
  const stderr = new CapturedOutput(undefined, largestAnswer, tooLong);
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(limitMs)]);
  const env = { ...io.env, ...(await variablesOf(io.stdin)), DOCS_DEBUG: '', CI: '1' };
  const ended = withSignal(derivedIo(io, { env, stdout, stderr }), signal);
  const code = await run(await listWords(kind, groups, flags), ended);
  const ids = code === 0 ? idsIn(stdout.text, kind) : [];
  await writeCache(io, name, { atMs: io.now(), ids });
}

async function variablesOf(stdin: Input): Promise<Record<string, string>> {
  if (stdin.isTTY) return {};
  try {
    const given: unknown = JSON.parse(await text(stdin));
    const texts = Object.entries(isObject(given) ? given : {}).filter(
      ([, value]) => typeof value === 'string',
    );
    return Object.fromEntries(texts) as Record<string, string>;
  } catch {
    return {}; // Not started by docs: it has what its environment holds.
  }
}

async function listWords(
  { command: list }: Resource,
  groups: readonly GroupEntry[],
  flags: readonly string[],
) {
  const words = list.words.split(' ');
  const { command } = await walk(words, groups);
  const limited = command?.options.some(({ name }) => name === 'limit');
  const limit = limited ? ['--limit', String(mostIds)] : [];
  const fields = [...new Set([list.id, list.title])].join(',');
  const quietly = ['--no-input', '--quiet', '--no-retry', '--timeout', '10s'];
  return [...words, ...flags, ...limit, '--json', '--fields', fields, ...quietly];
}

/** The ids that need no quoting in any shell, each with a short title. */
function idsIn(json: string, kind: Resource): Candidate[] {
  const items: unknown = JSON.parse(json);
  if (!Array.isArray(items)) return [];
  return items.slice(0, mostIds).flatMap((item) => {
    const word = String(valueAt(item, kind.command.id) ?? '');
    const title = valueAt(item, kind.command.title);
    return isPlainWord(word)
      ? [{ word, note: typeof title === 'string' ? shortTitle(safeLine(title).trim()) : '' }]
      : [];
  });
}
