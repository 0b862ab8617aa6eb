import type { FileHandle } from 'node:fs/promises';
import { type ChainLine, noHash, parseLine, sha256 } from './chain.js';

/** The end of the chain, from which it goes on. */
export interface Tail {
  /** The last line; undefined where there is none. */
  last?: ChainLine;
  /** Of the last line; zeros where there is none. */
  hash: string;
  /** What has to be written first: the line feed that a crash kept from the file. */
  closing: '' | '\n';
  /** What follows the last line, with a line feed at its end. */
  torn?: { bytes: number; sha256: string };
}

const lineFeed = 0x0a;
const firstBytes = 64 * 1024;

/** Reads no more of the file than its last line needs. */
export async function readTail(handle: FileHandle, size: number): Promise<Tail> {
  for (let length = Math.min(size, firstBytes); ; length = Math.min(size, length * 4)) {
    const bytes = await readAt(handle, size - length, length);
    const tail = tailOf(bytes, length === size);
    if (tail !== undefined) return tail;
  }
}

/** @returns undefined where the bytes do not hold a whole line, and more precede them */
function tailOf(bytes: Buffer, isAll: boolean): Tail | undefined {
  const closing = bytes.length === 0 || bytes.at(-1) === lineFeed ? '' : '\n';
  for (let end = bytes.length - (closing === '' ? 1 : 0); end > 0; ) {
    const before = bytes.lastIndexOf(lineFeed, end - 1);
    if (before < 0 && !isAll) return undefined;
    const line = bytes.subarray(before + 1, end);
    const last = parseLine(line.toString('utf8'));
    // A line that lacks its line feed alone is whole.
    if (last !== undefined)
      return { last, hash: sha256(line), closing, ...tornAfter(bytes.subarray(end + 1)) };
    end = before;
  }
  return isAll ? { hash: noHash, closing, ...tornAfter(bytes) } : undefined;
}

function tornAfter(bytes: Buffer): Pick<Tail, 'torn'> {
  if (bytes.length === 0) return {};
  const whole = bytes.at(-1) === lineFeed ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
  return { torn: { bytes: whole.length, sha256: sha256(whole) } };
}

export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
