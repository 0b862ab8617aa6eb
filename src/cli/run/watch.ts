import { agentOf } from '../../base/callers.js';
import { DocsError, type ExitName, usageError } from '../../base/errors.js';
import type { Page } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { isCi } from '../../output/terminal.js';
import { formatDuration, parseDuration } from '../../settings/duration.js';
import type { Session } from '../declare/session.js';
import type { Watched } from '../declare/watched.js';
import { outputFormat } from './output-form.js';
import { type Look, look } from './watch-look.js';
import { WatchScreen } from './watch-screen.js';
import { WatchState } from './watch-state.js';

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
  const last = await { screen: onScreen, rows: asRows, again: eachChange, end: lastOnly }[way]({
    session,
    state,
    reader,
  });
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
  const isTerminal = io.stdout.isTTY === true;
  const format = outputFormat({ io, settings });
  if (globals.jq !== undefined) return 'end';
  if (format === 'tsv' || format === 'ndjson') return 'rows';
  if (format !== 'table') return 'end';
  // A log of requests would stand between the lines that are drawn again.
  const plain = io.env.TERM === 'dumb' || isCi(io) || agentOf(io) !== undefined || globals.debug === true;
  return isTerminal && !plain ? 'screen' : 'again';
}

async function onScreen({ session, state, reader }: Run): Promise<Look> {
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
async function asRows({ session: { printer }, state, reader }: Run): Promise<Look> {
  let last: Look | undefined;
  const changes = async function* (): AsyncGenerator<Look & { fresh: readonly unknown[] }> {
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

/** Where nothing can be drawn in place: the whole again after each change. */
async function eachChange({ session: { printer }, state, reader }: Run): Promise<Look> {
  let before: Look | undefined;
  for await (const seen of reader.looks((words) => printer.note(words))) {
    const taken = state.take(seen);
    const [changed, isFinal] = [taken.changed || before === undefined, taken.isFinal];
    before = seen;
    if (changed) await seen.replay(printer);
    if (isFinal) return seen;
    if (changed) printer.note(reader.said);
  }
  throw new Error('A watch ended without a reading.');
}

async function lastOnly({ session: { printer }, state, reader }: Run): Promise<Look> {
  for await (const seen of reader.looks((words) => printer.note(words))) {
    if (!state.take(seen).isFinal) continue;
    await seen.replay(printer);
    return seen;
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
  async *looks(onFailure: (words: string) => void): AsyncGenerator<Look, never> {
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
  async #look(isLast: boolean): Promise<Look | DocsError> {
    try {
      return await look(this.#session, this.#run);
    } catch (cause) {
      if (!isLast && this.#session.io.now() >= this.#untilMs) throw this.#tooLate();
      if (isLast || !(cause instanceof DocsError) || !passing.includes(cause.kind)) throw cause;
      return cause;
    }
  }

  #waitMs(seen: Look | DocsError, failures: number): number {
    if (!(seen instanceof DocsError)) return this.#intervalMs;
    const { waitMs } = seen.failure.details ?? {};
    const backoffMs = Math.min(this.#intervalMs * 1.5 ** failures, Math.max(longestMs, this.#intervalMs));
    return Math.max(backoffMs, typeof waitMs === 'number' ? waitMs : 0);
  }

  #read({ missed }: Look): string {
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
class Left extends DocsError {
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
    'This list is watched until Ctrl-C, so its final state is never printed; use -o ndjson for a line per change';
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
