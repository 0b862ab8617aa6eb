import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { agentOf } from '../base/callers.js';
import { startChild } from '../base/child-process.js';
import type { Io } from '../base/io.js';
import { shellWords } from '../base/shell-word.js';
import { Sink } from './sink.js';
import { isCi } from './terminal.js';

/** A program that shows long output page by page, as git and gh use one. */
export interface Pager {
  /** As it was named: `less`. */
  readonly program: string;
  /** Once it has ended: its exit code, null where a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>;
  /** @throws ReaderGone once the pager has ended; the signal's reason; DocsError (exit 13) */
  write(text: string): Promise<void>;
  /** Waits until the reader has left the pager. To be called in any case; never throws. */
  close(): Promise<void>;
}

export interface PagerOptions {
  /** Whether `--no-pager` or `--no-input` was given. */
  off: boolean;
  /** The pager of the user's settings; `off` for none. */
  setting?: string | undefined;
  /** Lines at the top that stay in sight, where the pager can keep them. */
  heading?: number;
  /** Tells why output is not paged. */
  note(line: string): void;
}

/**
 * Starts `$DOCS_PAGER`, else the pager of the settings, else `$PAGER`, else less; LESS=FRX unless LESS is set, so
 * that a text of one screen is just printed.
 * @returns undefined where output is not paged: off a terminal, in CI, for agents, with `cat`, `off` or an empty
 *   variable, and where the pager cannot be started, which is noted if someone named it
 */
export async function startPager(
  io: Io,
  { off, setting, heading = 0, note }: PagerOptions,
): Promise<Pager | undefined> {
  if (off || !mayPage(io)) return undefined;
  const named = namedPager(io, setting);
  const [program, ...args] = shellWords(named ?? 'less');
  if (program === undefined || isOff(program)) return undefined;
  const keeping = heading > 0 && (await keepsHeading(io, program, args)) ? [`--header=${heading}`] : [];
  const child = startChild(io, program, [...args, ...keeping], {
    stdio: ['pipe', 'inherit', 'inherit'],
    own: { LESS: io.env.LESS ?? 'FRX', LV: io.env.LV ?? '-c' },
    isUsers: true,
  });
  const failure = await new Promise<Error | undefined>((done) => {
    child.once('spawn', () => done(undefined));
    child.once('error', done);
  });
  if (failure === undefined) return new RunningPager(io, program, child);
  if (named !== undefined) {
    const why = 'code' in failure && failure.code === 'ENOENT' ? 'it was not found' : failure.message;
    note(`Cannot start the pager ${program}: ${why}. Printing without it.`);
  }
  return undefined;
}

/** The pager that somebody chose; on Windows, where less is rare, none is the choice of those who say nothing. */
function namedPager({ env, platform }: Io, setting: string | undefined): string | undefined {
  return env.DOCS_PAGER ?? setting ?? env.PAGER ?? (platform === 'win32' ? '' : undefined);
}

function isOff(program: string): boolean {
  return program === 'cat' || program === 'off';
}

/** Whether somebody is at the terminal who can leave a pager. */
export function mayPage(io: Io): boolean {
  return io.stdout.isTTY === true && !isCi(io) && io.env.TERM !== 'dumb' && agentOf(io) === undefined;
}

/** The first version of less that knows `--header`; an older one would stop at a prompt about it. */
const firstWithHeader = 600;

/** Whether it is a less that can keep lines in sight, and nobody has said otherwise. */
async function keepsHeading(io: Io, program: string, args: readonly string[]): Promise<boolean> {
  const isLess = /^less(?:\.exe)?$/.test(basename(program));
  if (!isLess || [io.env.LESS ?? '', ...args].some((word) => word.includes('--header'))) return false;
  const child = startChild(io, program, ['--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    isUsers: true,
    timeout: 5000,
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  await new Promise<void>((done) => {
    child.once('close', () => done());
    child.once('error', () => done());
  });
  return Number(/^less (\d+)/.exec(said)?.[1] ?? 0) >= firstWithHeader;
}

class RunningPager implements Pager {
  readonly program: string;
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #sink: Sink;
  readonly #signal: AbortSignal;

  constructor(io: Io, program: string, child: ChildProcess) {
    const { stdin } = child;
    if (stdin === null) throw new Error('The pager was started without a pipe.');
    this.program = program;
    this.#child = child;
    this.#signal = io.signal;
    this.#sink = new Sink(stdin, io.signal);
    const giveBack = io.lendTerminal?.((signal) => child.kill(signal));
    // Ctrl-C reaches the pager by itself, which then stays at the first one; other signals are sent to this program alone.
    const stop = () => {
      if (isTermination(io.signal.reason)) child.kill('SIGTERM');
    };
    io.signal.addEventListener('abort', stop);
    this.ended = new Promise((done) => {
      const end = (code: number | null) => {
        io.signal.removeEventListener('abort', stop);
        giveBack?.();
        stdin.destroy();
        done(code);
      };
      // Where both came while the process had to wait, Bun tells of the end before a Ctrl-C that came first.
      child.once('exit', (code) => setImmediate(end, code));
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
    await this.ended;
  }
}

function isTermination(reason: unknown): boolean {
  return reason instanceof Error && reason.message === 'SIGTERM';
}
