import type { ChildProcess } from 'node:child_process';
import { agentOf } from '../callers.js';
import { startChild } from '../child-process.js';
import type { Io } from '../io.js';
import { shellWords } from '../shell-word.js';
import { Sink } from './sink.js';
import { isCi } from './terminal.js';

/** A program that shows long output page by page, as git and gh use one. */
export interface Pager {
  /** @throws ReaderGone once the pager has ended; the signal's reason; DocsError (exit 13) */
  write(text: string): Promise<void>;
  /** Waits until the reader has left the pager. To be called in any case; never throws. */
  close(): Promise<void>;
}

interface PagerOptions {
  /** Whether `--no-pager` or `--no-input` was given. */
  off: boolean;
  /** Tells why output is not paged. */
  note(line: string): void;
}

/**
 * Starts `$DOCS_PAGER`, else `$PAGER`, else less; LESS=FRX unless LESS is set, so that a text of one screen is just
 * printed.
 * @returns undefined where output is not paged: off a terminal, in CI, for agents, with `cat` or an empty variable,
 *   and where the pager cannot be started, which is noted if someone named it
 */
export async function startPager(io: Io, { off, note }: PagerOptions): Promise<Pager | undefined> {
  if (off || !mayPage(io)) return undefined;
  const named = io.env.DOCS_PAGER ?? io.env.PAGER;
  const [program, ...args] = shellWords(named ?? (io.platform === 'win32' ? '' : 'less'));
  if (program === undefined || program === 'cat') return undefined;
  const child = startChild(io, program, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    own: { LESS: io.env.LESS ?? 'FRX', LV: io.env.LV ?? '-c' },
    isUsers: true,
  });
  const failure = await new Promise<Error | undefined>((done) => {
    child.once('spawn', () => done(undefined));
    child.once('error', done);
  });
  if (failure === undefined) return new RunningPager(io, child);
  if (named !== undefined)
    note(`Cannot start the pager ${program}: ${failure.message}. Printing without it.`);
  return undefined;
}

/** Whether somebody is at the terminal who can leave a pager. */
function mayPage(io: Io): boolean {
  return io.stdout.isTTY === true && !isCi(io) && io.env.TERM !== 'dumb' && agentOf(io) === undefined;
}

class RunningPager implements Pager {
  readonly #child: ChildProcess;
  readonly #sink: Sink;
  readonly #ended: Promise<void>;
  readonly #signal: AbortSignal;

  constructor(io: Io, child: ChildProcess) {
    const { stdin } = child;
    if (stdin === null) throw new Error('The pager was started without a pipe.');
    this.#child = child;
    this.#signal = io.signal;
    this.#sink = new Sink(stdin, io.signal);
    const giveBack = io.lendTerminal?.();
    // Ctrl-C reaches the pager by itself, which then stays; other signals are sent to this program alone.
    const stop = () => {
      if (isTermination(io.signal.reason)) child.kill('SIGTERM');
    };
    io.signal.addEventListener('abort', stop);
    this.#ended = new Promise((done) => {
      child.once('exit', () => {
        io.signal.removeEventListener('abort', stop);
        giveBack?.();
        stdin.destroy();
        done();
      });
    });
  }

  async write(text: string): Promise<void> {
    this.#sink.add(text);
    await this.#sink.push();
  }

  async close(): Promise<void> {
    try {
      if (!this.#signal.aborted) await this.#sink.flush();
    } catch {
      // The reader has left, or the run ends: what is left need not be shown.
    }
    this.#child.stdin?.end();
    await this.#ended;
  }
}

function isTermination(reason: unknown): boolean {
  return reason instanceof Error && reason.message === 'SIGTERM';
}
