import { setMaxListeners } from 'node:events';
import type { Io } from '../../io.js';

/** Why a request has to stop: its time is over, or somebody wants the run to end. */
export type Stop = { by: 'deadline' } | { by: 'abort'; reason: unknown };

/** A timer cannot be set further ahead than this many milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The time of one request, with its waits and retries, and whatever else may end it. One signal tells
 * of all of these; `close` must be called when the request is done.
 */
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
    // Every request in flight listens; the warning of a leak at eleven would be a false alarm.
    setMaxListeners(0, ...this.#sources);
    for (const source of this.#sources) source.addEventListener('abort', this.#onAbort);
    if (remainingMs > longestTimerMs) return;
    io.sleep(remainingMs, this.#controller.signal).then(() => this.#end({ by: 'deadline' }), ignore);
  }

  /** Aborted as soon as the request has to stop, or is done. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it has to stop; undefined as long as it may go on. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Milliseconds left; 0 once it is over, Infinity without a limit. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - this.#now());
  }

  /** Ends the timer and lets go of the signals. */
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
