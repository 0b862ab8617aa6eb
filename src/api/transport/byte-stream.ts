import type { Headers } from './contract.js';
import { BoundedBody, type Controller, type Received } from './exchange.js';

/** Bytes buffered for a slow reader before the sender is paused. */
const mostBuffered = 256 * 1024;

/** How a download began: with a stream, or with a response that has no file. */
export type Opened =
  | { type: 'stream'; status: number; headers: Headers; stream: ByteStream }
  | { type: 'answer'; received: Received };

/** Decides about a download that broke off; known as soon as somebody reads it. */
export interface Recovery {
  /** The error the reader gets. */
  explain(error: unknown): unknown;
  /** Waits for the next attempt; false where there is none. */
  mayResume(error: unknown): Promise<boolean>;
}

/** The bytes of a response as they arrive; pauses the sender while the reader is slower. */
export class ByteStream implements AsyncIterable<Uint8Array> {
  /** Settled by the reader. */
  readonly recovery: Promise<Recovery>;
  readonly #controller: Controller;
  readonly #chunks: Uint8Array[] = [];
  #buffered = 0;
  #paused = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #explain: (error: unknown) => unknown = (error) => error;
  #setRecovery: (recovery: Recovery) => void = () => {};
  #wake: () => void = () => {};

  constructor(controller: Controller) {
    this.#controller = controller;
    this.recovery = new Promise((resolve) => {
      this.#setRecovery = resolve;
    });
  }

  recoverWith(recovery: Recovery): void {
    this.#explain = recovery.explain;
    this.#setRecovery(recovery);
  }

  push(chunk: Uint8Array): void {
    // undici may still deliver the body of a refused continuation.
    if (this.#failure !== undefined) {
      this.#controller.abort(new Error('The stream has failed.'));
      return;
    }
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

  /** Fails the stream; the reader still gets the bytes that arrived before. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Fails the stream immediately and drops unread bytes. */
  stop(error: unknown): void {
    this.#chunks.length = 0;
    this.#explain = (given) => given;
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
      if (!this.#ended) this.#controller.abort(new Error('The reader stopped.'));
    }
  }

  #release(size: number): void {
    this.#buffered -= size;
    if (!this.#paused || this.#buffered > mostBuffered / 2) return;
    this.#paused = false;
    this.#controller.resume();
  }
}

/** Opens a stream for a complete file; collects the start of any other response. */
export class StreamExchange extends BoundedBody {
  readonly opened: Promise<Opened>;
  #stream: ByteStream | undefined;
  #open: (opened: Opened) => void = () => {};

  /** @param keep bytes kept of any other response */
  constructor(keep: number) {
    super(() => ({ keep, more: 'ignore' }));
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.received.then((received) => this.#open({ type: 'answer', received }));
  }

  /** The stream, once it was opened. */
  get stream(): ByteStream | undefined {
    return this.#stream;
  }

  protected override head(status: number, headers: Headers, controller: Controller): void {
    // 206 is a part of a file, and none was asked for.
    if (status < 200 || status > 299 || status === 206) {
      super.head(status, headers, controller);
      return;
    }
    this.#stream = new ByteStream(controller);
    this.#open({ type: 'stream', status, headers, stream: this.#stream });
  }

  protected override data(chunk: Uint8Array): void {
    if (this.#stream === undefined) super.data(chunk);
    else this.#stream.push(chunk);
  }

  protected override end(): void {
    if (this.#stream === undefined) super.end();
    else this.#stream.end();
  }

  protected override error(error: unknown): void {
    if (this.#stream === undefined) super.error(error);
    else this.#stream.fail(error);
  }
}
