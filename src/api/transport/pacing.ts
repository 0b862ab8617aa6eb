import type { Io } from '../../base/io.js';
import type { Headers, Wait } from './contract.js';
import type { Deadline } from './deadline.js';
import { isSpent, resetMs } from './rate-limit.js';

/** A wait that exceeds the time left. */
export interface TooLong {
  waitMs: number;
  remainingMs: number;
}

/** The pace of all requests: a 429 or an exhausted rate limit pauses them (RELIABILITY.md, "Retries"). */
export class Pacing {
  readonly #io: Io;
  readonly #onWait: ((wait: Wait) => void) | undefined;
  #untilMs = 0;
  /** Maximum random delay after the pause, in milliseconds. */
  #spreadMs = 0;
  /** Whether the platform rejected a request; false if it only announced that it would. */
  #refusing = false;
  #announced = true;

  /** Between two requests, in milliseconds; 0 without a limit of our own. */
  readonly #betweenMs: number;
  /** When the next request may be sent by that limit. */
  #turnMs = 0;

  /** @param perSecond requests at most, as `--pace` says */
  constructor(io: Io, onWait?: (wait: Wait) => void, perSecond?: number) {
    this.#io = io;
    this.#onWait = onWait;
    this.#betweenMs = perSecond === undefined ? 0 : 1000 / perSecond;
  }

  /**
   * Waits until one more request may be sent by the limit of our own: each gets its turn, in the order of asking.
   * @param remainingMs it waits no longer
   */
  async turn(signal: AbortSignal, remainingMs: number): Promise<void> {
    if (this.#betweenMs === 0) return;
    const nowMs = this.#io.now();
    const atMs = Math.max(nowMs, this.#turnMs);
    this.#turnMs = atMs + this.#betweenMs;
    const waitMs = Math.min(atMs - nowMs, remainingMs);
    if (waitMs > 0) await this.#io.sleep(waitMs, signal).catch(() => {});
  }

  /** Whether requests may be sent now. */
  get isOpen(): boolean {
    return this.#untilMs === 0 || this.#untilMs <= this.#io.now();
  }

  /** Pauses all requests after a rejection; `spreadMs` is the most that each waits longer, at random. */
  pause(ms: number, spreadMs: number): void {
    this.#pause(ms, spreadMs, true);
  }

  /** Notes a successful response that used up the rate limit. */
  observe(headers: Headers): void {
    if (!isSpent(headers)) return;
    const ms = resetMs(headers, this.#io.now());
    if (ms !== undefined && ms > 0) this.#pause(ms, 0.1 * ms, false);
  }

  /**
   * Waits until requests may be sent again or have to stop. @param attempts made so far, for `onWait`
   * @returns the wait, if it exceeds the time left
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
