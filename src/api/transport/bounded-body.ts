import type { Headers } from './contract.js';
import { type Controller, Exchange } from './exchange.js';

/** The response to one request, as far as it arrived. */
export interface Received {
  /** Absent where no response arrived. */
  head?: { status: number; headers: Headers };
  body: Uint8Array;
  end: 'whole' | 'error' | 'too_large' | 'stopped';
  /** Why the connection failed. */
  error?: unknown;
}

/** How many bytes of a body to keep, and whether more is an error or simply not needed. */
export interface BodyLimit {
  keep: number;
  more: 'error' | 'ignore';
}

const nothing = new Uint8Array(0);

/**
 * Collects a response up to a limit. Chunks are joined once, at the end; reading stops at the limit.
 */
export class BoundedBody extends Exchange {
  readonly received: Promise<Received>;
  readonly #limitOf: (status: number) => BodyLimit;
  #settle: (received: Received) => void = () => {};
  #controller: Controller | undefined;
  #head: { status: number; headers: Headers } | undefined;
  #limit: BodyLimit = { keep: 0, more: 'ignore' };
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limitOf: (status: number) => BodyLimit) {
    super();
    this.#limitOf = limitOf;
    this.received = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  override cancel(): void {
    this.#finish('stopped');
    super.cancel();
  }

  protected head(status: number, headers: Headers, controller: Controller): void {
    this.#controller = controller;
    this.#head = { status, headers };
    this.#limit = this.#limitOf(status);
    if (Number(headers['content-length'] ?? 0) > this.#limit.keep) this.#overflow();
  }

  protected data(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit.keep) this.#overflow();
    else this.#chunks.push(chunk);
  }

  protected end(): void {
    this.#finish('whole');
  }

  protected error(error: unknown): void {
    this.#finish('error', error);
  }

  #overflow(): void {
    this.#finish(this.#limit.more === 'error' ? 'too_large' : 'whole');
    this.#controller?.abort(new Error('The rest of the body is not needed.'));
  }

  #finish(end: Received['end'], error?: unknown): void {
    const [first, second] = this.#chunks;
    const body = second === undefined ? (first ?? nothing) : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    this.#settle({ ...(this.#head && { head: this.#head }), body, end, error });
  }
}
