import { DocsError, usageError } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Io } from '../../base/io.js';
import { CapturedOutput } from '../../output/captured-output.js';
import { loadChalk, type Painter, plain } from '../../output/colors.js';
import { valueAt } from '../../output/fields.js';
import type { Page } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { canRedraw, colorLevel, terminalWidth } from '../../output/terminal.js';
import { safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
import { formatDuration, parseDuration } from '../../settings/duration.js';
import type { Watched } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { outputFormat } from './output.js';
import { look, type WatchedOutput, withOutputs } from './watch-look.js';

/** Where the height of a terminal is not known. */
const usualRows = 24;

/**
 * Shows each reading in the place of the one before, with a line that says how it stands. The cursor stays visible
 * and below, so that whatever ends the process leaves a usable terminal.
 */
class WatchScreen {
  readonly #session: Session;
  readonly #dim: Painter;
  #look: WatchedOutput | undefined;
  #status = '';
  /** The lines that are on the screen, the status last. */
  #drawn: readonly string[] = [];
  #drawing: Promise<void> = Promise.resolve();
  readonly #onResize = () => this.#redraw();

  private constructor(session: Session, dim: Painter) {
    this.#session = session;
    this.#dim = dim;
    this.#io.stdout.on('resize', this.#onResize);
  }

  static async open(session: Session): Promise<WatchScreen> {
    const chalk = await loadChalk(colorLevel(session.io, session.globals, 'stdout'));
    return new WatchScreen(session, chalk?.dim ?? plain);
  }

  /** Draws a reading. */
  async show(look: WatchedOutput, status: string): Promise<void> {
    this.#look = look;
    this.#status = status;
    this.#redraw();
    await this.#drawing;
  }

  /** Draws another status below the last reading. */
  say(status: string): void {
    this.#status = status;
    this.#redraw();
  }

  /** Takes all of it off the screen, for what is printed in its place. */
  async clear(): Promise<void> {
    await this.#end();
    this.#write(back(this.#height() - 1));
    this.#drawn = [];
  }

  /** Leaves the last reading on the screen, without the status. */
  async leave(): Promise<void> {
    await this.#end();
    if (this.#drawn.length > 0) this.#write(back(rowsOf(this.#drawn.slice(-1), this.#columns) - 1));
    this.#drawn = [];
  }

  async #end(): Promise<void> {
    this.#io.stdout.off('resize', this.#onResize);
    await this.#drawing;
  }

  get #io(): Io {
    return this.#session.io;
  }

  get #columns(): number {
    return terminalWidth(this.#io);
  }

  /** One at a time, each with the newest reading and status. */
  #redraw(): void {
    this.#drawing = this.#drawing.then(() => this.#draw());
    this.#drawing.catch(() => {}); // Awaited by `show`.
  }

  async #draw(): Promise<void> {
    const look = this.#look;
    if (look === undefined) return;
    const columns = this.#columns;
    const lines = fitting(await this.#frame(look), this.#io.stdout.rows || usualRows, columns);
    const drawn = [...lines, this.#dim(cut(safeLine(this.#status), columns - 1))];
    // Each line is erased as it is replaced: the screen is never empty in between.
    const text = drawn.map((line) => `\x1b[2K${line}`).join('\r\n');
    this.#write(`\x1b[?2026h${up(this.#height() - 1)}\r${text}\x1b[J\x1b[?2026l`);
    this.#drawn = drawn;
  }

  /** What the command prints on this terminal, its remarks below. */
  async #frame(look: WatchedOutput): Promise<string[]> {
    const { io, printer } = this.#session;
    const [out, talk] = [new CapturedOutput(io.stdout), new CapturedOutput(undefined)];
    await look.replay(printer.onto(withOutputs(io, out, talk)));
    const whole = out.text + talk.text;
    return whole === '' ? [] : whole.replace(/\n$/, '').split('\n');
  }

  /** Lines of the terminal that the last frame takes; a window made narrower breaks its lines. */
  #height(): number {
    return rowsOf(this.#drawn, this.#columns);
  }

  #write(text: string): void {
    const { stdout } = this.#io;
    if (!stdout.destroyed && !stdout.writableEnded) stdout.write(text);
  }
}

