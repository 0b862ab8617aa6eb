import { DocsError } from './base/errors.js';
import { exitCodes } from './base/exit-codes.js';
import type { Ending, Input, Io, Output } from './base/io.js';
import { crashed, run } from './main.js';
import { openInput, openOutput } from './output/standard-streams.js';

/**
 * Runs docs with the process's streams and signals; raises a caught signal again at the end.
 * @param refused why the start fails
 */
export async function runProcess(refused?: DocsError): Promise<void> {
  const signals = new Signals();
  const io = processIo(signals);
  const argv = process.argv.slice(2);
  // Errors of what nobody waits for.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (cause: unknown) => void fail(cause, io, argv));
  const code = await run(argv, io, refused);
  process.exitCode = code;
  const { caught } = signals;
  if (caught !== undefined) die(caught);
  else if (code === exitCodes.interrupted.code && process.stdin.isTTY) {
    signals.unlisten();
    interruptGroup(process.platform);
  } else {
    signals.leave();
    endOnceIdle();
  }
}

/**
 * Ends as soon as nothing is pending: at the end of its loop Node collects garbage, and takes apart what the system
 * frees at once. Bun knows only at that end whether anything is.
 */
function endOnceIdle(): void {
  process.on('beforeExit', () => process.exit());
  if (process.versions.bun !== undefined) return;
  process.nextTick(() => {
    if (process.getActiveResourcesInfo().length === 0) process.exit();
  });
}

/** Says what failed as of any other failure, and ends. An error meanwhile ends it without a word. */
async function fail(cause: unknown, io: Io, argv: readonly string[]): Promise<void> {
  const { code } = exitCodes.bug;
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection');
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, () => process.exit(code));
  await crashed(cause, io, argv);
  process.exit(code);
}

interface Lent {
  /** Ends the program; undefined where Ctrl-C is for it alone. */
  end: Parameters<NonNullable<Io['lendTerminal']>>[0];
}

/** What another program that has the terminal needs to put it in order. */
const tidyingMs = 500;

/** The signals that end a run. Until somebody asks for them, they end the process, as they do in any other. */
class Signals implements Ending {
  #abort: AbortController | undefined;
  #areAsked = false;
  #hasLeft = false;
  #caught: NodeJS.Signals | undefined;
  #reason: Error | undefined;
  readonly #listeners = new Set<() => void>();
  #isTaken = false;
  /** The programs that have the terminal. */
  readonly #lent = new Set<Lent>();
  #dying: NodeJS.Signals | undefined;

  get ending(): Ending {
    if (!this.#areAsked) {
      this.#areAsked = true;
      process.on('SIGINT', this.#onSignal);
      process.on('SIGTERM', this.#onSignal);
    }
    return this;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.ending.reason !== undefined) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  get reason(): unknown {
    return this.#reason;
  }

  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether they are listened to. */
  get areAsked(): boolean {
    return this.#areAsked;
  }

  readonly signalTaken = (): void => {
    this.#isTaken = true;
  };

  readonly lendTerminal: NonNullable<Io['lendTerminal']> = (end) => {
    const program = { end };
    this.#lent.add(program);
    return () => {
      this.#lent.delete(program);
      if (this.#dying !== undefined && this.#lent.size === 0) die(this.#dying);
    };
  };

  /** The signal that was caught, unless another program took it. */
  get caught(): NodeJS.Signals | undefined {
    return this.#isTaken ? undefined : this.#caught;
  }

  /** From now on a signal ends the process. To stop listening costs as much as to begin, and most processes end here. */
  leave(): void {
    this.#hasLeft = true;
  }

  unlisten(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.#hasLeft) {
      die(signal);
      return;
    }
    if (signal === 'SIGINT' && [...this.#lent].some(({ end }) => end === undefined)) return;
    if (this.#caught !== undefined) this.#dieAtOnce(signal);
    this.#caught = signal;
    this.#reason = new Error(signal);
    this.#abort?.abort(this.#reason);
    for (const listener of this.#listeners) listener();
  };

  /** But for the moment in which a pager restores the terminal. */
  #dieAtOnce(signal: NodeJS.Signals): void {
    const ends = [...this.#lent].flatMap(({ end }) => end ?? []);
    const dieNow = () => {
      for (const end of ends) end('SIGKILL');
      die(signal);
    };
    if (ends.length === 0 || this.#dying !== undefined) dieNow();
    this.#dying = signal;
    for (const end of ends) end('SIGTERM');
    setTimeout(dieNow, tidyingMs);
  }
}

/** Ends by the signal itself, so that the caller, such as a shell loop, sees it and stops. */
function die(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  const code = codeFor(signal, process.platform);
  if (code === undefined) process.kill(process.pid, signal);
  else process.exit(code);
}

/** Windows has no signals: a process that sends itself one ends with code 1 there, whichever it was. */
export function codeFor(signal: NodeJS.Signals, platform: NodeJS.Platform): number | undefined {
  if (platform !== 'win32') return undefined;
  return (signal === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted).code;
}

/**
 * During a prompt the terminal is in raw mode, where Ctrl-C sends no signal. Sends SIGINT to the foreground
 * process group, as the terminal would, so that a shell loop stops as well. Windows has no such groups; there the
 * exit code has to do.
 */
function interruptGroup(platform: NodeJS.Platform): void {
  if (platform !== 'win32') process.kill(0, 'SIGINT');
}

function processIo(signals: Signals): Io {
  let stdin: Input | undefined;
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  const mayWait = (): boolean => !signals.areAsked;
  return {
    // Each is made on first access, which takes time; most runs do not need all.
    get stdin() {
      stdin ??= openInput(() => process.stdin);
      return stdin;
    },
    get stdout(): Output {
      stdout ??= openOutput(1, { stream: () => process.stdout, mayWait });
      return stdout;
    },
    get stderr(): Output {
      stderr ??= openOutput(2, { stream: () => process.stderr, mayWait });
      return stderr;
    },
    get signal() {
      return signals.signal;
    },
    get ending() {
      return signals.ending;
    },
    env: process.env,
    // Only then it fails, as an error of the command, where the folder was removed.
    get cwd() {
      return currentFolder();
    },
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep,
    timer(ms, done) {
      const timer = setTimeout(done, ms).unref();
      return () => clearTimeout(timer);
    },
    signalTaken: signals.signalTaken,
    lendTerminal: signals.lendTerminal,
  };
}

/** Without `node:timers/promises`, whose loading is a fiftieth of a short run. */
function sleep(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (stop?.aborted) return fail(stop.reason);
    const onAbort = () => {
      clearTimeout(timer);
      fail(stop?.reason);
    };
    const timer = setTimeout(() => {
      stop?.removeEventListener('abort', onAbort);
      done();
    }, ms);
    stop?.addEventListener('abort', onAbort);
  });
}

/** @throws DocsError local-io where the current folder was removed, or must not be read */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'the current folder no longer exists, or may not be read. Change to another folder.';
    throw new DocsError('local-io', 'no_current_folder', message, { cause, hint: 'cd' });
  }
}
