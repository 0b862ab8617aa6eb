import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DocsError, localIoError, systemCode, usageError } from '../base/errors.js';

/**
 * The folder that parts are written to: one folder for each, `3-of-7`. No two processes write to the same one, so
 * it may be on a shared disk, or be put together by copying.
 */

/** A part on disk. */
export interface PartFolder extends Shard {
  /** Absolute. */
  path: string;
}

/** The name of the folder of a part. */
export function partName({ index, of }: Shard): string {
  return `${index}-of-${of}`;
}

/**
 * The folders of all parts, in order.
 * @param path absolute
 * @param again the command that reads a part, without `--shard`
 * @throws DocsError usage `no_parts`, `other_parts` (exit 2); partial `part_missing` (exit 3); exit 13
 */
export async function partFolders(path: string, again: string): Promise<PartFolder[]> {
  const found = new Map<number, Map<number, PartFolder>>();
  for (const name of await namesIn(path)) {
    const [, i, n] = /^([1-9]\d{0,3})-of-([1-9]\d{0,3})$/.exec(name) ?? [];
    const part = { index: Number(i), of: Number(n), path: join(path, name) };
    if (!(part.index <= part.of && part.of <= mostShards) || !(await isFolder(part.path))) continue;
    const parts = found.get(part.of) ?? new Map<number, PartFolder>();
    found.set(part.of, parts.set(part.index, part));
  }
  const [of, ...others] = [...found.keys()].sort((a, b) => a - b);
  if (of === undefined) throw usageError('no_parts', `${path} has no parts: no folder such as 1-of-7`);
  if (others.length > 0) {
    const counts = [of, ...others].map((n) => `of ${n}`).join(' and ');
    throw usageError('other_parts', `${path} has parts ${counts}; keep those of one --shard <i>/<n> there`);
  }
  const parts = found.get(of) ?? new Map<number, PartFolder>();
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !parts.has(index));
  if (missing.length > 0)
    throw unfinished(
      missing.map((index) => ({ index, of, why: 'missing' })),
      again,
    );
  return [...parts.values()].sort((a, b) => a.index - b.index);
}

/** A part that cannot be joined, and why: `missing`, `unfinished`, `damaged: …`. */
export interface BadPart extends Shard {
  why: string;
}

/** Named at most; `details` has all. */
const mostNamed = 5;

/** The failure of a merge that lacks parts. @param again as `partFolders` */
export function unfinished(parts: readonly BadPart[], again: string): DocsError {
  const named = parts.slice(0, mostNamed).map((part) => `${shardWords(part)} is ${part.why}`);
  const more = parts.length > mostNamed ? [`${parts.length - mostNamed} more parts`] : [];
  const [first] = parts;
  const message = `${[...named, ...more].join('; ')}; nothing was joined`;
  return new DocsError('partial', 'part_missing', message, {
    outcome: 'not-sent',
    details: { parts: parts.map(({ index, of, why }) => ({ index, of, why })) },
    hint: `${again} --shard ${first?.index}/${first?.of}`,
  });
}

/** Not through a link: whoever can make one could put any folder in the place of a part. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? ''))
      throw usageError('no_parts', `${path} is not a directory; it must hold the parts to join`);
    throw localIoError(error, `cannot read ${path}`);
  }
}

/** One of the parts that the work of a command is split into, for processes that share nothing. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** More parts than this are a mistake: each reads the lists of spaces or members itself. */
export const mostShards = 1000;

/**
 * The part that an id belongs to, from 1: the first 32 bits of the SHA-256 of its UTF-8, modulo the number of parts.
 * A promise: parts of different versions and machines are joined (decision 045).
 */
export function shardOf(id: string, of: number): number {
  return (createHash('sha256').update(id, 'utf8').digest().readUInt32BE(0) % of) + 1;
}

/** Whether an id is of a part; without one, every id is. */
export function isIn(shard: Shard | undefined, id: string): boolean {
  return shard === undefined || shardOf(id, shard.of) === shard.index;
}

/** Whether what belongs to no id is read here: by one process, or by the first part. */
export function isFirst(shard: Shard | undefined): boolean {
  return shard === undefined || shard.index === 1;
}

/**
 * Reads `--shard`.
 * @returns undefined where it is not given
 * @throws DocsError usage `invalid_shard`
 */
export function parseShard(typed: unknown): Shard | undefined {
  if (typed === undefined) return undefined;
  const [, i = '', n = ''] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(String(typed)) ?? [];
  const [index, of] = [Number(i), Number(n)];
  if (index >= 1 && index <= of && of <= mostShards) return { index, of };
  const message = `invalid --shard ${JSON.stringify(typed)}; expected <i>/<n>, such as 3/7: i from 1 to n, n at most ${mostShards}`;
  throw usageError('invalid_shard', message);
}

/** `part 3 of 7`. */
export function shardWords({ index, of }: Shard): string {
  return `part ${index} of ${of}`;
}