/** As many lines as fit above the status; what is cut is counted. */
function fitting(lines: readonly string[], rows: number, columns: number): readonly string[] {
  if (rowsOf(lines, columns) <= rows - 1) return lines;
  let [count, used] = [0, 0];
  for (const line of lines) {
    used += rowsOf([line], columns);
    if (used > rows - 2) break;
    count += 1;
  }
  return [...lines.slice(0, count), `… ${lines.length - count} more rows`];
}

function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');

/** To the beginning of the line that many rows above, with everything from there on erased. */
const back = (rows: number): string => `${up(rows)}\r\x1b[J`;

/** `--watch`: reads again and again, until nothing moves. */

/** Time between two readings, in milliseconds. */
const [usualMs, leastMs, longestMs] = [2000, 1000, 30_000];

/** Each of these made its attempts, as every request does. */
const mostFailures = 10;

/** Failures of a reading that the next one may not meet. */
const passing: readonly ExitName[] = ['server-error', 'network', 'rate-limited', 'deadline'];

type RunOnce = (session: Session) => Promise<unknown>;

/**
 * Runs a reading command until what it reads rests, `--timeout` is over, or somebody ends it. A terminal shows each
 * reading in the place of the last; TSV and NDJSON have a line for each change; other formats print the last reading.
 * @param typed the interval; `true` for the usual one
 * @throws DocsError usage; deadline `still_moving`; what the first reading throws, or one that no later one mends; the
 *   failure that the final state is
 */
export async function watch(session: Session, watched: Watched, typed: unknown, run: RunOnce): Promise<void> {
  const intervalMs = intervalOf(typed);
  const way = wayOf(session);
  if (way === 'end' && watched.final === undefined) throw endless();
  if (way === 'rows' && session.sorts) throw unsortable();
  const state = new WatchState(watched);
  const reader = new Reader(session, run, intervalMs);
  const running: Run = { session, state, reader };
  const last =
    way === 'screen'
      ? await onScreen(running)
      : await (way === 'rows' ? asRows(running) : inFull(running, way === 'again'));
  const failure = await state.failure(session, last);
  if (failure !== undefined) throw failure;
}

interface Run {
  session: Session;
  state: WatchState;
  reader: Reader;
}

/** How it is shown: drawn in place, a line for each change, all of it after each change, or only at the end. */
function wayOf({ io, globals, settings }: Session): 'screen' | 'rows' | 'again' | 'end' {
  const format = outputFormat({ io, settings });
  if (globals.jq !== undefined) return 'end';
  if (format === 'tsv' || format === 'ndjson') return 'rows';
  if (format !== 'table') return 'end';
  // A log of requests would stand between the lines that are drawn again.
  return canRedraw(io, 'stdout') && globals.debug !== true ? 'screen' : 'again';
}

async function onScreen({ session, state, reader }: Run): Promise<WatchedOutput> {
  const progress = startProgress(session.io, { text: 'Fetching', quiet: session.globals.quiet ?? false });
  const screen = await WatchScreen.open(session);
  if (session.watch !== undefined)
    session.watch.waits = (ms, reason) => screen.say(`Waiting ${seconds(ms)}: ${reason} (${reader.said})`);
  try {
    for await (const seen of reader.looks((words) => screen.say(words))) {
      progress.stop();
      if (state.take(seen).isFinal) {
        await screen.clear();
        await seen.replay(session.printer);
        return seen;
      }
      await screen.show(seen, reader.said);
    }
    throw session.io.signal.reason;
  } catch (cause) {
    await screen.leave();
    throw session.io.signal.aborted ? new Left(session.io.signal.reason) : cause;
  } finally {
    progress.stop();
  }
}

/** TSV and NDJSON: the rows that are new, or whose state is. */
async function asRows({ session: { printer }, state, reader }: Run): Promise<WatchedOutput> {
  let last: WatchedOutput | undefined;
  const changes = async function* (): AsyncGenerator<WatchedOutput & { fresh: readonly unknown[] }> {
    for await (const seen of reader.looks((words) => printer.note(words))) {
      const { rows, isFinal } = state.take(seen);
      last = seen;
      yield { ...seen, fresh: rows };
      if (isFinal) return;
    }
  };
  const all = changes();
  const { value: first } = await all.next();
  if (first === undefined) throw new Error('A watch ended without a reading.');
  const pages = async function* (): AsyncGenerator<Page> {
    yield { items: first.fresh, next: 'more' };
    for await (const { fresh } of all) if (fresh.length > 0) yield { items: fresh, next: 'more' };
  };
  if (first.isList) await printer.list(pages(), first.view);
  else for await (const { items } of pages()) for (const item of items) await printer.one(item, first.view);
  last?.remarks(printer);
  return last ?? first;
}

