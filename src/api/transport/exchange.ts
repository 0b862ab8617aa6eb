import type { Headers } from './contract.js';

/** What a dispatcher is asked to send. */
export interface DispatchRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What a dispatcher gives to steer an exchange. */
export interface Controller {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Sends a request and tells the exchange what happens to it. */
export type Dispatch = (request: DispatchRequest, exchange: Exchange) => unknown;

/** Takes what comes back. After `end` or `error` nothing more comes. */
export interface Receiver {
  head(status: number, headers: Headers, controller: Controller): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** @param error what the connection ended with; comes after `head`, or without it */
  error(error: unknown): void;
}

/**
 * One request and its answer, as a dispatcher handles them. It knows the one thing that retries turn
 * on: whether the request was written to a connection.
 */
export class Exchange {
  readonly #receiver: Receiver;
  #controller: Controller | undefined;
  #cancelled: Error | undefined;
  #sent = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Whether the request, or a part of it, was written. */
  get sent(): boolean {
    return this.#sent;
  }

  /** Ends it now; one that waits for a connection is never sent. */
  cancel(): void {
    this.#cancelled ??= new Error('The exchange was cancelled.');
    this.#controller?.abort(this.#cancelled);
  }

  /** Called just before the request is written. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#cancelled === undefined) this.#sent = true;
    else controller.abort(this.#cancelled);
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.#receiver.head(status, joinValues(headers), controller);
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.#receiver.data(chunk);
  }

  /**
   * The connection is free for the next request only after a turn of the event loop. Told earlier, a
   * caller that sends at once would have a second connection opened.
   */
  onResponseEnd(): void {
    queueMicrotask(() => setImmediate(() => this.#receiver.end()));
  }

  onResponseError(_controller: Controller | undefined, error: unknown): void {
    this.#receiver.error(error);
  }
}

/** One string a name: several values are joined as HTTP allows. */
function joinValues(headers: Record<string, string | string[] | undefined>): Headers {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = (value ?? []).join(', ');
  }
  return headers as Headers;
}
