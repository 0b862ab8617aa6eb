import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Static } from '../../api/type.js';
import { DocsError, diskReason, notSent, systemCode } from '../../base/errors.js';
import { nodeCrypto } from '../../base/hash.js';
import type { Io } from '../../base/io.js';
import { openOwnFile } from '../../base/own-files.js';
import { isObject, jsonIn } from '../../base/values.js';
import { lookAt } from '../../jobs/journal-file.js';
import { isUserPlace, placeFailure } from '../place.js';
import type { AuditEvent } from './shape.js';

/** Reads the chain line by line, forwards or from its end, in memory that does not grow with it. */

const pieceBytes = 64 * 1024;
/** As long as most lines. */
const lineBytes = 2048;
/** A longer line is none of ours: its hash is computed, its text is not kept. In bytes. */
const longestLine = 4 * 1024 * 1024;
const lineFeed = 0x0a;

export interface RawLine {
  /** In the file, from 1. */
  number: number;
  /** Empty where it is longer than any line of ours. */
  bytes: Buffer;
  /** Of its bytes, without the line feed. */
  hash: string;
  /** undefined for what is no event. */
  line?: ChainLine;
  /** Whether it has its line feed. */
  whole: boolean;
  /** Bytes of the file up to its end. */
  end: number;
}

/** Where reading goes on after an earlier reading. */
export type Position = Pick<RawLine, 'number' | 'end'>;

export const start: Position = { number: 0, end: 0 };

/**
 * All lines after a position; none where there is no chain.
 * @param place the folder of the chain
 * @throws DocsError configuration `unsafe_path`; local-io `audit_unreadable`
 */
export function* linesOf(place: string, from: Position = start): Generator<RawLine> {
  const file = openChain(place);
  if (file === undefined) return;
  let [number, end] = [from.number, from.end];
  let open = new OpenLine();
  try {
    const piece = Buffer.alloc(pieceBytes);
    for (let read = 1; read > 0; ) {
      read = fs.readSync(file, piece, 0, pieceBytes, end + open.size);
      let rest = piece.subarray(0, read);
      for (let at = rest.indexOf(lineFeed); at >= 0; at = rest.indexOf(lineFeed)) {
        open.add(rest.subarray(0, at));
        number += 1;
        end += open.size + 1;
        yield open.close(number, end, true);
        open = new OpenLine();
        rest = rest.subarray(at + 1);
      }
      open.add(rest);
    }
    if (open.size > 0) yield open.close(number + 1, end + open.size, false);
  } finally {
    fs.closeSync(file);
  }
}

/** A line that is being read. */
class OpenLine {
  size = 0;
  readonly #hash = nodeCrypto().createHash('sha256');
  #parts: Buffer[] = [];

  add(bytes: Buffer): void {
    this.size += bytes.length;
    this.#hash.update(bytes);
    // The piece is used again.
    if (this.size <= longestLine) this.#parts.push(Buffer.from(bytes));
    else this.#parts = [];
  }

