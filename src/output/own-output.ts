import { EventEmitter } from 'node:events';
import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Output } from '../io.js';
import { systemCode } from '../system-error.js';

/**
 * Most of what the program prints is a few kilobytes into a pipe, and making the runtime's stream for it takes longer
 * than most of the rest: a third of a start in the program without Node. So the first bytes are written at once; a
 * pipe holds more than that, so nobody is waited for.
 */
const firstBytes = 16 * 1024;

type Written = (error?: Error | null) => void;

/**
 * A standard stream of this process. One that is a pipe gets the runtime's own stream only once it is written much; one
 * that is a file never: there, on a disk that is nearly full, that stream loses the rest without an error.
 * @param runtimes gives the runtime's stream
 */
export function ownOutput(fd: number, runtimes: () => Writable): Output {
  const kind = kindOf(fd);
  if (kind === undefined) return runtimes();
  return new OwnOutput(fd, kind === 'file' ? Number.POSITIVE_INFINITY : firstBytes, runtimes);
}

/** Undefined for terminals, and what else there may be. */
export function kindOf(fd: number): 'file' | 'pipe' | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return 'file';
    if (process.platform === 'win32') return undefined;
    // What takes everything is never full.
    if (stats.isCharacterDevice()) return stats.rdev === statSync('/dev/null').rdev ? 'file' : undefined;
    return stats.isFIFO() || stats.isSocket() ? 'pipe' : undefined;
  } catch {
    return undefined;
  }
}

/** The stream of an output, for packages that take nothing else. */
export function streamOf(output: Output): Writable {
  return output.asStream?.() ?? (output as unknown as Writable);
}

class OwnOutput extends EventEmitter implements Output {
  readonly #fd: number;
  readonly #most: number;
  readonly #runtimes: () => Writable;
  #written = 0;
  #stream: Writable | undefined;

  constructor(fd: number, most: number, runtimes: () => Writable) {
    super();
    this.#fd = fd;
    this.#most = most;
    this.#runtimes = runtimes;
  }

  get destroyed(): boolean {
    return this.#stream?.destroyed ?? false;
  }

  get writableEnded(): boolean {
    return this.#stream?.writableEnded ?? false;
  }

  get writableNeedDrain(): boolean {
    return this.#stream?.writableNeedDrain ?? false;
  }

  asStream(): Writable {
    return this.#stream ?? this.#open();
  }

  write(chunk: string | Uint8Array, done: Written = () => {}): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#stream !== undefined) return this.#stream.write(bytes, done);
    if (this.#written + bytes.length > this.#most) return this.#open().write(bytes, done);
    this.#written += bytes.length;
    return this.#now(bytes, done);
  }

  #now(bytes: Uint8Array, done: Written): boolean {
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(this.#fd, bytes, at);
    } catch (cause) {
      if (systemCode(cause) === 'EAGAIN') return this.#open().write(bytes.subarray(at), done);
      process.nextTick(() => {
        done(cause as Error);
        this.emit('error', cause);
      });
      return false;
    }
    process.nextTick(done);
    return true;
  }

  /** Goes on with the runtime's stream, whose events are those of this one. */
  #open(): Writable {
    const stream = this.#runtimes();
    for (const event of ['error', 'drain', 'close']) {
      stream.on(event, (...values: unknown[]) => this.emit(event, ...values));
    }
    this.#stream = stream;
    return stream;
  }
}
