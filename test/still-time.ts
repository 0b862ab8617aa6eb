import type { Io } from '../src/base/io.js';
import { shortestDeadlineMs, sleepHere } from './e2e/here.js';

/** How long a command may take before a spinner appears (src/output/progress.ts): here, none does. */
const spinnerMs = 300;

/** Time that moves by what is slept alone, so that what is dated is the same in every run. */
export class StillTime {
  readonly #startMs: number;
  #nowMs: number;

  /** @param start ISO 8601 */
  constructor(start: string) {
    this.#startMs = Date.parse(start);
    this.#nowMs = this.#startMs;
  }

  /** @param aheadMs since the start */
  set(aheadMs: number): void {
    this.#nowMs = this.#startMs + aheadMs;
  }

  /** @param at the time to begin at instead of the start, ISO 8601 */
  clock(at?: string): Pick<Io, 'now' | 'sleep'> {
    const aheadMs = at === undefined ? 0 : Date.parse(at) - this.#startMs;
    return {
      now: () => this.#nowMs + aheadMs,
      sleep: (ms, signal) => {
        if (ms === spinnerMs) return untilAborted(signal);
        if (ms < shortestDeadlineMs) this.#nowMs += ms;
        return sleepHere(ms, signal);
      },
    };
  }
}

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((_, fail) => {
    if (signal?.aborted) fail(signal.reason);
    signal?.addEventListener('abort', () => fail(signal.reason));
  });
}
