import {
  ConnectionClosed,
  type Connections,
  type Controller,
  type DispatchRequest,
  type Exchange,
} from './exchange.js';

/** Connections to one origin of which the first read goes a way of its own, and all else by a pool. */
export abstract class FirstApart implements Connections {
  readonly proxy = undefined;
  readonly #later: () => Promise<Connections>;
  #first: Controller | undefined;
  #pool: Promise<Connections> | undefined;
  #isClosed = false;

  /** @param later opens the pool */
  constructor(later: () => Promise<Connections>) {
    this.#later = later;
  }

  /** Sends the first read. @returns what stops it; undefined where it goes by the pool as well */
  protected abstract begin(outgoing: DispatchRequest, exchange: Exchange): Controller | undefined;

  dispatch(outgoing: DispatchRequest, exchange: Exchange): void {
    if (this.#isClosed) {
      exchange.onResponseError(undefined, new ConnectionClosed('CLOSED'));
      return;
    }
    const isFirst = this.#first === undefined && this.#pool === undefined;
    if (isFirst && outgoing.method === 'GET' && outgoing.body === null)
      this.#first = this.begin(outgoing, exchange);
    if (!isFirst || this.#first === undefined) this.dispatchLater(outgoing, exchange);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#first?.abort(new ConnectionClosed('CLOSED'));
    await (await this.#pool)?.close();
  }

  /** Sends a request by the pool. @param pool in place of one that is to be opened */
  protected dispatchLater(outgoing: DispatchRequest, exchange: Exchange, pool?: Connections): void {
    this.#pool ??= pool === undefined ? this.#later() : Promise.resolve(pool);
    this.#pool
      .then((opened) => opened.dispatch(outgoing, exchange))
      .catch((error: unknown) => exchange.onResponseError(undefined, error));
  }
}
