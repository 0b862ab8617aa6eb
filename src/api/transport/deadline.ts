import { setMaxListeners } from 'node:events';
import type { Io } from '../../base/io.js';

/** Why a request has to stop: its deadline passed, or it was aborted. */
export type Stop = { by: 'deadline' } | { by: 'abort'; reason: unknown };

/** The longest delay of a timer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

/** The deadline of one request with its retries, and the signals that may abort it. Must be closed. */
export class Deadline {
  readonly limitMs: number;
  readonly #endsAtMs: number;
  readonly #now: () => number;
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  #stop: Stop | undefined;

  /**
   * @param limitMs the time allowed; Infinity for none
   * @param startMs when it began, milliseconds since the epoch
   * @param sources signals that end the request early
   */
  constructor(io: Io, limitMs: number, startMs: number, sources: readonly AbortSignal[]) {
    this.limitMs = limitMs;
    this.#endsAtMs = startMs + limitMs;
    this.#now = io.now;
    this.#sources = sources;
    const aborted = sources.find((source) => source.aborted);
    const remainingMs = this.remainingMs();
    if (aborted !== undefined) this.#end({ by: 'abort', reason: aborted.reason });
    else if (remainingMs === 0) this.#end({ by: 'deadline' });
    else this.#watch(io, remainingMs);
  }

  #watch(io: Io, remainingMs: number): void {
    // Every request in flight listens; the leak warning at eleven would be a false alarm.
    setMaxListeners(0, ...this.#sources);
    for (const source of this.#sources) source.addEventListener('abort', this.#onAbort);
    if (remainingMs > longestTimerMs) return;
    io.sleep(remainingMs, this.#controller.signal).then(() => this.#end({ by: 'deadline' }), ignore);
  }

  /** Aborted as soon as the request has to stop, or is done. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it has to stop; undefined while it may continue. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Milliseconds left; 0 after the deadline, Infinity without one. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - this.#now());
  }

  /** Clears the timer and stops listening to the signals. */
  close(): void {
    for (const source of this.#sources) source.removeEventListener('abort', this.#onAbort);
    this.#controller.abort('done');
  }

  readonly #onAbort = (event: Event): void => {
    this.#end({ by: 'abort', reason: (event.target as AbortSignal).reason });
  };

  #end(stop: Stop): void {
    if (this.#controller.signal.aborted) return;
    this.#stop = stop;
    this.#controller.abort(stop);
  }
}

function ignore(): void {}