/** The whole, again after each change where nothing can be drawn in place; in other formats only at its end. */
async function inFull({ session: { printer }, state, reader }: Run, again: boolean): Promise<WatchedOutput> {
  let isFirst = true;
  for await (const seen of reader.looks((words) => printer.note(words))) {
    const { changed, isFinal } = state.take(seen);
    const isShown = again ? changed || isFirst : isFinal;
    isFirst = false;
    if (isShown) await seen.replay(printer);
    if (isFinal) return seen;
    if (isShown) printer.note(reader.said);
  }
  throw new Error('A watch ended without a reading.');
}

/** Reads at intervals, also where a reading fails for a while. */
class Reader {
  readonly #session: Session;
  readonly #run: RunOnce;
  readonly #intervalMs: number;
  readonly #untilMs: number;
  #readAt = '';
  /** When it was read, and how often it is. */
  said = '';

  constructor(session: Session, run: RunOnce, intervalMs: number) {
    this.#session = session;
    this.#run = run;
    this.#intervalMs = intervalMs;
    const timeout = session.settings.timeoutMs?.value;
    this.#untilMs = typeof timeout === 'number' ? session.io.now() + timeout : Number.POSITIVE_INFINITY;
  }

  /** @param onFailure gets the words for a read that failed and is repeated */
  async *looks(onFailure: (words: string) => void): AsyncGenerator<WatchedOutput, never> {
    const { io } = this.#session;
    for (let failures = 0, first = true; ; first = false) {
      const seen = await this.#look(first || failures >= mostFailures);
      io.signal.throwIfAborted();
      if (seen instanceof DocsError) failures += 1;
      else failures = 0;
      const waitMs = this.#waitMs(seen, failures);
      if (seen instanceof DocsError) onFailure(this.#failed(seen, waitMs));
      else {
        this.said = this.#read(seen);
        yield seen;
      }
      const leftMs = this.#untilMs - io.now();
      if (leftMs <= 0) throw this.#tooLate();
      await io.sleep(Math.min(waitMs, leftMs), io.signal);
      if (io.now() >= this.#untilMs) throw this.#tooLate();
    }
  }

  /** @returns the failure of a reading that can be made again @throws any other */
  async #look(isLast: boolean): Promise<WatchedOutput | DocsError> {
    try {
      return await look(this.#session, this.#run);
    } catch (cause) {
      if (!isLast && this.#session.io.now() >= this.#untilMs) throw this.#tooLate();
      if (isLast || !(cause instanceof DocsError) || !passing.includes(cause.kind)) throw cause;
      return cause;
    }
  }

  #waitMs(seen: WatchedOutput | DocsError, failures: number): number {
    if (!(seen instanceof DocsError)) return this.#intervalMs;
    const { waitMs } = seen.failure.details ?? {};
    const backoffMs = Math.min(this.#intervalMs * 1.5 ** failures, Math.max(longestMs, this.#intervalMs));
    return Math.max(backoffMs, typeof waitMs === 'number' ? waitMs : 0);
  }

  #read({ missed }: WatchedOutput): string {
    this.#readAt = timeOf(this.#session.io.now());
    const every = `Read ${this.#readAt}, every ${formatDuration(this.#intervalMs)}`;
    return missed === undefined ? every : `${sentence(missed)} (${every})`;
  }

  #failed(failure: DocsError, waitMs: number): string {
    return `${sentence(failure)}; trying again in ${seconds(waitMs)} (last read ${this.#readAt})`;
  }

  #tooLate(): DocsError {
    const { io, settings } = this.#session;
    io.signal.throwIfAborted();
    const within = formatDuration(settings.timeoutMs?.value ?? 'none');
    const message = `still moving after ${within}; the watch ended, and nothing was changed`;
    return new DocsError('deadline', 'still_moving', message, { outcome: 'not-sent', retryable: true });
  }
}

