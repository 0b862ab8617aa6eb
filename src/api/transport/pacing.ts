import { setMaxListeners } from 'node:events';
import { isDigits } from '../../base/characters.js';
import { InUse } from '../../base/in-use.js';
import { after, type Ending, endingOf, type Io } from '../../base/io.js';
import type { Headers, Wait } from './contract.js';

/** The platform's clock at the time of a response, in milliseconds since the epoch, if it sent a `Date`. */
export function dateMs(headers: Headers): number | undefined {
  const text = headers.date;
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The platform's id of the request. */
export function requestIdOf(headers: Headers): string | undefined {
  return headers['x-request-id']?.slice(0, 200) || undefined;
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
  return isDigits(text) && text.length < 10 ? Number(text) : undefined;
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
    if (waitMs <= 0) return;
    // Every request that waits listens; the leak warning at eleven would be a false alarm.
    setMaxListeners(0, signal);
    await this.#io.sleep(waitMs, signal).catch(() => {});
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

type DeadlineIo = Pick<Io, 'now' | 'sleep' | 'signal' | 'ending' | 'timer'>;

/**
 * The deadlines of the requests of a transport. One timer and one listener serve all that are open: a job has thousands,
 * eight at a time, and to make both for each would cost as much as sending the request. The timer is left to ring for the
 * next request, since to cancel it costs a single one as much as to make it.
 */
export class Deadlines {
  readonly #io: DeadlineIo;
  readonly #run: Ending;
  readonly #open = new InUse<Deadline>();
  #timer: { atMs: number; cancel: () => void } | undefined;
  #unheard = ignore;

  constructor(io: DeadlineIo) {
    this.#io = io;
    this.#run = endingOf(io);
  }

  /**
   * @param limitMs the time allowed; Infinity for none
   * @param startMs when it began, milliseconds since the epoch
   * @param signal ends the request early, as that of the run does
   */
  open(limitMs: number, startMs: number, signal?: AbortSignal): Deadline {
    const { now } = this.#io;
    const deadline = new Deadline({ limitMs, startMs, now, signal }, () => this.#close(deadline));
    const reason = this.#run.reason ?? (signal?.aborted === true ? signal.reason : undefined);
    if (reason !== undefined) deadline.end({ by: 'abort', reason });
    else if (deadline.remainingMs() === 0) deadline.end({ by: 'deadline' });
    else this.#watch(deadline);
    return deadline;
  }

  #watch(deadline: Deadline): void {
    if (this.#open.size === 0) this.#unheard = this.#run.onEnd(this.#onAbort);
    this.#open.add(deadline);
    const remainingMs = deadline.remainingMs();
    if (remainingMs > longestTimerMs) return;
    if (this.#timer === undefined || deadline.endsAtMs < this.#timer.atMs)
      this.#wait(deadline.endsAtMs, remainingMs);
  }

  /** Ends what is due at a time, then waits for the next that is. */
  #wait(atMs: number, ms: number): void {
    this.#timer?.cancel();
    const ring = () => {
      this.#timer = undefined;
      // By the timer, not by the clock, which somebody may set meanwhile.
      for (const one of this.#open) if (one.endsAtMs <= atMs) one.end({ by: 'deadline' });
      const left = [...this.#open].filter(({ stop }) => stop === undefined);
      const nextMs = Math.min(...left.map(({ endsAtMs }) => endsAtMs));
      if (nextMs - atMs <= longestTimerMs) this.#wait(nextMs, nextMs - atMs);
    };
    this.#timer = { atMs, cancel: after(this.#io, ms, ring) };
  }

  #close(deadline: Deadline): void {
    if (!this.#open.delete(deadline) || this.#open.size > 0) return;
    this.#unheard();
    // Unlike a sleep, it keeps no process alive.
    if (this.#io.timer !== undefined) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  readonly #onAbort = (): void => {
    for (const deadline of this.#open) deadline.end({ by: 'abort', reason: this.#run.reason });
  };
}

interface DeadlineParts {
  limitMs: number;
  startMs: number;
  now: () => number;
  signal: AbortSignal | undefined;
}

/** The deadline of one request with its retries. Must be closed. */
export class Deadline {
  readonly limitMs: number;
  /** Milliseconds since the epoch. */
  readonly endsAtMs: number;
  readonly #now: () => number;
  readonly #source: AbortSignal | undefined;
  readonly #onClose: () => void;
  readonly #listeners = new Set<() => void>();
  /** Made for those who wait with it: most requests have no wait. */
  #controller: AbortController | undefined;
  #stop: Stop | undefined;

  constructor({ limitMs, startMs, now, signal }: DeadlineParts, onClose: () => void) {
    this.limitMs = limitMs;
    this.endsAtMs = startMs + limitMs;
    this.#now = now;
    this.#source = signal;
    this.#onClose = onClose;
    if (signal === undefined) return;
    // The same for every request in flight.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.#onAbort);
  }

  /** Aborted as soon as the request has to stop, or is done. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stop !== undefined) this.#controller.abort(this.#stop);
    return this.#controller.signal;
  }

  /** Why it has to stop; undefined while it may continue. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** @param listener called when the request has to stop. @returns stops listening */
  onStop(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Milliseconds left; 0 after the deadline, Infinity without one. */
  remainingMs(): number {
    return Math.max(0, this.endsAtMs - this.#now());
  }

  /** Stops the request, unless it has to stop already. */
  end(stop: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    this.#controller?.abort(stop);
    for (const listener of this.#listeners) listener();
  }

  /** Stops listening to the signals and the clock. */
  close(): void {
    this.#source?.removeEventListener('abort', this.#onAbort);
    this.#listeners.clear();
    this.#controller?.abort('done');
    this.#onClose();
  }

  readonly #onAbort = (): void => {
    this.end({ by: 'abort', reason: this.#source?.reason });
  };
}

function ignore(): void {}
