import { BoundedBody, type Received } from './bounded-body.js';
import type { Headers } from './contract.js';
import type { Controller, Receiver } from './exchange.js';

/** Bytes that may wait for a slow reader before the sender is told to pause. */
const mostBuffered = 256 * 1024;

/** How a download began: with a stream, or with an answer that is none. */
export type Opened =
  | { type: 'stream'; status: number; headers: Headers; stream: ByteStream }
  | { type: 'answer'; received: Received };

/** The bytes of an answer, passed on as they come; the sender waits where the reader is slower. */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly #controller: Controller;
  readonly #chunks: Uint8Array[] = [];
  #buffered = 0;
  #paused = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #explain: (error: unknown) => unknown = (error) => error;
  #wake: () => void = () => {};

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** Sets how an error of the connection is told to the reader. */
  explainWith(explain: (error: unknown) => unknown): void {
    this.#explain = explain;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered > mostBuffered && !this.#paused) {
      this.#paused = true;
      this.#controller.pause();
    }
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Ends it with an error of the connection, told after the bytes that came before. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Ends it at once; bytes not read yet are dropped. */
  stop(error: unknown): void {
    this.#chunks.length = 0;
    this.#explain = (told) => told;
    this.fail(error);
    this.#controller.abort(new Error('The stream was stopped.'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#release(chunk.length);
          yield chunk;
        } else if (this.#failure !== undefined) {
          throw this.#explain(this.#failure.error);
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (!this.#ended) this.#controller.abort(new Error('The reader has gone.'));
    }
  }

  #release(size: number): void {
    this.#buffered -= size;
    if (!this.#paused || this.#buffered > mostBuffered / 2) return;
    this.#paused = false;
    this.#controller.resume();
  }
}

/** Opens a stream for a success; collects the beginning of anything else. */
export class StreamReceiver implements Receiver {
  readonly opened: Promise<Opened>;
  readonly #bounded: BoundedBody;
  #stream: ByteStream | undefined;
  #open: (opened: Opened) => void = () => {};

  /** @param keep bytes kept of an answer that is no success */
  constructor(keep: number) {
    this.#bounded = new BoundedBody(() => ({ keep, more: 'ignore' }));
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.#bounded.received.then((received) => this.#open({ type: 'answer', received }));
  }

  head(status: number, headers: Headers, controller: Controller): void {
    if (status < 200 || status > 299) {
      this.#bounded.head(status, headers, controller);
      return;
    }
    this.#stream = new ByteStream(controller);
    this.#open({ type: 'stream', status, headers, stream: this.#stream });
  }

  data(chunk: Uint8Array): void {
    if (this.#stream === undefined) this.#bounded.data(chunk);
    else this.#stream.push(chunk);
  }

  end(): void {
    if (this.#stream === undefined) this.#bounded.end();
    else this.#stream.end();
  }

  error(error: unknown): void {
    if (this.#stream === undefined) this.#bounded.error(error);
    else this.#stream.fail(error);
  }

  /** Gives up waiting for the head. */
  stop(): void {
    this.#bounded.stop();
  }
}
