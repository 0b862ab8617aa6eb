import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { openOwnFile } from '../base/own-files.js';
import { isObject } from '../base/values.js';
import type { Counts } from './journal.js';

const pieceBytes = 64 * 1024;

/** What a journal comes to: the SHA-256 of its bytes and, where its header is whole, how its items stand. */
export interface Digest {
  sha256: string;
  counts?: Counts;
}

/**
 * Reads a journal piece by piece, so that a long one takes no memory.
 * @returns undefined where there is none, or an empty one: its process ended before anything was sent
 * @throws DocsError configuration `unsafe_path`; the system's error
 */
export function digestOf(path: string): Digest | undefined {
  const file = openOwnFile(path);
  if (file === undefined) return undefined;
  const hash = createHash('sha256');
  const tally = new Tally();
  const piece = Buffer.alloc(pieceBytes);
  let size = 0;
  try {
    for (let read = fs.readSync(file, piece); read > 0; read = fs.readSync(file, piece)) {
      const bytes = piece.subarray(0, read);
      hash.update(bytes);
      tally.add(bytes);
      size += read;
    }
  } finally {
    fs.closeSync(file);
  }
  if (size === 0) return undefined;
  const { counts } = tally;
  return { sha256: hash.digest('hex'), ...(counts !== undefined && { counts }) };
}

/** How each event of an item begins, as `writeLine` writes it. */
const itemEvent = /^\{"item":(\d+),"is":"(\w+)"/;

/** Counts the items by their last event, line by line. */
class Tally {
  readonly #states = new Map<number, string>();
  #rest = Buffer.alloc(0);
  #total: number | undefined;
  #isHeader = true;

  add(bytes: Buffer): void {
    let whole = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let end = whole.indexOf(0x0a); end >= 0; end = whole.indexOf(0x0a)) {
      this.#line(whole.subarray(0, end));
      whole = whole.subarray(end + 1);
    }
    // The piece is used again.
    this.#rest = Buffer.from(whole);
  }

  get counts(): Counts | undefined {
    if (this.#total === undefined) return undefined;
    const of = (...states: string[]) => [...this.#states.values()].filter((is) => states.includes(is)).length;
    const [ok, failed, unknown] = [of('ok'), of('failed'), of('started', 'unknown')];
    return { ok, failed, unknown, left: this.#total - ok - failed - unknown };
  }

  #line(line: Buffer): void {
    if (this.#isHeader) this.#total = totalIn(line);
    this.#isHeader = false;
    const [, item, is] = itemEvent.exec(line.toString('latin1', 0, 64)) ?? [];
    if (item !== undefined && is !== undefined) this.#states.set(Number(item), is);
  }
}

function totalIn(line: Buffer): number | undefined {
  try {
    const header: unknown = JSON.parse(line.toString('utf8'));
    return isObject(header) && typeof header.total === 'number' ? header.total : undefined;
  } catch {
    return undefined;
  }
}
