import { DocsError, usageError } from '../base/errors.js';
import { endingOf, type Io } from '../base/io.js';
import type { Shown } from './fields.js';
import type { JqFilter } from './jq.js';
import { stringify } from './json.js';
import {
  type Format,
  keyed,
  type LinesPage,
  type ListOptions,
  OutputFailed,
  type Page,
  type Printer,
  type PrinterOptions,
  type View,
} from './printer.js';
import { type OutputSink, Sink } from './sink.js';
import { writeStandardError } from './terminal.js';
import { safeText, tabbedLine, wordWrapped } from './text.js';

/**
 * The printer of a run: one sink for standard output, lines on standard error. What lists and records are printed with
 * is loaded for them: a change that says a word or two does without.
 */
export class ConsolePrinter implements Printer {
  readonly #options: PrinterOptions;
  readonly #sink: OutputSink;
  readonly #terminal: boolean;
  readonly #format: Format;
  #filter: Promise<JqFilter> | undefined;
  #changed = false;

  /** @param sink that of another printer of the same run, or one that pages */
  constructor(options: PrinterOptions, sink: OutputSink = new Sink(options.io.stdout, endingOf(options.io))) {
    this.#options = options;
    this.#sink = sink;
    this.#terminal = options.io.stdout.isTTY === true;
    this.#format = options.format ?? (this.#terminal ? 'table' : 'tsv');
  }

  get takesLines(): boolean {
    const { fields, jq, sort } = this.#options;
    const isWhole = fields === undefined && jq === undefined && sort === undefined;
    const isJson = this.#format === 'json' || this.#format === 'ndjson';
    return isJson && isWhole && this.#sink.pass !== undefined;
  }

  async check(view: View): Promise<void> {
    const { fields, jq, sort } = this.#options;
    if (fields !== undefined) (await import('./fields.js')).checkAsked(fields, view);
    if (sort !== undefined) (await import('./sorting.js')).checkedKeys(sort.by, view);
    if (this.#format === 'id' && jq === undefined) {
      const { isKnownField } = await import('./fields.js');
      if (!isKnownField(view.id ?? 'id', view.fields, view.open ?? []))
        throw usageError('no_id', 'these items have no ids; --output id has nothing to print');
    }
    await this.#jq();
  }

  async compileFilter(): Promise<void> {
    await this.#jq();
  }

  changed(): void {
    this.#changed = true;
  }

  async list(
    list: AsyncIterable<Page | LinesPage> | readonly unknown[],
    given: View,
    options: ListOptions = {},
  ) {
    const filter = await this.#jq();
    const { cutNote, extraNote, ListPrinting, single } = await import('./list-printing.js');
    const pages = Symbol.asyncIterator in list ? list : single(list);
    const shown = await this.#shown(given);
    const lists = new ListPrinting(this.#options, this.#sink, this.#format);
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
    const { informed, openFormat } = await import('./open-format.js');
    const shown = await this.#shown(view);
    const whole = () => stringify(shown.pick(value));
    if (filter !== undefined) return this.#told(whole, () => this.#filtered(filter, whole()));
    await this.#told(whole, async () => {
      const format = await informed(openFormat(this.#format, shown, this.#options), [value], true);
      return format.one(shown.picksOne ? shown.pick(value) : value);
    });
  }

  /** The view, and what `--fields` picks of it. */
  async #shown(view: View): Promise<Shown> {
    const { fields } = this.#options;
    if (fields === undefined)
      return { view, fields, pick: (value) => value, picksKeys: false, picksOne: false };
    return (await import('./fields.js')).shownBy(view, fields, this.#format);
  }

  /** A tree in the order of `--sort-by`. @throws usage `not_a_list` for anything else that is to be sorted */
  async #inOrder(value: unknown, view: View): Promise<unknown> {
    const { sort } = this.#options;
    if (sort === undefined) return value;
    if (view.tree === undefined) this.#refuseSort();
    return (await import('./sorting.js')).treeInOrder(value, sort.by, view);
  }

  #refuseSort(): void {
    if (this.#options.sort === undefined) return;
    throw usageError('not_a_list', '--sort-by sorts lists, and what is asked for here is not a list');
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
      const { markedText } = await import('./messages.js');
      return this.#print(await markedText(sentence, io.stdout, color));
    }
    if (!asked && format === undefined && !header) return this.#print(tabbedLine([result.id, result.status]));
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
    throw usageError('no_columns', `this command prints text, which has no columns; remove ${flag}`);
  }

  async value(value: unknown): Promise<void> {
    const { format, jq } = this.#options;
    if (jq !== undefined) return this.one(value, { columns: [], fields: [] });
    if (format === undefined || format === 'json') {
      const { pick } = await this.#shown({ columns: [], fields: [] });
      return this.#print(`${stringify(pick(value), this.#terminal ? 2 : 0)}\n`);
    }
    const { viewOfValue } = await import('./fields.js');
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
    const rows = this.#makesRows() ? (await import('./jq.js')).rowsText : undefined;
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
