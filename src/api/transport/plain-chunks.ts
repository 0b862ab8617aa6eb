import { consistsOf, isPrintableAscii } from '../../base/characters.js';
import { largestHeader } from './exchange.js';
import { isPlainLine } from './plain-head.js';

/** What a part of a body leaves: more to come, nothing, bytes that belong to no answer, or no body. */
export type ChunksState = 'more' | 'whole' | 'beyond' | 'refused';

const hexadecimal = '0123456789abcdef';

/**
 * A body in chunks (RFC 9112, section 7.1), as a socket gives it, in parts of any size. Extensions of chunks, and headers
 * behind the last one, are left out, as by Node's own HTTP.
 */
export class PlainChunks {
  /** Bytes of the chunk under way that are still to come. */
  #left = 0;
  /** What the next line is. */
  #next: 'size' | 'line break' | 'header' = 'size';
  /** The beginning of a line of which the end did not come yet. */
  #line = '';
  /** Characters of the headers behind the last chunk. */
  #headers = 0;

  /** Reads a part. @param give called with the bytes of each chunk */
  read(part: Buffer, give: (data: Buffer) => void): ChunksState {
    let at = 0;
    while (at < part.length) {
      if (this.#left > 0) {
        const data = part.subarray(at, at + this.#left);
        this.#left -= data.length;
        at += data.length;
        give(data);
        continue;
      }
      const end = part.indexOf('\n', at, 'latin1');
      const line = this.#line + part.toString('latin1', at, end < 0 ? part.length : end);
      if (line.length > largestHeader) return 'refused';
      if (end < 0) {
        this.#line = line;
        return this.#mayBegin(line) ? 'more' : 'refused';
      }
      this.#line = '';
      at = end + 1;
      if (this.#next === 'header' && line === '\r') return at < part.length ? 'beyond' : 'whole';
      if (!line.endsWith('\r') || !this.#accept(line.slice(0, -1))) return 'refused';
    }
    return 'more';
  }

  /** Whether a line of which the end did not come yet can be what is next: who sends none may wait for us. */
  #mayBegin(line: string): boolean {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (this.#next === 'size') return consistsOf(sizeIn(text), hexadecimal);
    return this.#next === 'header' || text === '';
  }

  /** Whether a line is what is next. */
  #accept(line: string): boolean {
    if (this.#next === 'header') return isPlainLine(line) && this.#leaveOut(line);
    if (this.#next === 'size') return this.#readSize(line);
    this.#next = 'size';
    return line === '';
  }

  #readSize(line: string): boolean {
    const size = sizeIn(line);
    this.#left = Number.parseInt(size, 16);
    this.#next = this.#left > 0 ? 'line break' : 'header';
    return consistsOf(size, hexadecimal) && Number.isSafeInteger(this.#left) && isPrintableAscii(line);
  }

  #leaveOut(header: string): boolean {
    this.#headers += header.length;
    return this.#headers <= largestHeader;
  }
}

/** What stands before the extensions. */
function sizeIn(line: string): string {
  const semicolon = line.indexOf(';');
  return (semicolon < 0 ? line : line.slice(0, semicolon)).toLowerCase();
}
