import { EventEmitter } from 'node:events';
import { constants, fstatSync, type Stats, writeSync } from 'node:fs';
import { systemCode } from '../base/errors.js';
import type { Input, Output } from '../base/io.js';

/**
 * Standard input. Most runs only ask whether it is a terminal, and the runtime's stream is slow to make: for a file or
 * a pipe it is made by whatever else is asked of it.
 * @param runtimes gives the runtime's stream
 */
export function openInput(runtimes: () => Input): Input {
  if (kindOf(0) === undefined) return runtimes();
  let stream: Input | undefined;
  const opened = (): Input => (stream ??= runtimes());
  return new Proxy({} as Input, {
    get(_, name) {
      if (name === 'isTTY') return undefined;
      const value: unknown = Reflect.get(opened(), name);
      return typeof value === 'function' ? value.bind(opened()) : value;
    },
    set: (_, name, value) => Reflect.set(opened(), name, value),
    has: (_, name) => Reflect.has(opened(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(opened()),
  });
}

/**
 * Standard output or standard error without Node's streams, where that loses nothing. To load those takes a fifth of
 * a start, and with them a disk that is nearly full loses the rest of a file without an error.
 */

/** How it writes, and what it is part of. */
interface Opening {
  /** Node's own stream for it. */
  stream: () => Output;
  /** Whether the process may stand still until a reader has room: not while it has signals to listen to. */
  mayWait: () => boolean;
}

/**
 * The output of a descriptor: Node's own stream for a terminal, for what is unknown, and on Windows.
 * @param fd 1 or 2
 */
export function openOutput(fd: number, opening: Opening): Output {
  const kind = process.platform === 'win32' ? undefined : kindOf(fd);
  return kind === undefined ? opening.stream() : new DirectOutput(fd, kind === 'file', opening);
}

/** On Linux the number of /dev/null, into which much is measured. */
const nullDevice = 259;

/** What a descriptor is; undefined for a terminal and what is unknown. */
function kindOf(fd: number): 'file' | 'pipe' | undefined {
  let stats: Stats;
  try {
    stats = fstatSync(fd);
  } catch {
    return undefined;
  }
  // Each method of the stats would be compiled for this one call.
  const format = stats.mode & constants.S_IFMT;
  if (format === constants.S_IFREG) return 'file';
  if (format === constants.S_IFIFO || format === constants.S_IFSOCK) return 'pipe';
  return process.platform === 'linux' && stats.rdev === nullDevice ? 'file' : undefined;
}

/** In bytes; a pipe holds more than that, so nobody is waited for until as much was written. */
const pipeRoom = 16 * 1024;

const resolved = Promise.resolve();

const events = ['error', 'drain', 'close'] as const;

/**
 * Writes at once all it is given, or fails. What a pipe has no room for, and all that comes once the process must not
 * stand still, goes through Node's own stream.
 */
class DirectOutput extends EventEmitter implements Output {
  readonly #fd: number;
  readonly #isFile: boolean;
  readonly #opening: Opening;
  #stream: Output | undefined;
  #failure: Error | undefined;
  #written = 0;

  constructor(fd: number, isFile: boolean, opening: Opening) {
    super();
    this.#fd = fd;
    this.#isFile = isFile;
    this.#opening = opening;
  }

  get destroyed(): boolean {
    return this.#failure !== undefined || this.#stream?.destroyed === true;
  }

  get writableEnded(): boolean {
    return this.#stream?.writableEnded === true;
  }

  get writableNeedDrain(): boolean {
    return this.#stream?.writableNeedDrain === true;
  }

  write(chunk: string | Uint8Array, done: (error?: Error | null) => void = () => {}): boolean {
    if (this.#stream !== undefined) return this.#stream.write(chunk, done);
    if (this.#failure === undefined) {
      const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
      this.#written += length;
      const hasRoom = this.#isFile || this.#written <= pipeRoom;
      if (!hasRoom && !this.#opening.mayWait()) return this.#open().write(chunk, done);
      const written = this.#direct(chunk, length);
      if (written < length && this.#failure === undefined)
        return this.#open().write(bytesOf(chunk).subarray(written), done);
    }
    // As a stream does: never before the caller goes on. The queue of ticks is only loaded where something failed.
    if (this.#failure === undefined) void resolved.then(() => done());
    else process.nextTick(done, this.#failure);
    return true;
  }

  /** Writes until there is no room or it fails. @returns how many bytes were written */
  #direct(chunk: string | Uint8Array, length: number): number {
    let at = 0;
    try {
      if (typeof chunk === 'string') at = writeSync(this.#fd, chunk);
      if (at === length) return at;
      const bytes = bytesOf(chunk);
      while (at < length) at += writeSync(this.#fd, bytes, at);
    } catch (cause) {
      if (systemCode(cause) !== 'EAGAIN') this.#fail(cause as Error);
    }
    return at;
  }

  #fail(failure: Error): void {
    this.#failure = failure;
    process.nextTick(() => {
      this.#pass('error', failure);
      this.#pass('close');
    });
  }

  #open(): Output {
    const stream = this.#opening.stream();
    for (const event of events) stream.on(event, (...about: unknown[]) => this.#pass(event, ...about));
    this.#stream = stream;
    return stream;
  }

  /** An error that nobody listens to must not end the process: a closed stderr changes nothing. */
  #pass(event: string, ...about: unknown[]): void {
    if (this.listenerCount(event) > 0) this.emit(event, ...about);
  }
}

function bytesOf(chunk: string | Uint8Array): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
