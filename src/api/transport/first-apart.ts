import { ConnectionClosed, type Connections, type DispatchRequest, type Exchange } from './exchange.js';

/** Connections to one origin of which the first requests go a way of their own, and all else by a pool. */
export abstract class FirstApart implements Connections {
  readonly proxy = undefined;
  readonly #later: () => Promise<Connections>;
  readonly #pools: Promise<Connections>[] = [];
  #isClosed = false;

  /** @param later opens the pool */
  constructor(later: () => Promise<Connections>) {
    this.#later = later;
  }

  /** Whether a request goes apart, while there is no pool. */
  protected abstract isApart(outgoing: DispatchRequest): boolean;

  /** Sends a request apart. */
  protected abstract begin(outgoing: DispatchRequest, exchange: Exchange): void;

  dispatch(outgoing: DispatchRequest, exchange: Exchange): void {
    if (this.#isClosed) {
      exchange.onResponseError(undefined, new ConnectionClosed('CLOSED'));
      return;
    }
    if (this.#pools.length === 0 && this.isApart(outgoing)) this.begin(outgoing, exchange);
    else this.dispatchLater(outgoing, exchange);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pool of this.#pools) await (await pool).close();
  }

  /** Sends a request by the pool. @param own the pool of this request alone: another would send it again */
  protected dispatchLater(outgoing: DispatchRequest, exchange: Exchange, own?: Connections): void {
    const pool = own === undefined ? (this.#pools[0] ?? this.#later()) : Promise.resolve(own);
    if (!this.#pools.includes(pool)) this.#pools.push(pool);
    pool
      .then((opened) => opened.dispatch(outgoing, exchange))
      .catch((error: unknown) => exchange.onResponseError(undefined, error));
  }
}
