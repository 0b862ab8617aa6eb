import { type Client, createClient } from '../api/client.js';
import { DocsError } from '../base/errors.js';

/** How long reads with a client may take. */
export interface Limit {
  /** Aborted once the time is up, with `lateError` as its reason. */
  until: AbortSignal;
  /** Called before each request, with how many there were. */
  onRequest?: (requests: number) => void;
  /** Items per page; default: as many as the platform gives. */
  pageSize?: number | undefined;
}

/** The code of the error of a read that was ended, or not begun, because the time was up. */
export const outOfTime = 'out_of_time';

export function lateError(): DocsError {
  return new DocsError('deadline', outOfTime, 'the time for looking it up was over');
}

/** The same client, whose requests end once the time is up, also those under way. */
export function limitedClient(client: Client, { until, onRequest, pageSize }: Limit): Client {
  let requests = 0;
  const transport: Parameters<typeof createClient>[0] = {
    async send(request) {
      until.throwIfAborted();
      onRequest?.(requests);
      requests += 1;
      const signals = request.signal === undefined ? [until] : [until, request.signal];
      return client.send({ ...request, signal: AbortSignal.any(signals) });
    },
    download: (url, options) => client.download(url, options),
    get platformNowMs() {
      return client.platformNowMs;
    },
    // Whoever opened it closes it.
    close: async () => {},
  };
  return createClient(transport, pageSize === undefined ? {} : { pageSize });
}

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
