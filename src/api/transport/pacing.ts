import type { Io } from '../../io.js';
import type { Headers, Wait } from './contract.js';
import type { Deadline } from './deadline.js';
import { isSpent, resetMs } from './rate-limit.js';

/** A wait that the time left does not allow. */
export interface TooLong {
  waitMs: number;
  remainingMs: number;
}

/**
 * The pace that all requests of a run share: one 429 pauses all of them, and a spent rate limit makes
 * them wait for its reset (RELIABILITY.md, "Retries").
 */
export class Pacing {
  readonly #io: Io;
  readonly #onWait: ((wait: Wait) => void) | undefined;
  #untilMs = 0;
  /** How much later than the end of the pause a request may start, at random. */
  #spreadMs = 0;
  /** Whether the platform refuses requests until then; otherwise it only announced that it would. */
  #refusing = false;
  #announced = true;

  constructor(io: Io, onWait?: (wait: Wait) => void) {
    this.#io = io;
    this.#onWait = onWait;
  }

  /** Whether requests may be sent now. */
  get isOpen(): boolean {
    return this.#untilMs === 0 || this.#untilMs <= this.#io.now();
  }

  /**
   * Pauses all requests: the platform refused one.
   * @param spreadMs how much longer each may wait, at random, so that they do not all come at once
   */
  pause(ms: number, spreadMs: number): void {
    this.#pause(ms, spreadMs, true);
  }

  /** Takes note of a successful answer that spent the last request allowed. */
  observe(headers: Headers): void {
    if (!isSpent(headers)) return;
    const ms = resetMs(headers, this.#io.now());
    if (ms !== undefined && ms > 0) this.#pause(ms, 0.1 * ms, false);
  }

  /**
   * Waits until requests may be sent again.
   * @param attempts attempts made so far, for `onWait`
   * @returns nothing once it may go on or has to stop; the wait, where there is no time for it
   */
  async ready(deadline: Deadline, attempts: number): Promise<TooLong | undefined> {
    let waitedUntilMs = 0;
    while (!this.isOpen && this.#untilMs > waitedUntilMs && deadline.stop === undefined) {
      const pauseMs = this.#untilMs - this.#io.now();
      const remainingMs = deadline.remainingMs();
      if (pauseMs >= remainingMs) return this.#refusing ? { waitMs: pauseMs, remainingMs } : undefined;
      waitedUntilMs = this.#untilMs;
      const ms = pauseMs + this.#spreadMs * this.#io.random();
      await this.#wait(Math.min(ms, remainingMs), deadline, attempts);
    }
    return undefined;
  }

  async #wait(ms: number, deadline: Deadline, attempt: number): Promise<void> {
    if (!this.#announced) {
      this.#announced = true;
      this.#onWait?.({ ms, reason: this.#refusing ? 'rate limit (429)' : 'rate limit spent', attempt });
    }
    await this.#io.sleep(ms, deadline.signal).catch(() => {});
  }

  #pause(ms: number, spreadMs: number, refusing: boolean): void {
    const untilMs = this.#io.now() + ms;
    this.#refusing = refusing || (this.#refusing && !this.isOpen);
    if (untilMs <= this.#untilMs) return;
    this.#untilMs = untilMs;
    this.#spreadMs = spreadMs;
    this.#announced = false;
  }
}
