import { PassThrough } from 'node:stream';
import type { Io } from '../../../src/base/io.js';

interface Sleeper {
  atMs: number;
  wake(): void;
}

/**
 * Time that passes only when told. `skip` says which sleeps pass at once, moving the clock; the others
 * wait for `advance`.
 */
export class Clock {
  nowMs = Date.parse('2025-01-01T00:00:00Z');
  /** Every sleep asked for, in milliseconds, but for those that were never meant to end (deadlines). */
  readonly slept: number[] = [];
  readonly #skip: (ms: number) => boolean;
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Set<() => void>();

  constructor(skip: (ms: number) => boolean = () => false) {
    this.#skip = skip;
  }

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#skip(ms)) {
      this.slept.push(ms);
      const untilMs = this.nowMs + ms;
      return new Promise((resolve) =>
        setImmediate(() => {
          this.nowMs = Math.max(this.nowMs, untilMs);
          resolve();
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const sleeper = { atMs: this.nowMs + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
      for (const watch of this.#watchers) watch();
    });
  };

  /** Lets time pass: everything due by then wakes up. */
  advance(ms: number): void {
    this.nowMs += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.atMs > this.nowMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** How many sleeps are going on. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Resolves once so many sleeps are going on. */
  async untilSleeping(count: number): Promise<void> {
    while (this.#sleepers.size < count) {
      await new Promise<void>((resolve) => {
        const watch = () => {
          this.#watchers.delete(watch);
          resolve();
        };
        this.#watchers.add(watch);
      });
    }
  }
}

/** An `Io` with a clock of its own; random numbers are the given one. */
export function testIo(
  clock: Clock,
  more: { env?: Record<string, string>; signal?: AbortSignal; random?: number } = {},
): Io {
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: more.env ?? {},
    cwd: '/',
    platform: 'linux',
    now: () => clock.nowMs,
    random: () => more.random ?? 0.5,
    sleep: clock.sleep,
    signal: more.signal ?? new AbortController().signal,
  };
}
