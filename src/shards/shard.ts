import { createHash } from 'node:crypto';
import { usageError } from '../base/errors.js';

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
