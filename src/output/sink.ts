import { localIoError, systemCode } from '../base/errors.js';
import { type Ending, endingBy, type Output } from '../base/io.js';

/** About how much is gathered before it is written, in characters. */
const chunkSize = 64 * 1024;

/**
 * How much may wait for a slow reader before reading goes on, in characters. A limit of our own, because the
 * stream's differs: 16 KB on Node 20, 64 KB from Node 22.
 */
const mostWaiting = 16 * 1024;

const gone = new Set(
  'EPIPE ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_STREAM_PREMATURE_CLOSE'.split(' '),
);

/** Where a printer writes: standard output, or what holds text back for a pager, and takes no bytes. */
export type OutputSink = Pick<Sink, 'add' | 'heading' | 'push' | 'flush'> & Partial<Pick<Sink, 'pass'>>;

/** Standard output: writes large chunks, waits for a slow reader, and throws what the stream reports. */
export class Sink {
  readonly #stream: Output;
  readonly #ending: Ending;
  #text = '';
  #waitingLength = 0;
  #failure: Error | undefined;
  readonly #waiting = new Set<() => void>();

  /** @param ending ends a wait for a slow reader, with its reason */
  constructor(stream: Output, ending: Ending | AbortSignal) {
    this.#stream = stream;
    this.#ending = 'onEnd' in ending ? ending : endingBy(ending);
    stream.on('error', (error: unknown) => this.#fail(error));
  }

  /** Adds text without writing it. @returns whether a chunk is full, so that `push` should be awaited */
  add(text: string): boolean {
    this.#text += text;
    return this.#text.length >= chunkSize;
  }

  /** Tells how many lines at the top head those below; a plain output has nothing to keep in sight. */
  heading(_lines: number): void {}

  /** Hands over what was gathered and waits for the reader. @throws ReaderGone; DocsError (exit 13); the reason */
  async push(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#hand(text);
    await this.#until(() => !this.#stream.writableNeedDrain && this.#waitingLength < mostWaiting);
  }

  /** Hands over everything and waits until the system has all of it. Errors as in `push`. */
  async flush(): Promise<void> {
    await this.push();
    await this.#until(() => this.#waitingLength === 0);
  }

  /** Hands over bytes, and waits until the system has all of them: they may then change. Errors as in `push`. */
  async pass(bytes: Uint8Array): Promise<void> {
    await this.push();
    this.#hand(bytes);
    await this.#until(() => this.#waitingLength === 0);
  }

  #hand(text: string | Uint8Array): void {
    if (this.#stream.destroyed) {
      this.#fail(new ReaderGone());
      return;
    }
    this.#waitingLength += text.length;
    this.#stream.write(text, (error) => {
      this.#waitingLength -= text.length;
      if (error) this.#fail(error);
      this.#wake();
    });
  }

  #fail(error: unknown): void {
    const known = error instanceof ReaderGone || gone.has(systemCode(error) ?? '');
    this.#failure ??= known ? new ReaderGone() : localIoError(error, 'cannot write the output');
    this.#wake();
  }

  #wake(): void {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  /** Waits for the stream until the condition holds; each event of the stream looks again. */
  async #until(holds: () => boolean): Promise<void> {
    if (this.#failure === undefined && holds()) return;
    const wake = () => this.#wake();
    const closed = () => this.#fail(new ReaderGone());
    this.#stream.on('drain', wake).on('close', closed);
    const unheard = this.#ending.onEnd(wake);
    try {
      while (this.#failure === undefined && !holds()) {
        if (this.#ending.reason !== undefined) throw this.#ending.reason;
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve);
        });
      }
    } finally {
      this.#stream.off('drain', wake).off('close', closed);
      unheard();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/**
 * Thrown when the reader of the output has gone (EPIPE): a read then ends with 0, and a bulk write finishes
 * what is in flight (RELIABILITY.md, "Time, memory, signals").
 */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
  constructor() {
    super('The reader of the output is gone.');
  }
}