  close(number: number, end: number, whole: boolean): RawLine {
    const bytes = Buffer.concat(this.#parts);
    const line = parseLine(bytes.toString('utf8'));
    return { number, bytes, hash: this.#hash.digest('hex'), ...(line !== undefined && { line }), whole, end };
  }
}

/** All events, the newest first; what is no event is left out. @throws DocsError as `linesOf` */
export function* eventsBackwards(place: string): Generator<ChainLine> {
  const file = openChain(place);
  if (file === undefined) return;
  try {
    for (const { bytes } of linesBackwards(file, fs.fstatSync(file).size)) {
      const line = parseLine(bytes.toString('utf8'));
      if (line !== undefined) yield line;
    }
  } finally {
    fs.closeSync(file);
  }
}

/** A line of one of several chains. */
export interface Placed<L> {
  /** The folder of its chain. */
  place: string;
  line: L;
}

/** The lines of several chains, oldest first; those of one chain stay in its order. @throws DocsError as `linesOf` */
export function linesOfAll(places: readonly string[]): Generator<Placed<RawLine>> {
  const timed = function* (place: string) {
    let at = '';
    for (const line of linesOf(place)) {
      // What is no event follows the line before it.
      at = line.line?.at ?? at;
      yield { place, line, at };
    }
  };
  return inOrder(
    places.map((place) => timed(place)),
    (a, b) => a.at < b.at,
  );
}

/** The events of several chains, the newest first. @throws DocsError as `linesOf` */
export function eventsOfAllBackwards(places: readonly string[]): Generator<Placed<ChainLine>> {
  const placed = function* (place: string) {
    for (const line of eventsBackwards(place)) yield { place, line };
  };
  return inOrder(
    places.map((place) => placed(place)),
    (a, b) => a.line.at > b.line.at,
  );
}

/** Merges sources, each of which keeps its own order; closes them where the reader leaves. */
function* inOrder<T>(sources: readonly Generator<T>[], isBefore: (a: T, b: T) => boolean): Generator<T> {
  const open = new Map<Generator<T>, T>();
  const take = (source: Generator<T>) => {
    const { done, value } = source.next();
    if (done === true) open.delete(source);
    else open.set(source, value);
  };
  try {
    for (const source of sources) take(source);
    for (;;) {
      const [first, ...others] = open;
      if (first === undefined) return;
      const [source, value] = others.reduce((best, one) => (isBefore(one[1], best[1]) ? one : best), first);
      yield value;
      take(source);
    }
  } finally {
    for (const source of sources) source.return(undefined);
  }
}

/** Lines from the end, with the offset at which each begins; one that is longer than any of ours is cut. */
export function* linesBackwards(file: number, size: number): Generator<{ bytes: Buffer; at: number }> {
  let after = Buffer.alloc(0);
  // Whoever appends needs the last line alone.
  let most = lineBytes;
  for (let at = size; at > 0; most = pieceBytes) {
    const length = Math.min(at, most);
    at -= length;
    const piece = Buffer.alloc(length);
    fs.readSync(file, piece, 0, length, at);
    let rest = after.length === 0 ? piece : Buffer.concat([piece, after]);
    for (let feed = lastFeed(rest); feed >= 0; feed = lastFeed(rest)) {
      yield { bytes: rest.subarray(feed + 1), at: at + feed + 1 };
      rest = rest.subarray(0, feed);
    }
    after = rest.length > longestLine ? Buffer.alloc(0) : rest;
  }
  yield { bytes: after, at: 0 };
}

/** That of Buffer does the same by functions that Node has to compile first. */
function lastFeed(bytes: Buffer): number {
  return Uint8Array.prototype.lastIndexOf.call(bytes, lineFeed);
}

function openChain(place: string): number | undefined {
  const path = chainPath(place);
  try {
    return openOwnFile(path);
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    const message = `cannot read the audit chain ${path}: ${systemCode(cause) ?? String(cause)}`;
    throw notSent('local-io', 'audit_unreadable', message, { cause });
  }
}

/**
 * The audit chain of this machine (docs/decisions/022-audit.md): a file that only grows, one event a line, each with
 * the SHA-256 of the line before.
 */

/** A line of the chain. */
export type ChainLine = Omit<Static<typeof AuditEvent>, 'detail' | 'place'> & {
  /** Jobs that have begun and not ended: whoever writes next ends those whose process is dead. */
  open?: readonly string[];
};

/** What happened, without its place in the chain. */
export type Happened = Omit<ChainLine, 'seq' | 'at' | 'open' | 'prev'>;

/** What the first line has for the line before. */
export const noHash = '0'.repeat(64);

/** The chain's file. @param place its folder */
export function chainPath(place: string): string {
  return join(place, 'audit.jsonl');
}

/** A line of the chain; undefined for anything else. */
export function parseLine(text: string): ChainLine | undefined {
  const value = jsonIn(text);
  if (!isObject(value) || typeof value.event !== 'string') return undefined;
  const isLinked = Number.isSafeInteger(value.seq) && typeof value.prev === 'string';
  return isLinked ? (value as ChainLine) : undefined;
}

/** The chain could not be written: exit 13. What an unsafe path is told stays as it is. */
export function unwritable(io: Io, path: string, cause: unknown): DocsError {
  if (cause instanceof DocsError && cause.code === 'unsafe_path') return cause;
  const system = systemCode(cause instanceof DocsError ? cause.cause : cause);
  if (system === undefined && !(cause instanceof DocsError)) throw cause;
  if (system !== undefined && !isUserPlace(io, dirname(path))) {
    const { why, hint } = placeFailure(io, dirname(path), system);
    return notSent('local-io', 'audit_unwritable', `cannot write the audit chain ${path}: ${why}`, {
      hint,
      cause,
    });
  }
  const locked = cause instanceof DocsError ? cause : undefined;
  const message = `cannot write the audit chain ${path}: ${locked?.message ?? diskReason(system ?? '')}`;
  const hint = locked?.failure.hint ?? lookAt(io, dirname(path), system);
  return notSent('local-io', 'audit_unwritable', message, { hint, cause });
}
