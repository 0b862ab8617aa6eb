interface InOrderOptions {
  /** Items that run at once, at least 1. */
  concurrency: number;
  /** Indexes of earlier items that must end before this one begins. */
  after?(index: number): readonly number[] | undefined;
  /** Items that may run ahead of the reader of the results; default: 2000. */
  ahead?: number;
}

const furthestAhead = 2000;

/**
 * What is done for an index. `free` lets the next item begin before this one ends: once its request is
 * answered, while the outcome is still being written.
 */
export type Act<T> = (index: number, free: () => void) => Promise<T>;

/**
 * Runs an action for each index from 0 and yields the results in order. Once the caller stops reading,
 * nothing new starts, and the generator ends when the running items have ended.
 * @param act a rejection is thrown here when its turn comes
 */
export async function* runInOrder<T>(count: number, act: Act<T>, options: InOrderOptions): AsyncGenerator<T> {
  const pool = new Pool(count, act, options);
  try {
    for (let index = 0; index < count; index++) yield await pool.result(index);
  } finally {
    await pool.end();
  }
}

type Pace = Pick<InOrderOptions, 'concurrency' | 'ahead'>;

/** Reads something for each item, some at a time; yields in the order of the items. @throws the first failure */
export function readEach<T, R>(
  { concurrency, ahead }: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  return runInOrder(items.length, (index) => read(items[index] as T), { concurrency, ahead });
}

/** As `readEach`, but all at the end. */
export async function readAll<T, R>(
  pace: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for await (const result of readEach(pace, items, read)) results.push(result);
  return results;
}

class Pool<T> {
  readonly #count: number;
  readonly #act: Act<T>;
  readonly #options: InOrderOptions;
  /** Items that have begun, or wait for others. */
  readonly #running = new Map<number, Promise<T>>();
  /** Items whose turn has come, and which have no place yet; by index. */
  readonly #ready = new Map<number, () => void>();
  readonly #begun = new Set<Promise<T>>();
  /** The running items that count for the concurrency. */
  readonly #busy = new Set<number>();
  readonly #finished = new Map<number, Promise<T>>();
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
    let found = this.#finished.get(index);
    while (found === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      found = this.#finished.get(index);
    }
    this.#finished.delete(index);
    return found;
  }

  /** Starts nothing more and waits for the items that have begun. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#begun);
  }

  #fill(): void {
    const { ahead = furthestAhead } = this.#options;
    const most = Math.min(this.#count, this.#read + ahead);
    while (!this.#ended && this.#busy.size < this.#options.concurrency) {
      const begin = this.#firstReady();
      if (begin !== undefined) begin();
      else if (this.#next < most) {
        this.#start(this.#next);
        this.#next += 1;
      } else return;
    }
  }

  /** The next item that need not wait for another any more. */
  #firstReady(): (() => void) | undefined {
    const index = this.#ready.size === 0 ? undefined : Math.min(...this.#ready.keys());
    const begin = index === undefined ? undefined : this.#ready.get(index);
    if (index !== undefined) this.#ready.delete(index);
    return begin;
  }

  #start(index: number): void {
    // Earlier items that are not running have ended.
    const awaited = this.#options.after?.(index)?.flatMap((other) => this.#running.get(other) ?? []) ?? [];
    const run = new Promise<T>((resolve) => {
      const begin = () => {
        this.#busy.add(index);
        this.#begun.add(run);
        resolve(Promise.resolve().then(() => this.#act(index, () => this.#free(index))));
      };
      // An item that waits for others takes no place meanwhile.
      if (awaited.length === 0) this.#ready.set(index, begin);
      else
        void Promise.allSettled(awaited).then(() => {
          this.#ready.set(index, begin);
          this.#fill();
        });
    });
    const done = () => {
      this.#running.delete(index);
      this.#begun.delete(run);
      this.#finished.set(index, run);
      this.#free(index);
      this.#wake();
    };
    this.#running.set(index, run);
    run.then(done, done);
  }

  #free(index: number): void {
    this.#busy.delete(index);
    this.#fill();
  }
}
