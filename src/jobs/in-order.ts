/** Many items, some at a time: results in input order, whatever finishes first. */

export interface InOrderOptions {
  /** Items under way at once, at least 1. */
  concurrency: number;
  /**
   * What an item must not overtake: of items with the same key the earlier one is finished first.
   * undefined: it waits for none.
   */
  keyOf?(index: number): string | undefined;
}

/** How far results may run ahead of the reader of the results. */
const furthestAhead = 2000;

/**
 * What is done for an index.
 * @param free may be called once what counts for the concurrency is over, such as the request, although
 *   there is something left to do, such as to write down its outcome: the next may begin meanwhile
 */
export type Act<T> = (index: number, free: () => void) => Promise<T>;

/**
 * Runs an action for each index from 0, some at a time, and gives the results in order. Once the
 * caller stops reading, nothing new starts, and the generator ends when what is under way has ended.
 * @param act must not throw: a rejection is a bug, and is thrown here once it is its turn
 */
export async function* runInOrder<T>(count: number, act: Act<T>, options: InOrderOptions): AsyncGenerator<T> {
  const pool = new Pool(count, act, options);
  try {
    for (let index = 0; index < count; index++) yield await pool.result(index);
  } finally {
    await pool.end();
  }
}

class Pool<T> {
  readonly #count: number;
  readonly #act: Act<T>;
  readonly #options: InOrderOptions;
  readonly #running = new Map<number, Promise<T>>();
  /** Those of the running ones that count for the concurrency. */
  readonly #busy = new Set<number>();
  readonly #finished = new Map<number, Promise<T>>();
  readonly #last = new Map<string, Promise<unknown>>();
  #wake: () => void = () => {};
  #next = 0;
  #read = 0;
  #ended = false;

  constructor(count: number, act: Act<T>, options: InOrderOptions) {
    this.#count = count;
    this.#act = act;
    this.#options = options;
  }

  async result(index: number): Promise<T> {
    this.#read = index;
    this.#fill();
    for (;;) {
      const found = this.#finished.get(index);
      if (found !== undefined) {
        this.#finished.delete(index);
        return found;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Starts nothing more and waits for what is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#running.values());
  }

  #fill(): void {
    const most = Math.min(this.#count, this.#read + furthestAhead);
    while (!this.#ended && this.#busy.size < this.#options.concurrency && this.#next < most) {
      this.#start(this.#next);
      this.#next += 1;
    }
  }

  #start(index: number): void {
    const key = this.#options.keyOf?.(index);
    const earlier = key === undefined ? undefined : this.#last.get(key);
    const free = () => {
      this.#busy.delete(index);
      this.#fill();
    };
    const run = (earlier ?? Promise.resolve()).then(() => this.#act(index, free));
    const done = () => {
      this.#running.delete(index);
      this.#finished.set(index, run);
      free();
      this.#wake();
    };
    this.#running.set(index, run);
    this.#busy.add(index);
    if (key !== undefined)
      this.#last.set(
        key,
        run.catch(() => {}),
      );
    run.then(done, done);
  }
}
