import { Readable, Writable } from 'node:stream';
import type { Input, Io, Output } from '../src/base/io.js';

/** An output stream in memory, as a terminal or a pipe, that can also be slow or fail. */
export class FakeOutput extends Writable implements Output {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  /** What was written, one entry a write. */
  readonly writes: string[] = [];
  /** Set to a system error code, such as `EPIPE`, to make the next write fail with it. */
  failWith: string | undefined;
  #held: (() => void)[] | undefined;

  constructor({ terminal = false, columns }: { terminal?: boolean; columns?: number | undefined } = {}) {
    super({ decodeStrings: false });
    if (terminal) this.isTTY = true;
    if (terminal) this.columns = columns ?? 80;
    else if (columns !== undefined) this.columns = columns;
  }

  /** Everything that was written so far. */
  get text(): string {
    return this.writes.join('');
  }

  /** From now on the reader takes nothing until `resume`. */
  pauseReader(): void {
    this.#held ??= [];
  }

  resumeReader(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const release of held) release();
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.failWith !== undefined) {
      done(Object.assign(new Error(this.failWith), { code: this.failWith }));
      return;
    }
    this.writes.push(chunk.toString());
    if (this.#held === undefined) done();
    else this.#held.push(done);
  }

  // What spinners ask of a terminal.
  cursorTo(column: number): boolean {
    return this.write(`\x1b[${column + 1}G`);
  }

  moveCursor(_columns: number, rows: number): boolean {
    return rows === 0 ? true : this.write(rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`);
  }

  clearLine(): boolean {
    return this.write('\x1b[2K');
  }
}

export interface FakeIoOptions {
  /** Which of the streams are terminals; none unless given. */
  terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  /** Width of the terminals; 80 unless given. */
  columns?: number;
  rows?: number;
  /** What is read from standard input. */
  stdin?: string;
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  platform?: NodeJS.Platform;
  /** The clock at the start, ISO 8601; 2025-06-15T12:00:00Z unless given. */
  now?: string;
  /** Seed of `random`; the same seed gives the same numbers. */
  seed?: number;
  /** `skips`: a sleep moves the clock and is over at once. `waits` (the default): until `advance`. */
  sleep?: 'skips' | 'waits';
}

/** The outside world of one run, in memory. */
export interface FakeIo extends Io {
  stdout: FakeOutput;
  stderr: FakeOutput;
  /** Lengths of the sleeps that were begun, in milliseconds. */
  readonly sleeps: number[];
  /** Moves the clock; sleeps that are over by then end, in their order. */
  advance(ms: number): Promise<void>;
  /** Ends the run, as a signal does. */
  abort(reason?: unknown): void;
}

/** Makes a world for a test: fixed clock, seeded randomness, streams whose text can be read. */
export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const { terminals = [], columns, seed = 1 } = options;
  const output = (name: 'stdout' | 'stderr') =>
    new FakeOutput({ terminal: terminals.includes(name), columns });
  const stdin: Input = Readable.from(options.stdin === undefined ? [] : [options.stdin]);
  if (terminals.includes('stdin')) stdin.isTTY = true;
  const controller = new AbortController();
  const clock = fakeClock(Date.parse(options.now ?? '2025-06-15T12:00:00Z'), options.sleep ?? 'waits');
  return {
    stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? {},
    cwd: options.cwd ?? '/work',
    platform: options.platform ?? 'linux',
    random: seeded(seed),
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    ...clock,
  };
}

function fakeClock(startMs: number, mode: 'skips' | 'waits') {
  let nowMs = startMs;
  const sleeps: number[] = [];
  const sleepers = new Set<{ untilMs: number; wake: () => void }>();
  return {
    sleeps,
    now: () => nowMs,
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      sleeps.push(ms);
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (mode === 'skips') {
        nowMs += ms;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const sleeper = { untilMs: nowMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      });
    },
    async advance(ms: number): Promise<void> {
      await settled();
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...sleepers]
          .filter(({ untilMs }) => untilMs <= endMs)
          .sort((a, b) => a.untilMs - b.untilMs);
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.untilMs);
        sleepers.delete(next);
        next.wake();
        await settled();
      }
      nowMs = endMs;
      await settled();
    },
  };
}

/** Lets everything that is ready run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A small generator of numbers in [0, 1), the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
