import type { Io } from '../base/io.js';
import { canRedraw, colorLevel } from './terminal.js';
import { grouped, safeLine } from './text.js';

/** Milliseconds before a spinner appears. */
const patienceMs = 300;
const barLength = 20;

interface ProgressOptions {
  /** What is being done: `Fetching`. */
  text: string;
  quiet: boolean;
  /** How many there are in all, if known: gives a bar and the time left. */
  total?: number | undefined;
  /** How many are done already; default: 0. */
  done?: number;
  /** When the first was begun, for the rate, in milliseconds since the epoch; default: now. */
  sinceMs?: number;
}

/** Shows on a terminal that work is under way. Methods may be called at any time, in any order. */
export interface Progress {
  /**
   * How many are done by now, and how many of those failed, if the bar is to tell.
   * @param waitsFor what the platform does not show yet, until the next count
   */
  count(done: number, failed?: number, waitsFor?: string): void;
  /** Takes it off the screen while something is printed. */
  hide(): void;
  show(): void;
  /** Shows what comes next in its place, from 0. @param total how many there are, if known */
  next(text: string, total?: number): void;
  /** Takes it off the screen for good. */
  stop(): void;
}

/** Where progress may be shown: both streams on a terminal of known width, and nobody said no. */
function isWelcome(io: Io, quiet: boolean): boolean {
  const { stdout, stderr } = io;
  return !quiet && stdout.isTTY === true && (stderr.columns ?? 0) > 0 && canRedraw(io, 'stderr');
}

/** Shows a spinner on stderr after 300 ms, or a bar if the total is known; on a terminal only. */
export function startProgress(io: Io, options: ProgressOptions): Progress {
  let phase = startPhase(io, options);
  return {
    count: (done, failed, waitsFor) => phase.count(done, failed, waitsFor),
    hide: () => phase.hide(),
    show: () => phase.show(),
    next(text, total) {
      phase.stop();
      phase = startPhase(io, { text, quiet: options.quiet, total });
    },
    stop: () => phase.stop(),
  };
}

function startPhase(io: Io, options: ProgressOptions): Omit<Progress, 'next'> {
  // Without an AbortSignal, whose end makes an exception.
  if (!isWelcome(io, options.quiet))
    return { count() {}, hide() {}, show: () => io.paging?.show(), stop() {} };
  const ended = new AbortController();
  const sinceMs = options.sinceMs ?? io.now();
  let done = options.done ?? 0;
  let failed: number | undefined;
  let waitsFor: string | undefined;
  let hidden = false;
  let spinner: { text: string; stop(): unknown; start(): unknown } | undefined;
  const line = () =>
    waitsFor === undefined
      ? describe(options, done, io.now() - sinceMs, failed)
      : waiting(waitsFor, done, options.total);
  const text = () => fitted(line(), io.stderr.columns ?? 0);
  const show = async () => {
    await io.sleep(patienceMs, AbortSignal.any([io.signal, ended.signal]));
    const { default: ora } = await import('ora');
    if (ended.signal.aborted) return;
    // The cursor stays: a second Ctrl-C leaves no time to bring it back. Stdin stays: see DESIGN.md on ora.
    const quietly = { discardStdin: false, hideCursor: false, isEnabled: true } as const;
    // ora decides without NO_COLOR.
    const color = colorLevel(io, {}, 'stderr') > 0 && ('cyan' as const);
    spinner = ora({ ...quietly, color, stream: io.stderr as NodeJS.WriteStream, text: text() });
    if (!hidden) start();
  };
  // A pager has the whole screen. What is held back for one comes before the spinner.
  const start = () => {
    io.paging?.show();
    if (io.paging?.isOpen !== true) spinner?.start();
  };
  show().catch(() => {});
  return {
    count(now, nowFailed, nowWaitsFor) {
      done = now;
      waitsFor = nowWaitsFor;
      failed = nowFailed ?? failed;
      if (spinner !== undefined) spinner.text = text();
    },
    hide() {
      hidden = true;
      spinner?.stop();
    },
    show() {
      hidden = false;
      start();
    },
    stop() {
      ended.abort();
      spinner?.stop();
      spinner = undefined;
    },
  };
}

/** Shows on a terminal what is being done, as long as it is. @param total how many there are, if known */
export async function showProgress<T>(
  { io, globals }: { io: Io; globals: { quiet?: boolean } },
  text: string,
  work: (progress: Progress) => Promise<T>,
  total?: number,
): Promise<T> {
  const progress = startProgress(io, { text, quiet: globals.quiet ?? false, total });
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

function waiting(waitsFor: string, done: number, total: number | undefined): string {
  const place = total === undefined ? '' : ` ${grouped(done)}/${grouped(total)}`;
  return `Waiting for the platform to show ${waitsFor}…${place}`;
}

function describe(
  { text, total }: ProgressOptions,
  done: number,
  elapsedMs: number,
  failed: number | undefined,
): string {
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const speed = rate >= 1 ? `, ${grouped(Math.round(rate))}/s` : '';
  if (total === undefined) return done === 0 ? `${text}…` : `${text}… ${grouped(done)}${speed}`;
  const filled = total === 0 ? barLength : Math.min(barLength, Math.floor((done / total) * barLength));
  const bar = '█'.repeat(filled) + '░'.repeat(barLength - filled);
  const time = rate > 0 && done < total ? `, ${duration((total - done) / rate)} left` : '';
  const tally =
    failed === undefined ? '' : `, ${grouped(failed)} failed, ${grouped(total - done)} to go${speed}`;
  return `${text} ${bar} ${grouped(done)}/${grouped(total)}${tally}${time}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** One line: a longer one would leave its beginnings behind on the screen. */
function fitted(text: string, columns: number): string {
  const line = safeLine(text);
  return line.length < columns - 2 ? line : line.slice(0, Math.max(0, columns - 3));
}
