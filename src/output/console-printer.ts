import { DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { defined } from '../base/values.js';
import { markedText } from './check-mark.js';
import { type ColumnSource, type ResolvedColumn, resolveColumns } from './columns.js';
import { checkFields, isKnownField, isRelative } from './fields.js';
import { type ItemFormat, informed } from './item-format.js';
import type { JqFilter } from './jq.js';
import { stringify } from './json.js';
import {
  advance,
  cutNote,
  extraNote,
  type Foreseen,
  foreseen,
  mostFiltered,
  single,
  startWait,
  tooLargeToFilter,
  type Walk,
} from './list-walk.js';
import {
  type Format,
  type ListOptions,
  OutputFailed,
  type Page,
  type Printer,
  type PrinterOptions,
  type View,
} from './printer.js';
import { line } from './row-formats.js';
import { safeText } from './safe-text.js';
import { keyed, type Shown, shownBy } from './shown.js';
import { type OutputSink, Sink } from './sink.js';
import type { SortedList } from './sorting/sorted-list.js';
import { writeStandardError } from './standard-error.js';
import type { Screen } from './table.js';
import { terminalWidth } from './terminal.js';
import { type Named, naming, referencesOf, type Titles } from './titles.js';
import { wordWrapped } from './word-wrap.js';

/** The printer of a run: one sink for standard output, lines on standard error. */
export class ConsolePrinter implements Printer {
  readonly #options: PrinterOptions;
  readonly #sink: OutputSink;
  readonly #terminal: boolean;
  readonly #format: Format;
  readonly #lists: ListPrinting;
  #filter: Promise<JqFilter> | undefined;
  #changed = false;

  /** @param sink that of another printer of the same run, or one that pages */
  constructor(options: PrinterOptions, sink: OutputSink = new Sink(options.io.stdout, options.io.signal)) {
    this.#options = options;
    this.#sink = sink;
    this.#terminal = options.io.stdout.isTTY === true;
    this.#format = options.format ?? (this.#terminal ? 'table' : 'tsv');
    this.#lists = new ListPrinting(options, sink, this.#format);
  }

  async check(view: View): Promise<void> {
    const { fields, jq, sort } = this.#options;
    const open = view.open ?? [];
    if (fields !== undefined && isRelative(fields))
      (await import('./relative-fields.js')).checkRelative(fields, view);
    else if (fields !== undefined) checkFields(fields, view.fields, open);
    if (sort !== undefined) (await import('./sorting/sort-keys.js')).checkedKeys(sort.by, view);
    const id = view.id ?? 'id';
    if (this.#format === 'id' && jq === undefined && !isKnownField(id, view.fields, open)) {
      throw usageError('no_id', 'These items have no ids; --output id has nothing to print.');
    }
    await this.#jq();
  }

  async compileFilter(): Promise<void> {
    await this.#jq();
  }

  changed(): void {
    this.#changed = true;
  }

  async list(list: AsyncIterable<Page> | readonly unknown[], given: View, options: ListOptions = {}) {
    const pages = Symbol.asyncIterator in list ? list : single(list);
    const filter = await this.#jq();
    const shown = await this.#shown(given);
    const lists = this.#lists;
    const sorted = await lists.sorted(pages, given, shown, options, (text) => this.note(text));
    const [all, how] = sorted === undefined ? [pages, options] : [sorted.pages(), this.#options.sort ?? {}];
    const walk = await (filter === undefined
      ? lists.stream(all, shown, how)
      : lists.gather(all, shown, how, (whole) => this.#told(whole, () => this.#filtered(filter, whole()))));
    if (walk.printed === 0 && this.#terminal && given.empty !== undefined) this.note(given.empty);
    if (walk.extra !== undefined && this.#terminal) this.note(extraNote(walk.extra));
    if (walk.cut) this.note(cutNote(walk, this.#options.onCut));
    return { printed: walk.printed, cut: sorted === undefined && walk.cut };
  }

  async one(given: unknown, view: View): Promise<void> {
    const filter = await this.#jq();
    const value = await this.#inOrder(given, view);
    const shown = await this.#shown(view);
    const whole = () => stringify(shown.pick(value));
    if (filter !== undefined) return this.#told(whole, () => this.#filtered(filter, whole()));
    await this.#told(whole, async () => {
      const format = await informed(openShown(this.#format, shown, this.#options), [value], true);
      return format.one(shown.picksOne ? shown.pick(value) : value);
    });
  }

  #shown(view: View): Promise<Shown> {
    return shownBy(view, this.#options, this.#format);
  }

  /** A tree in the order of `--sort-by`. @throws usage `not_a_list` for anything else that is to be sorted */
  async #inOrder(value: unknown, view: View): Promise<unknown> {
    const { sort } = this.#options;
    if (sort === undefined) return value;
    if (view.tree === undefined) this.#refuseSort();
    return (await import('./sorting/sorted-list.js')).treeInOrder(value, sort.by, view);
  }

  #refuseSort(): void {
    if (this.#options.sort === undefined) return;
    throw usageError('not_a_list', '--sort-by sorts lists, and what is asked for here is not a list.');
  }

  /** Prints a text. After a change, one that cannot be made gives way to the whole answer. @throws OutputFailed */
  async #told(whole: () => string, make: () => Promise<string>): Promise<void> {
    if (!this.#changed) return this.#print(await make());
    let isPrinted = false;
    try {
      const text = await make().catch(async (cause: unknown) => {
        await this.#print(`${whole()}\n`);
        isPrinted = true;
        throw cause;
      });
      await this.#print(text);
    } catch (cause) {
      throw cause instanceof DocsError ? new OutputFailed(cause, isPrinted) : cause;
    }
  }

  async done(
    result: { id: string; status: string } & Record<string, unknown>,
    sentence: string,
    view?: View,
  ): Promise<void> {
    if (this.#options.dryRun !== true) this.#changed = true;
    if (view !== undefined && !this.#terminal && this.#options.format === undefined)
      return this.one(result, view);
    const { io, fields, jq, format, color, quiet, header, record } = this.#options;
    const asked = (fields ?? jq) !== undefined || (this.#terminal && record === true);
    if (!asked && this.#format === 'table') {
      if (this.#terminal && quiet) return;
      return this.#print(await markedText(sentence, io.stdout, color));
    }
    if (!asked && format === undefined && !header) return this.#print(line([result.id, result.status]));
    const columns = Object.keys(result).map((path) => ({ path }));
    await this.one(result, { columns, fields: [], kinds: { status: 'state' } });
  }

  async text(text: string): Promise<void> {
    this.#refuseSort();
    this.#refuseColumns();
    const filter = await this.#jq();
    if (filter !== undefined) return this.#print(await this.#filtered(filter, stringify(text)));
    if (keyed.includes(this.#format)) return this.one(text, { columns: [], fields: [] });
    if (!this.#terminal) return this.#print(text);
    await this.#print(safeText(text.endsWith('\n') || text === '' ? text : `${text}\n`));
  }

  async painted(text: string): Promise<void> {
    this.#refuseSort();
    return this.#print(text);
  }

  /** Free text has no fields and no columns. */
  #refuseColumns(): void {
    const { asked, header, csvRaw } = this.#options;
    if (asked === undefined) return;
    const flags = [
      asked.fields && '--fields',
      asked.format && this.#format === 'csv' && '-o csv',
      csvRaw && '--csv-raw',
      header && '--header',
    ];
    const flag = flags.find((each) => typeof each === 'string');
    if (flag === undefined) return;
    throw usageError('no_columns', `This command prints text, which has no columns; remove ${flag}.`);
  }

  async value(value: unknown): Promise<void> {
    const { format, jq } = this.#options;
    if (jq !== undefined) return this.one(value, { columns: [], fields: [] });
    if (format === undefined || format === 'json') {
      const { pick } = await this.#shown({ columns: [], fields: [] });
      return this.#print(`${stringify(pick(value), this.#terminal ? 2 : 0)}\n`);
    }
    const { viewOfValue } = await import('./value-view.js');
    const { items, columns } = viewOfValue(value, this.#options.fields);
    const many = Array.isArray(value) || (items !== undefined && !['ndjson', 'yaml'].includes(format));
    if (!many || items === undefined) return this.one(value, { columns, fields: [] });
    await this.list(items, { columns, fields: [] });
  }

  whole(): Printer {
    const { fields: _, asked: __, sort: ___, ...rest } = this.#options;
    return new ConsolePrinter(rest, this.#sink);
  }

  onto(io: Io): Printer {
    return new ConsolePrinter({ ...this.#options, io });
  }

  note(text: string): void {
    if (!this.#options.quiet) this.warn(text);
  }

  warn(text: string): void {
    if (text.trim() === '') return;
    const { io } = this.#options;
    writeStandardError(io, `${wordWrapped(safeText(text.trimEnd()), io.stderr)}\n`);
  }

  /** Whether `--jq` makes the rows of a table for other programs. */
  #makesRows(): boolean {
    return this.#format === 'csv' && this.#options.asked?.format === true;
  }

  /** Sanitised for a terminal, unchanged in a pipe. */
  async #filtered(filter: JqFilter, json: string): Promise<string> {
    const rows = this.#makesRows() ? (await import('./jq-rows.js')).rowsText : undefined;
    const lines = async () => (await filter.run(json)).map((output) => `${output}\n`).join('');
    const text = await (rows?.(filter, json, this.#options) ?? lines());
    return this.#terminal ? safeText(text) : text;
  }

  async #print(text: string): Promise<void> {
    this.#sink.add(text);
    await this.#sink.flush();
  }

  #jq(): Promise<JqFilter | undefined> {
    const { jq, io, jqLimitMs } = this.#options;
    if (jq === undefined) return Promise.resolve(undefined);
    this.#filter ??= import('./jq.js').then(({ compileJq }) => compileJq(jq, io, jqLimitMs));
    return this.#filter;
  }
}

/** Items formatted between two checks of how full the chunk is. */
const batchSize = 100;

/** How a printer prints lists: as their pages come, as one text for a filter, or in another order. */
class ListPrinting {
  readonly #options: PrinterOptions;
  readonly #sink: OutputSink;
  readonly #format: Format;
  /** Only a table asks what follows, and only on a terminal may that wait for what is at hand. */
  readonly #looks: boolean;

  constructor(options: PrinterOptions, sink: OutputSink, format: Format) {
    this.#options = options;
    this.#sink = sink;
    this.#format = format;
    this.#looks = format === 'table' && options.io.stdout.isTTY === true;
  }

  /** Prints pages as they arrive. A list that fails is left open, so that it cannot pass for a whole one. */
  async stream(pages: AsyncIterable<Page>, shown: Shown, options: ListOptions): Promise<Walk> {
    const opening = openShown(this.#format, shown, this.#options);
    opening.catch(() => {}); // Awaited below, once the first page has arrived.
    let first = true;
    const begin = (format: ItemFormat, items: readonly unknown[], follows: boolean) => {
      this.#sink.heading(this.#format === 'table' && items.length > 0 ? 1 : 0);
      this.#sink.add(format.begin?.(items, follows) ?? '');
      first = false;
    };
    const walk = await this.#walk(pages, options, async (items, { follows }) => {
      const format = await informed(opening, items);
      if (first) begin(format, items, follows);
      await this.#printItems(format, items, shown);
    });
    const format = await opening;
    if (first) begin(format, [], false);
    this.#sink.add(format.end?.() ?? '');
    await this.#sink.flush();
    return walk;
  }

  /** Reads a list as one JSON text for a filter. @param print gets a function that makes the text */
  async gather(
    pages: AsyncIterable<Page>,
    { pick }: Shown,
    options: ListOptions,
    print: (whole: () => string) => Promise<void>,
  ): Promise<Walk> {
    const texts: string[] = [];
    let length = 0;
    const walk = await this.#walk(pages, options, (items) => {
      for (const item of items) {
        const text = stringify(pick(item));
        texts.push(text);
        length += text.length;
      }
      // What a job did is printed in any case; of what is read, no more than can be used.
      if (length > mostFiltered && options.work === undefined) throw tooLargeToFilter();
    });
    await print(() => `[${texts.join(',')}]`);
    return walk;
  }

  /**
   * The whole list in the order of `--sort-by`; undefined where it is printed as it comes.
   * @throws DocsError usage `too_many_to_sort`; what the pages throw
   */
  async sorted(
    pages: AsyncIterable<Page>,
    view: View,
    shown: Shown,
    { work }: ListOptions,
    note: (text: string) => void,
  ): Promise<SortedList | undefined> {
    const { sort, io, jq } = this.#options;
    if (sort === undefined) return undefined;
    const { readSorted } = await import('./sorting/sorted-list.js');
    const format = jq === undefined ? this.#format : 'jq';
    const tell = (text: string) => (io.stderr.isTTY === true ? note(text) : undefined);
    return readSorted({ ...sort, view, shown, format, limit: sort.limit, signal: io.signal, tell }, (visit) =>
      this.#walk(pages, defined({ work }), (_, { page }) => visit(page)),
    );
  }

  async #printItems(format: ItemFormat, items: readonly unknown[], shown: Shown): Promise<void> {
    const { picksKeys, pick } = shown;
    for (let at = 0; at < items.length; at += batchSize) {
      const batch = items.slice(at, at + batchSize);
      if (this.#sink.add(format.items(picksKeys ? batch.map(pick) : batch))) await this.#sink.push();
    }
    await this.#sink.push();
  }

  /** Visits the pages up to the limit; meanwhile shows that a page is slow, or how far the work is. */
  async #walk(
    pages: AsyncIterable<Page>,
    { limit = Number.POSITIVE_INFINITY, work }: ListOptions,
    visit: (items: readonly unknown[], found: Foreseen) => Promise<void> | void,
  ): Promise<Walk> {
    let walk: Walk = { printed: 0, cut: false };
    const { io, quiet } = this.#options;
    const wait = startWait(io, quiet, work, () => walk.printed);
    try {
      for await (const found of foreseen(pages, limit, this.#looks)) {
        wait.hide();
        const { page } = found;
        const items = page.items.slice(0, Math.max(0, limit - walk.printed));
        await visit(items, found);
        walk = advance(walk, page, items.length, limit);
        if (walk.printed >= limit) break;
        wait.show();
      }
    } finally {
      wait.stop();
    }
    return walk;
  }
}

/** The format of one printing, for what `--fields` leaves of a view. */
function openShown(
  format: Format,
  { view, fields }: Shown,
  { fields: _, ...options }: PrinterOptions,
): Promise<ItemFormat> {
  return openFormat(format, view, fields === undefined ? options : { ...options, fields });
}

/** The format of one printing, loaded at first use. `--fields` replace the columns of the view. */
async function openFormat(format: Format, view: ColumnSource, options: PrinterOptions): Promise<ItemFormat> {
  const columns = resolveColumns(view, options.fields);
  if (format === 'json' || format === 'ndjson') {
    const { jsonFormat, ndjsonFormat } = await import('./json.js');
    return format === 'json' ? jsonFormat() : ndjsonFormat();
  }
  if (format === 'yaml') return shielded(await (await import('./yaml.js')).yamlFormat(), options);
  if (format === 'table') return openTable(view, columns, options);
  const { csvFormat, idFormat, tsvFormat } = await import('./row-formats.js');
  if (format === 'csv') return shielded(await csvFormat(columns, options.csvRaw ?? false), options);
  const rows = format === 'id' ? idFormat(view.id ?? 'id') : tsvFormat(columns, options.header ?? false);
  return shielded(rows, options);
}

async function openTable(
  view: ColumnSource,
  columns: readonly ResolvedColumn[],
  options: PrinterOptions,
): Promise<ItemFormat> {
  const [{ tableFormat }, { details }, screen] = await Promise.all([
    import('./table.js'),
    import('./details.js'),
    openScreen(options),
  ]);
  const rest = options.fields === undefined ? (view.kinds ?? {}) : undefined;
  const { titles } = options;
  const names = titles === undefined ? undefined : namesOf(view, titles);
  const named = columns.map((column) => ({ ...column, ...defined({ named: names?.get(column.path) }) }));
  return {
    ...tableFormat(named, screen),
    one: (value) => details(value, named, rest, { ...screen, ...defined({ names }) }),
    ...(titles && { learn: (items, whole) => titles.learn(items, referencesOf(view, whole), view.within) }),
  };
}

/** By path, what puts titles in place of ids. */
function namesOf(view: ColumnSource, titles: Titles): ReadonlyMap<string, Named> {
  const all = Object.entries(referencesOf(view, true));
  return new Map(all.map(([path, kind]) => [path, naming(titles, kind)]));
}

async function openScreen(options: PrinterOptions): Promise<Readonly<Screen>> {
  const { io, color } = options;
  const [{ createPaint }, { loadChalk }, { loadDraw }, { showsLinks }] = await Promise.all([
    import('./paint.js'),
    import('./colors.js'),
    import('./draw.js'),
    import('./links.js'),
  ]);
  const terminal = io.stdout.isTTY === true;
  return {
    columns: terminalWidth(io),
    isTerminal: terminal,
    paint: createPaint(await loadChalk(color)),
    draw: await loadDraw(),
    links: terminal && color > 0 && showsLinks(io.env),
    // Told by the platform's answers, so not before the first is there.
    get nowMs() {
      return terminal ? (options.nowMs ?? io.now)() : undefined;
    },
  };
}

/** Formats for programs that are looked at on a terminal: what they print is sanitised there, too. */
function shielded(format: ItemFormat, { io }: PrinterOptions): ItemFormat {
  if (io.stdout.isTTY !== true) return format;
  const { begin, items, end, one } = format;
  return {
    ...(begin && { begin: (firstPage, more) => safeText(begin(firstPage, more)) }),
    items: (values) => safeText(items(values)),
    ...(end && { end: () => safeText(end()) }),
    one: (value) => safeText(one(value)),
  };
}
