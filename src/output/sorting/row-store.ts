import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localIoError } from '../../files/local-io-error.js';
import { NumberList } from './number-list.js';

const chunkBytes = 4 << 20;

/** How much is kept in memory before the rest goes into a file, in bytes. */
const usualMemory = 128 << 20;

interface Part {
  /** Undefined once it is in the file. */
  bytes: Buffer | undefined;
  /** Where it starts in the file. */
  position: number;
}

/**
 * Texts by number, outside of the heap; what exceeds the memory is in a temporary file that nobody else can open, and
 * that has no name where the system allows it.
 */
export class RowStore {
  readonly #memory: number;
  readonly #parts: Part[] = [];
  /** Of each row: its part, its start there, and its bytes. */
  readonly #partOf = new NumberList();
  readonly #startOf = new NumberList();
  readonly #bytesOf = new NumberList();
  #open = Buffer.allocUnsafeSlow(chunkBytes);
  #used = 0;
  #inMemory = 0;
  #file: { descriptor: number; path: string | undefined; end: number } | undefined;

  constructor(memory = usualMemory) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#bytesOf.length;
  }

  /** @throws DocsError local-io where the temporary file cannot be written */
  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#used + bytes > this.#open.length) this.#seal(bytes);
    this.#open.write(text, this.#used);
    this.#partOf.push(this.#parts.length);
    this.#startOf.push(this.#used);
    this.#bytesOf.push(bytes);
    this.#used += bytes;
  }

  /** @throws DocsError local-io where the temporary file cannot be read */
  at(index: number): Buffer {
    const part = this.#parts[this.#partOf.at(index)] ?? { bytes: this.#open, position: 0 };
    const start = this.#startOf.at(index);
    const length = this.#bytesOf.at(index);
    if (part.bytes !== undefined) return part.bytes.subarray(start, start + length);
    const bytes = Buffer.allocUnsafe(length);
    tried(() => {
      for (let at = 0; at < length; ) {
        const read = readSync(this.#descriptor(), bytes, at, length - at, part.position + start + at);
        if (read === 0) throw new Error('the temporary file is shorter than what was written');
        at += read;
      }
    });
    return bytes;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    if (this.#file.path !== undefined) rmSync(this.#file.path, { force: true });
    this.#file = undefined;
  }

  /** Puts the open part away, and opens one that has room. */
  #seal(needed: number): void {
    if (this.#inMemory + this.#used <= this.#memory) {
      this.#parts.push({ bytes: this.#open, position: 0 });
      this.#inMemory += this.#open.length;
      this.#open = Buffer.allocUnsafeSlow(Math.max(chunkBytes, needed));
    } else {
      this.#parts.push({ bytes: undefined, position: this.#toFile(this.#open.subarray(0, this.#used)) });
      if (this.#open.length < needed) this.#open = Buffer.allocUnsafeSlow(needed);
    }
    this.#used = 0;
  }

  #toFile(bytes: Buffer): number {
    return tried(() => {
      const descriptor = this.#descriptor();
      const position = this.#file?.end ?? 0;
      for (let at = 0; at < bytes.length; )
        at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
      if (this.#file !== undefined) this.#file.end = position + bytes.length;
      return position;
    });
  }

  #descriptor(): number {
    if (this.#file !== undefined) return this.#file.descriptor;
    const path = join(tmpdir(), `docs-sort-${crypto.randomUUID()}`);
    const descriptor = openSync(path, 'wx+', 0o600);
    this.#file = { descriptor, path: removed(path) ? undefined : path, end: 0 };
    return descriptor;
  }
}

/** Takes away the name of an open file: its content then goes with the process, however that ends. */
function removed(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

function tried<T>(use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw localIoError(cause, 'Cannot sort: the temporary file failed');
  }
}
