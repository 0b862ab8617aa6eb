import { Readable } from 'node:stream';
import { exitCodes } from '../../src/base/exit-codes.js';
import type { Input, Io } from '../../src/base/io.js';
import { lookSeconds } from '../../src/cli/run/foretell.js';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import { ioHere, sleepHere } from './here.js';
import { Shown, terminalOf } from './shown.js';
import type { OnTerminal, TerminalOptions } from './terminal.js';

/** What a person types. Until a question asks for each key, Ctrl-C is a signal. */
class Keyboard extends Readable implements Input {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  override _read(): void {}
}

/** One of the two outputs of a terminal, which begins each line at the left. */
class Window extends FakeOutput {
  override rows: number;
  /** As of the streams of a process: what is piped into it does not end it. */
  readonly _isStdio = true;
  readonly #shown: Shown;

  constructor(shown: Shown, { columns, rows }: { columns: number; rows: number }) {
    super({ terminal: true, columns });
    this.rows = rows;
    this.#shown = shown;
  }

  override _write(chunk: string | Buffer, encoding: string, done: (error?: Error) => void): void {
    this.#shown.take(chunk.toString().replaceAll('\n', '\r\n'));
    super._write(chunk, encoding, done);
  }
}

/**
 * Runs the sources on a terminal within this process: no process, no pager, no editor. A spinner comes at once where
 * it is asked for, and never elsewhere.
 */
export function onTerminalHere(
  args: readonly string[],
  options: TerminalOptions,
  clock?: Pick<Io, 'now' | 'sleep'>,
): OnTerminal {
  const { env, cwd, columns = 80, rows = 40, before, after, spins = false } = options;
  if (before !== undefined || after !== undefined) throw new Error('A shell needs a program test.');
  const shown = new Shown(columns);
  const stdin = new Keyboard();
  const [stdout, stderr] = [new Window(shown, { columns, rows }), new Window(shown, { columns, rows })];
  const interrupt = new AbortController();
  const io = ioHere({ TERM: 'xterm-256color', DOCS_PAGER: 'cat', ...env }, cwd, {
    ...{ stdin, stdout, stderr },
    sleep: (ms, signal) =>
      (ms === spinnerMs && !spins) || ms === lookMs ? untilAborted(signal) : sleepHere(ms, signal),
    signal: interrupt.signal,
    ...clock,
  });
  const ended = run(args, io).then((code) => {
    restoreEnvironment();
    stdin.destroy();
    // The program dies by the signal itself, for whoever started it.
    return code === exitCodes.interrupted.code ? { code: 0, signal: 2 } : { code, signal: 0 };
  });
  return terminalOf(shown, {
    ended,
    type(typed) {
      if (typed === '\x03' && !stdin.isRaw) interrupt.abort(new Error('SIGINT'));
      else stdin.push(typed);
    },
    resize(width) {
      for (const output of [stdout, stderr]) {
        output.columns = width;
        output.emit('resize');
      }
    },
  });
}

/** How long a question looks for effects: here, until all are found. */
const lookMs = lookSeconds.asking * 1000;
/** How long a command may take before a spinner appears (src/output/progress.ts). */
const spinnerMs = 300;

/** Prompts read these of the environment of the process, so docs sets them there (src/cli/resolve/prompts.ts). */
const given = Object.entries({ NO_COLOR: process.env.NO_COLOR, FORCE_COLOR: process.env.FORCE_COLOR });

function restoreEnvironment(): void {
  for (const [name, value] of given) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((_, fail) => {
    if (signal?.aborted) fail(signal.reason);
    signal?.addEventListener('abort', () => fail(signal.reason));
  });
}