/** Somebody ended the watch, which is how it ends: only the exit code is left to tell. */
export class Left extends DocsError {
  constructor(reason: unknown) {
    const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
    super(kind, kind, 'The watch was ended.');
  }

  override get isTold(): boolean {
    return true;
  }
}

/** @throws DocsError usage `short_interval`; as `parseDuration` */
function intervalOf(typed: unknown): number {
  if (typeof typed !== 'string') return usualMs;
  const ms = parseDuration(typed);
  if (ms === 'none' || ms < leastMs)
    throw usageError('short_interval', `--watch must be at least ${formatDuration(leastMs)}, not ${typed}`);
  return ms;
}

function endless(): DocsError {
  const message =
    'this list is watched until Ctrl-C, so its final state is never printed; use -o ndjson for a line per change';
  return usageError('endless_watch', message);
}

function unsortable(): DocsError {
  const message =
    '--watch prints a line per change here, in the order of the changes, so --sort-by has nothing to sort; ' +
    'remove it, or use -o table';
  return usageError('contradiction', message);
}

function sentence({ message }: DocsError): string {
  return message.replace(/\.$/, '');
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function timeOf(ms: number): string {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** What of a watched command moves, and when it rests. */
class WatchState {
  readonly #watched: Watched;
  /** State by key: of the resources, and of the rows that are printed. */
  #resources: ReadonlyMap<string, string> = new Map();
  #rows: ReadonlyMap<string, string> = new Map();
  /** Keys of what moved while it was watched. */
  readonly #moved = new Set<string>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /**
   * Takes in a reading.
   * @returns the rows that are new or whose state is, whether anything is another than before, and whether all rests
   */
  take({ resources, rows, view, missed }: WatchedOutput): {
    rows: unknown[];
    changed: boolean;
    isFinal: boolean;
  } {
    const keyed = keys(resources, view.id);
    const states = new Map(keyed.map(([key, item]) => [key, this.#stateOf(item)]));
    const changed = !isSame(states, this.#resources);
    for (const [key, item] of keyed) if (!this.#rests(item)) this.#moved.add(key);
    const rowStates = keys(rows, view.id).map(([key, row]) => [key, this.#stateOf(row), row] as const);
    const fresh = rowStates.filter(([key, state]) => this.#rows.get(key) !== state).map(([, , row]) => row);
    this.#resources = states;
    this.#rows = new Map(rowStates.map(([key, state]) => [key, state]));
    const isFinal = missed === undefined && this.ends && resources.every((item) => this.#rests(item));
    return { rows: fresh, changed, isFinal };
  }

  /** Whether it ends by itself. */
  get ends(): boolean {
    return this.#watched.final !== undefined;
  }

  /** The failure that the state at rest is. */
  async failure(session: Session, { resources, view }: WatchedOutput): Promise<DocsError | undefined> {
    const { failure, history } = this.#watched;
    const counting = keys(resources, view.id).filter(([key]) => history !== true || this.#moved.has(key));
    return (await failure?.())?.(
      session,
      counting.map(([, item]) => item),
    );
  }

  #rests(item: unknown): boolean {
    const { field, moving, final = [], error } = this.#watched;
    const value = String(valueAt(item, field));
    if (final.includes(value)) return true;
    return error !== undefined && !moving.includes(value) && valueAt(item, error) !== undefined;
  }

  /** A row without the field, such as an item of a job, is compared as a whole. */
  #stateOf(item: unknown): string {
    const { field, error } = this.#watched;
    const value = valueAt(item, field);
    if (value === undefined) return JSON.stringify(item) ?? '';
    return JSON.stringify([value, error === undefined ? null : (valueAt(item, error) ?? null)]);
  }
}

/** Items by their id; those without one, or with that of another, by their place. */
function keys(items: readonly unknown[], id = 'id'): [key: string, item: unknown][] {
  const known = new Map<string, unknown>();
  for (const [at, item] of items.entries()) {
    const own = valueAt(item, id);
    const key = typeof own === 'string' ? `=${own}` : `#${at}`;
    known.set(known.has(key) ? `#${at}` : key, item);
  }
  return [...known];
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, state]) => other.get(key) === state);
}
