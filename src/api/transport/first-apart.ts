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
  /** The last request that went that way. */
  #apart: Controller | undefined;
  readonly #pools: Promise<Connections>[] = [];
  #isClosed = false;

  /** @param later opens the pool */
  constructor(later: () => Promise<Connections>) {
    this.#later = later;
  }

  /** Sends a request apart. @returns what stops it; undefined where it goes by the pool as well */
  protected abstract begin(outgoing: DispatchRequest, exchange: Exchange): Controller | undefined;

  /** Whether a request goes apart, while there is no pool. @param before the last one that did */
  protected isApart({ method, body }: DispatchRequest, before: Controller | undefined): boolean {
    return before === undefined && method === 'GET' && body === null;
  }

  dispatch(outgoing: DispatchRequest, exchange: Exchange): void {
    if (this.#isClosed) {
      exchange.onResponseError(undefined, new ConnectionClosed('CLOSED'));
      return;
    }
    const isApart = this.#pools.length === 0 && this.isApart(outgoing, this.#apart);
    const begun = isApart ? this.begin(outgoing, exchange) : undefined;
    if (begun === undefined) this.dispatchLater(outgoing, exchange);
    else this.#apart = begun;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#apart?.abort(new ConnectionClosed('CLOSED'));
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
