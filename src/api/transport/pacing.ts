import { setMaxListeners } from 'node:events';
import type { Io } from '../../base/io.js';
import type { Headers, Wait } from './contract.js';

/** The platform's clock at the time of a response, in milliseconds since the epoch, if it sent a `Date`. */
export function dateMs(headers: Headers): number | undefined {
  const text = headers.date;
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * How long the platform asks to wait, in milliseconds: `Retry-After`, or for a 429 the time until
 * `X-RateLimit-Reset`, which other responses carry for information only.
 * @param nowMs our clock, for responses without a `Date`; the two clocks may differ
 */
export function askedWaitMs(status: number, headers: Headers, nowMs: number): number | undefined {
  return retryAfterMs(headers, nowMs) ?? (status === 429 ? resetMs(headers, nowMs) : undefined);
}

/** `Retry-After` in milliseconds: seconds or an HTTP date. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts nearly anything, such as "-5"; an HTTP date starts with the day of the week.
  const atMs = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - (dateMs(headers) ?? nowMs));
}

/** Time until `X-RateLimit-Reset` (epoch seconds), in milliseconds; undefined if absent. */
function resetMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers['x-ratelimit-reset']?.trim();
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  return Math.max(0, Number(text) * 1000 - (dateMs(headers) ?? nowMs));
}

/** Whether the rate limit is used up until its reset. */
function isSpent(headers: Headers): boolean {
  return headers['x-ratelimit-remaining']?.trim() === '0';
}

/** Requests that are allowed until a reset, used or not. */
export function allowed(headers: Headers): number | undefined {
  const text = headers['x-ratelimit-limit']?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

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
