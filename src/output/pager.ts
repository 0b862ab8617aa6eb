import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { runChild, startChild } from '../base/child-process.js';
import type { Io, Paging } from '../base/io.js';
import { shellWords } from '../base/shell-word.js';
import { type OutputSink, ReaderGone, Sink } from './sink.js';
import { canRedraw, terminalWidth, writeStandardError } from './terminal.js';
import { widthOf } from './text-width.js';

interface PagerOptions {
  /** Whether `--no-pager` or `--no-input` was given. */
  off: boolean;
  /** The pager of the user's settings; `off` for none. */
  setting?: string | undefined;
  /** Lines at the top that stay in sight, where the pager can keep them. */
  heading?: number;
  /** Whether policies allow programs; default: as the guard of `io` says. */
  mayRun?: (() => Promise<boolean>) | undefined;
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
  { off, setting, heading = 0, mayRun, note }: PagerOptions,
): Promise<Pager | undefined> {
  if (off || !canRedraw(io, 'stdout')) return undefined;
  const named = namedPager(io, setting);
  const [program, ...args] = shellWords(named ?? 'less');
  if (program === undefined || isOff(program)) return undefined;
  const may = mayRun === undefined ? (await io.guard?.whyNoProgram()) === undefined : await mayRun();
  if (!may) return undefined;
  const keeping = heading > 0 && (await keepsHeading(io, program, args)) ? [`--header=${heading}`] : [];
  const child = startChild(io, program, [...args, ...keeping], {
    stdio: ['pipe', 'inherit', 'inherit'],
    own: { LESS: io.env.LESS ?? 'FRX', LV: io.env.LV ?? '-c' },
  });
  const failure = await new Promise<Error | undefined>((done) => {
    child.once('spawn', () => done(undefined));
    child.once('error', done);
  });
  if (failure === undefined) return new Pager(io, program, child);
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

/** The first version of less that knows `--header`; an older one would stop at a prompt about it. */
const firstWithHeader = 600;

/** Whether it is a less that can keep lines in sight, and nobody has said otherwise. */
async function keepsHeading(io: Io, program: string, args: readonly string[]): Promise<boolean> {
  const isLess = /^less(?:\.exe)?$/.test(basename(program));
  if (!isLess || [io.env.LESS ?? '', ...args].some((word) => word.includes('--header'))) return false;
  const ended = await runChild(io, program, ['--version'], { timeout: 5000 }).catch(() => undefined);
  const said = ended?.stdout.toString('latin1') ?? '';
  return Number(/^less (\d+)/.exec(said)?.[1] ?? 0) >= firstWithHeader;
}

/** A program that shows long output page by page, as git and gh use one. */
export class Pager {
  /** As it was named: `less`. */
  readonly program: string;
  /** Once it has ended: its exit code, null where a signal ended it. Never rejects. */
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
      if (isEndedBy(io.signal, 'SIGTERM')) child.kill('SIGTERM');
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

  /** @throws ReaderGone once the pager has ended; the signal's reason; DocsError (exit 13) */
  async write(text: string): Promise<void> {
    this.#sink.add(text);
    await this.#sink.push();
  }

  /** Waits until the reader has left the pager. To be called in any case; never throws. */
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

/** How long rows are held back while nothing follows: less than a spinner waits, which comes below them. */
const patienceMs = 200;

/** How much is kept to print it without the pager, where that fails at once; in characters. */
const mostKept = 64 * 1024;

/**
 * Standard output of a command that only reads: what does not fit on the screen goes to the pager. Text is held
 * back until it is more than the screen has room for. Where more is slow to come it is printed meanwhile, and a
 * pager that starts later begins at the top all the same.
 */
export class PagingSink implements OutputSink, Paging {
  readonly #io: Io;
  readonly #options: { setting: string | undefined; quiet: boolean; mayRun?: () => Promise<boolean> };
  readonly #plain: Sink;
  readonly #rows: ScreenRows;
  readonly #readerGone = new AbortController();
  /** Aborted with the run, and once the reader has left the pager: nothing more needs to be read then. */
  readonly signal: AbortSignal;
  #phase: 'held' | 'paged' | 'plain' = 'held';
  /** What waits: all of it until the pager starts; then what the next `push` hands over. */
  #text = '';
  /** How much of what is held back was printed already. */
  #shown = 0;
  #headed = 0;
  #pager: Pager | undefined;
  /** All that the pager was given, as long as that is little. */
  #given: string | undefined;
  #isOpen = false;
  #said = '';
  #patience: AbortController | undefined;

  /**
   * @param io of the process: the signal is not yet one that ends with the reader
   * @param options.setting the pager of the user's settings
   * @param options.mayRun asked before a pager starts, once the policies are known
   */
  constructor(
    io: Io,
    options: { setting: string | undefined; quiet: boolean; mayRun?: () => Promise<boolean> },
  ) {
    this.#io = io;
    this.#options = options;
    this.#plain = new Sink(io.stdout, io.signal);
    this.#rows = new ScreenRows({ columns: terminalWidth(io), rows: io.stdout.rows || 24 });
    this.signal = AbortSignal.any([io.signal, this.#readerGone.signal]);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  heading(lines: number): void {
    // Rows that something stands above are not at the top of the pager.
    if (this.#phase === 'held' && this.#text === '') this.#headed = lines;
  }

  add(text: string): boolean {
    if (this.#phase === 'plain') return this.#plain.add(text);
    this.#text += text;
    if (this.#phase === 'paged') return this.#text.length >= mostKept;
    this.#rows.add(text);
    return this.#rows.isFull;
  }

  async push(): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#phase === 'held') {
      if (!this.#rows.isFull) return this.#wait();
      await this.#open();
    }
    if (this.#phase === 'paged') await this.#page();
    else await this.#plain.push();
  }

  async flush(): Promise<void> {
    await this.push();
    if (this.#phase === 'plain') await this.#plain.flush();
  }

  show(): void {
    this.#patience?.abort();
    if (this.#phase !== 'held' || this.#shown === this.#text.length) return;
    this.#plain.add(this.#text.slice(this.#shown));
    this.#shown = this.#text.length;
    this.#plain.push().catch(() => {}); // The next use of the sink, or of the stream, reports it.
  }

  keeps(text: string): boolean {
    if (this.#isOpen) this.#said += text;
    return this.#isOpen;
  }

  /** Why the command ended, as a person sees it: whoever left the pager, or pressed Ctrl-C in it, has had enough. */
  outcome(cause: unknown): unknown {
    const interrupted = this.#pager !== undefined && isEndedBy(this.#io.signal, 'SIGINT');
    if (!interrupted) return this.#readerGone.signal.aborted ? new ReaderGone() : cause;
    if (!this.#options.quiet) this.#said += 'Interrupted: not all of the output was read.\n';
    return new ReaderGone();
  }

  /** Prints what is held back, or waits until the reader has left the pager. Never throws. */
  async close(): Promise<void> {
    this.show();
    try {
      await this.#plain.flush();
      if (this.#phase === 'paged' && this.#text !== '' && !this.signal.aborted) await this.#page();
    } catch {
      // Whoever opened the stream has heard of it.
    }
    await this.#pager?.close();
    await this.#ended();
    if (this.#pager !== undefined && isEndedBy(this.#io.signal, 'SIGINT')) this.#io.signalTaken?.();
  }

  /** Holds the text back, but not while somebody waits for more and sees nothing. */
  #wait(): void {
    this.#patience?.abort();
    const patience = new AbortController();
    this.#patience = patience;
    const stop = AbortSignal.any([patience.signal, this.#io.signal]);
    this.#io.sleep(patienceMs, stop).then(
      () => {
        if (!patience.signal.aborted) this.show();
      },
      () => {},
    );
  }

  async #open(): Promise<void> {
    this.#patience?.abort();
    const notes: string[] = [];
    const { setting, mayRun } = this.#options;
    const options = { off: false, setting, mayRun, heading: this.#headed };
    this.#pager = await startPager(this.#io, { ...options, note: (line) => notes.push(`${line}\n`) });
    if (this.#pager === undefined) {
      this.#printRest(this.#text.slice(this.#shown));
      for (const note of notes) writeStandardError(this.#io, note);
      return;
    }
    this.#phase = 'paged';
    this.#isOpen = true;
    this.#given = '';
    this.#pager.ended.then((code) => {
      if (!this.#hasFailed(code)) this.#readerGone.abort(new ReaderGone());
    });
  }

  /** Hands over what waits. @throws ReaderGone once the reader has left */
  async #page(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    const given = (this.#given ?? '') + text;
    this.#given = this.#given === undefined || given.length > mostKept ? undefined : given;
    try {
      await this.#pager?.write(text);
    } catch (cause) {
      if (!(cause instanceof ReaderGone)) throw cause;
      await this.#ended();
      if (this.#phase !== 'plain') throw cause;
      await this.#plain.push();
    }
  }

  /** Once the pager has ended: says what waited for that; what a pager did not show is printed without it. */
  async #ended(): Promise<void> {
    if (this.#pager === undefined || this.#phase !== 'paged') return;
    const code = await this.#pager.ended;
    this.#isOpen = false;
    if (this.#hasFailed(code)) {
      const { program } = this.#pager;
      writeStandardError(
        this.#io,
        `The pager ${program} failed with exit code ${code}. Printing without it.\n`,
      );
      this.#printRest(this.#given ?? '');
      await this.#plain.flush().catch(() => {});
    }
    if (this.#said !== '') writeStandardError(this.#io, this.#said);
    this.#said = '';
  }

  /** Whether it failed before anyone can have read much in it: a person who leaves a pager makes it end with 0. */
  #hasFailed(code: number | null): boolean {
    return code !== null && code !== 0 && this.#given !== undefined && !this.#io.signal.aborted;
  }

  #printRest(text: string): void {
    this.#phase = 'plain';
    this.#text = '';
    this.#plain.add(text);
  }
}

function isEndedBy({ aborted, reason }: AbortSignal, signal: 'SIGINT' | 'SIGTERM'): boolean {
  return aborted && reason instanceof Error && reason.message === signal;
}

/** Counts the lines that a text takes on the screen, long ones wrapped, until the screen is full. */
export class ScreenRows {
  readonly #columns: number;
  readonly #rows: number;
  #used = 0;
  /** The last line, which has not ended. */
  #open = '';

  constructor({ columns, rows }: { columns: number; rows: number }) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Whether it does not fit: the last line of the screen belongs to the prompt of the shell. */
  get isFull(): boolean {
    return this.#used + (this.#open === '' ? 0 : this.#lines(this.#open)) >= this.#rows;
  }

  add(text: string): void {
    for (let at = 0; at < text.length && this.#used < this.#rows; ) {
      const end = text.indexOf('\n', at);
      if (end === -1) {
        this.#open += text.slice(at);
        return;
      }
      this.#used += this.#lines(this.#open + text.slice(at, end));
      this.#open = '';
      at = end + 1;
    }
  }

  #lines(line: string): number {
    // Longer than any screen: not measured, since that takes time.
    if (line.length > this.#columns * this.#rows * 16) return this.#rows;
    return Math.max(1, Math.ceil(widthOf(line) / this.#columns));
  }
}
