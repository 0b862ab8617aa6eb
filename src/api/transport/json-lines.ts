import { isAscii, isUtf8 } from 'node:buffer';
import { hasInvisible } from '../../base/invisible.js';
import { isObject, jsonIn } from '../../base/values.js';
import { isTooDeep, parseJson } from './json-text.js';

/**
 * Pages of a list whose bytes are printed as they came, because docs would print the same of their values
 * (docs/decisions/072-lists-as-bytes.md). Whatever differs by a space or an escape is left to the parser.
 */

/** In bytes. */
const sizes = {
  /** Shorter bodies are parsed: there is little to gain. */
  body: 16 * 1024,
  /** About how much of a body is compared at once. The system takes long to give memory for longer strings. */
  piece: 32 * 1024,
};

/** Pages in a row that are looked at in vain. */
const mostRefused = 5;

const head = '{"items":';
const start = head.length + 1;
const between = Buffer.from('},{');

/** Memory for the body of one page after another: to fill fresh memory costs more than to read what is in it. */
export class PageRoom {
  #body: Buffer = Buffer.alloc(0);
  #size = 0;
  #copy: Buffer = Buffer.alloc(0);
  readonly #least: typeof sizes;
  /** Pages in a row that were not taken. */
  #refused = 0;

  constructor(least = sizes) {
    this.#least = least;
  }

  begin(bytes: number): void {
    this.#size = 0;
    this.#body = roomFor(bytes, this.#body);
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    const before = this.#body;
    this.#body = roomFor(size, before);
    if (this.#body !== before) this.#body.set(before.subarray(0, this.#size));
    this.#body.set(chunk, this.#size);
    this.#size = size;
  }

  whole(): Buffer {
    return this.#body.subarray(0, this.#size);
  }

  /** Memory for a copy of what is printed. */
  copy(bytes: number): Buffer {
    this.#copy = roomFor(bytes, this.#copy);
    return this.#copy;
  }

  /**
   * The items of the body. A platform that writes its JSON in another way is not asked for long.
   * @param isSecret whether a part of the body, which ends with a brace, may not be printed as it is
   * @returns undefined where docs would print anything but these bytes
   */
  lines(isSecret: (text: string) => boolean): JsonLines | undefined {
    if (this.#refused >= mostRefused) return undefined;
    const lines = this.#read(isSecret);
    this.#refused = lines === undefined ? this.#refused + 1 : 0;
    return lines;
  }

  #read(isSecret: (text: string) => boolean): JsonLines | undefined {
    const body = this.whole();
    const isList = body.toString('latin1', 0, start) === `${head}[`;
    if (body.length < this.#least.body || !isList || !isUtf8(body)) return undefined;
    const ends: number[] = [];
    for (let from = start; ; from = (ends.at(-1) ?? 0) + 1) {
      const piece = this.#piece(body, from);
      const read = piece && !isSecret(piece.text) ? readPiece(piece) : undefined;
      if (read === undefined) return undefined;
      addEnds(ends, body, from, read);
      if (piece?.isLast) return new JsonLines(this, ends, read.rest);
    }
  }

  /** The next items, or all that are left where an item ends elsewhere than it seems. */
  #piece(body: Buffer, from: number): Piece | undefined {
    const cut = body.indexOf(between, from + this.#least.piece);
    const some = cut < 0 ? undefined : pieceOf(body.subarray(from, cut + 1), false);
    return some ?? pieceOf(body.subarray(from), true);
  }
}

/** At least as much memory; half as much again, so that pages of about a size fit. */
function roomFor(bytes: number, has: Buffer): Buffer {
  return has.length >= bytes ? has : Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.5));
}

function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Some items in an envelope of their own, or the last ones in theirs. */
interface Piece {
  text: string;
  envelope: object;
  isLast: boolean;
}

/** @returns undefined where it is not JSON */
function pieceOf(bytes: Buffer, isLast: boolean): Piece | undefined {
  const text = `${head}[${textOf(bytes)}${isLast ? '' : ']}'}`;
  const envelope = jsonIn(text);
  return isObject(envelope) ? { text, envelope, isLast } : undefined;
}

interface Items {
  items: readonly unknown[];
  /** The items as they are printed. */
  printed: string;
  /** What follows them in the envelope. */
  rest: Record<string, unknown>;
}

/** Reads the items of a piece; undefined where docs would not print them as they are. */
function readPiece({ text, envelope, isLast }: Piece): Items | undefined {
  const { items } = envelope as { items?: unknown };
  if (!Array.isArray(items) || items.length === 0 || isTooDeep(envelope, 1)) return undefined;
  const printed = JSON.stringify(items);
  if (!text.startsWith(printed, head.length) || hasInvisible(text)) return undefined;
  // Where they end before a cut, in the rest of a long envelope, what follows as the next piece is not JSON.
  const rest = isLast ? restOf(text.slice(head.length + printed.length)) : {};
  return rest && { items, printed, rest };
}

/** The envelope beside its items. If these were in it twice, the second would count. */
function restOf(text: string): Record<string, unknown> | undefined {
  const read = parseJson(Buffer.from(`{${text.replace(/^,/, '')}`));
  return read.ok && isObject(read.value) && !Object.hasOwn(read.value, 'items') ? read.value : undefined;
}

/** Notes where the items of a piece end, which begins at `from`. */
function addEnds(ends: number[], body: Buffer, from: number, { items, printed }: Items): void {
  const end = from + Buffer.byteLength(printed) - '[]'.length;
  const before = ends.length;
  for (let at = body.indexOf(between, from); at >= 0 && at + 1 < end; at = body.indexOf(between, at + 1))
    ends.push(at + 1);
  if (ends.length - before === items.length - 1 && items.every(isObject)) {
    ends.push(end);
    return;
  }
  // The items are not all objects, or one of them holds objects in a row, or a text that looks like it.
  ends.length = before;
  let at = from;
  for (const item of items) {
    at += Buffer.byteLength(JSON.stringify(item));
    ends.push(at);
    at += 1;
  }
}

/** The items of a page, until its room is used for another. */
export class JsonLines {
  readonly #room: PageRoom;
  readonly #ends: number[];
  /** The other members of the envelope. */
  readonly rest: Record<string, unknown>;

  /** @param ends where each item ends in the body */
  constructor(room: PageRoom, ends: number[], rest: Record<string, unknown>) {
    this.#room = room;
    this.#ends = ends;
    this.rest = rest;
  }

  get count(): number {
    return this.#ends.length;
  }

  /** Leaves out all but the first items. @returns how many are left */
  cut(most: number): number {
    if (this.#ends.length > most) this.#ends.length = most;
    return this.#ends.length;
  }

  /** One a line, in place of the commas between them. */
  lines(): Uint8Array {
    const body = this.#room.whole();
    for (const end of this.#ends) body[end] = 0x0a;
    return body.subarray(start, (this.#ends.at(-1) ?? start - 1) + 1);
  }

  /** With other text between them, and before the first. */
  joined(before: string, separator: string): Uint8Array {
    const body = this.#room.whole();
    const copy = this.#room.copy(before.length + body.length + this.#ends.length * separator.length);
    let size = copy.write(before, 'latin1');
    let from = start;
    for (const end of this.#ends) {
      if (from > start) size += copy.write(separator, size, 'latin1');
      size += body.copy(copy, size, from, end);
      from = end + 1;
    }
    return copy.subarray(0, size);
  }
}
