import type { Headers } from './contract.js';
import type { Controller, Receiver } from './exchange.js';

/** What came back of an exchange, and how it ended. */
export interface Received {
  /** Status and header; absent where no answer came. */
  head?: { status: number; headers: Headers };
  body: Uint8Array;
  end: 'whole' | 'error' | 'too_large' | 'stopped';
  /** What the connection ended with. */
  error?: unknown;
}

/** How much of a body to keep: bytes, and whether more than that is an error or just not wanted. */
export interface BodyLimit {
  keep: number;
  more: 'error' | 'ignore';
}

const nothing = new Uint8Array(0);

/**
 * Collects an answer up to a limit. Chunks are kept as they come and joined once; a body that is too
 * large is not read to its end.
 */
export class BoundedBody implements Receiver {
  readonly received: Promise<Received>;
  readonly #limitOf: (status: number) => BodyLimit;
  #settle: (received: Received) => void = () => {};
  #controller: Controller | undefined;
  #head: { status: number; headers: Headers } | undefined;
  #limit: BodyLimit = { keep: 0, more: 'ignore' };
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limitOf: (status: number) => BodyLimit) {
    this.#limitOf = limitOf;
    this.received = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  head(status: number, headers: Headers, controller: Controller): void {
    this.#controller = controller;
    this.#head = { status, headers };
    this.#limit = this.#limitOf(status);
    if (Number(headers['content-length'] ?? 0) > this.#limit.keep) this.#overflow();
  }

  data(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit.keep) this.#overflow();
    else this.#chunks.push(chunk);
  }

  end(): void {
    this.#finish('whole');
  }

  error(error: unknown): void {
    this.#finish('error', error);
  }

  /** Gives up waiting for the rest. */
  stop(): void {
    this.#finish('stopped');
  }

  #overflow(): void {
    this.#finish(this.#limit.more === 'error' ? 'too_large' : 'whole');
    this.#controller?.abort(new Error('The rest of the body is not wanted.'));
  }

  #finish(end: Received['end'], error?: unknown): void {
    const [first, second] = this.#chunks;
    const body = second === undefined ? (first ?? nothing) : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    this.#settle({ ...(this.#head && { head: this.#head }), body, end, error });
  }
}
