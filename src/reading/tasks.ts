/** Work that finds further work: so many tasks at once, the urgent ones first. */
export class Tasks {
  readonly #concurrency: number;
  readonly #urgent: Task[] = [];
  readonly #others: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  #failure: { cause: unknown } | undefined;

  /** @param concurrency tasks at once, at least 1 */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** @param urgent whether it finds further tasks, so that none is found when all others are done */
  add(task: Task, urgent = false): void {
    (urgent ? this.#urgent : this.#others).push(task);
    this.#fill();
  }

  /**
   * Waits until nothing is left to do. After a failure nothing new begins.
   * @throws the first failure, once the tasks under way have ended
   */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  #fill(): void {
    while (this.#running.size < this.#concurrency && this.#failure === undefined) {
      const task = this.#urgent.shift() ?? this.#others.shift();
      if (task === undefined) return;
      this.#begin(task);
    }
  }

  #begin(task: Task): void {
    const run: Promise<void> = Promise.resolve()
      .then(task)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .then(() => {
        this.#running.delete(run);
        this.#fill();
      });
    this.#running.add(run);
  }
}

type Task = () => Promise<void>;
