import { DocsError } from '../../base/errors.js';
import type { Io, Output } from '../../base/io.js';
import { CapturedOutput } from '../../output/captured-output.js';
import { advance, single, type Walk } from '../../output/list-printing.js';
import type { ListOptions, Page, Printer, View } from '../../output/printer.js';
import type { Session } from '../declare/session.js';

/** One reading of a watched command: what it printed, kept to be printed as often as needed. */

/** Something that a command printed, on whatever printer. */
type Play = (printer: Printer) => unknown;

export interface WatchedOutput {
  /** Prints what the command printed. */
  replay(printer: Printer): Promise<void>;
  /** Only the remarks and warnings. */
  remarks(printer: Printer): void;
  /** The resource that moves, or the items of the list in which they do. */
  resources: readonly unknown[];
  /** The rows that it printed, and how they are shown. */
  rows: readonly unknown[];
  view: View;
  /** Whether the rows are those of a list. */
  isList: boolean;
  /** What could not be read, where the command says so after the rest. */
  missed?: DocsError;
}

/** Runs the command and keeps what it prints. @throws what it throws, but for a failure of parts (exit 3) */
export async function look(
  session: Session,
  run: (session: Session) => Promise<unknown>,
): Promise<WatchedOutput> {
  const recorder = new Recorder(session.printer);
  let told: unknown[] | undefined;
  const moves = (resource: unknown) => {
    told = [resource];
  };
  const io = withOutputs(session.io, new CapturedOutput(session.io.stdout), new CapturedOutput(undefined));
  let missed: DocsError | undefined;
  try {
    await run({ ...session, io, printer: recorder, interactive: false, watch: { ...session.watch, moves } });
  } catch (cause) {
    if (!(cause instanceof DocsError && cause.kind === 'partial')) throw cause;
    missed = cause;
  }
  const { rows, view, isList } = recorder;
  return {
    replay: (printer) => recorder.replay(printer),
    remarks: (printer) => recorder.remarks(printer),
    resources: told ?? rows,
    rows,
    view,
    isList,
    missed,
  };
}

/** The same world with other outputs. Its parts are looked up when they are used, as those of a process are. */
export function withOutputs(io: Io, stdout: Output, stderr: Output): Io {
  return Object.create(io, { stdout: { value: stdout }, stderr: { value: stderr } }) as Io;
}

/** A printer that prints later. What it is asked to check is checked by the one it stands for. */
class Recorder implements Printer {
  readonly #own: Printer;
  readonly #plays: { play: Play; isRemark: boolean }[] = [];
  rows: readonly unknown[] = [];
  view: View = { columns: [], fields: [] };
  isList = false;

  readonly takesLines = false;
  readonly done = this.#recorded('done');
  readonly text = this.#recorded('text');
  readonly painted = this.#recorded('painted');
  readonly value = this.#recorded('value');
  readonly note = this.#remark('note');
  readonly warn = this.#remark('warn');

  constructor(own: Printer) {
    this.#own = own;
  }

  async replay(printer: Printer): Promise<void> {
    for (const { play } of this.#plays) await play(printer);
  }

  remarks(printer: Printer): void {
    for (const { play, isRemark } of this.#plays) if (isRemark) void play(printer);
  }

  check(view: View): Promise<void> {
    return this.#own.check(view);
  }

  compileFilter(): Promise<void> {
    return this.#own.compileFilter();
  }

  changed(): void {
    this.#own.changed();
  }

  async list(list: AsyncIterable<Page> | readonly unknown[], view: View, options: ListOptions = {}) {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const pages: Page[] = [];
    let walk: Walk = { printed: 0, cut: false };
    for await (const page of Symbol.asyncIterator in list ? list : single(list)) {
      const taken = Math.min(page.items.length, Math.max(0, limit - walk.printed));
      pages.push(page);
      walk = advance(walk, page, taken, limit);
      if (walk.printed >= limit) break;
    }
    this.#show(pages.flatMap(({ items }) => items).slice(0, walk.printed), view, true);
    const { work: _, ...rest } = options;
    this.#keep((printer) => printer.list(again(pages), view, rest));
    return { printed: walk.printed, cut: walk.cut };
  }

  async one(value: unknown, view: View): Promise<void> {
    this.#show([value], view, false);
    this.#keep((printer) => printer.one(value, view));
  }

  whole(): Printer {
    return this;
  }

  onto(io: Io): Printer {
    return this.#own.onto(io);
  }

  #recorded<K extends 'done' | 'text' | 'painted' | 'value'>(name: K) {
    return async (...given: Parameters<Printer[K]>): Promise<void> =>
      this.#keep((printer) => Reflect.apply(printer[name], printer, given));
  }

  #remark(name: 'note' | 'warn') {
    return (text: string): void => this.#keep((printer) => printer[name](text), true);
  }

  #keep(play: Play, isRemark = false): void {
    this.#plays.push({ play, isRemark });
  }

  /** Of several results the last counts: the rows of `jobs show` follow its head. */
  #show(rows: readonly unknown[], view: View, isList: boolean): void {
    Object.assign(this, { rows, view, isList });
  }
}

async function* again(pages: readonly Page[]): AsyncGenerator<Page> {
  yield* pages;
}
