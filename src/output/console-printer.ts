import type { TSchema } from '@sinclair/typebox';
import { DocsError, usageError } from '../errors.js';
import { extraNote } from './extra-note.js';
import { checkFields, isKnownField, picker } from './fields.js';
import { openFormat } from './formats.js';
import { type ItemFormat, informed } from './item-format.js';
import type { JqFilter } from './jq.js';
import { stringify } from './json.js';
import { advance, cutNote, mayGoOn, single, type Walk } from './list-walk.js';
import {
  type Format,
  type ListOptions,
  OutputFailed,
  type Page,
  type Printer,
  type PrinterOptions,
  type View,
  type Work,
} from './printer.js';
import { type Progress, startProgress } from './progress.js';
import { line } from './row-formats.js';
import { safeText } from './safe-text.js';
import { Sink } from './sink.js';
import { writeStandardError } from './standard-error.js';
import { wordWrapped } from './word-wrap.js';

/** Items formatted between two checks of how full the chunk is. */
const batchSize = 100;

/** The printer of a run: one sink for standard output, lines on standard error. */
export class ConsolePrinter implements Printer {
  readonly #options: PrinterOptions;
  readonly #sink: Sink;
  readonly #terminal: boolean;
  readonly #format: Format;
  /** Picks the keys that `--fields` names. */
  readonly #picked: (value: unknown) => unknown;
  #filter: Promise<JqFilter> | undefined;
  #changed = false;

  /** @param sink that of another printer of the same run */
  constructor(options: PrinterOptions, sink = new Sink(options.io.stdout, options.io.signal)) {
    this.#options = options;
    this.#sink = sink;
    this.#terminal = options.io.stdout.isTTY === true;
    this.#format = options.format ?? (this.#terminal ? 'table' : 'tsv');
    this.#picked = options.fields === undefined ? (value) => value : picker(options.fields);
  }

  async check(view: View): Promise<void> {
    const { fields, jq } = this.#options;
    const open = view.open ?? [];
    if (fields !== undefined) checkFields(fields, view.fields, open);
    const id = view.id ?? 'id';
    if (this.#format === 'id' && jq === undefined && !isKnownField(id, view.fields, open)) {
      throw usageError('no_id', 'These items have no ids; --output id has nothing to print.');
    }
    await this.#jq();
  }

  async tryFilter(shape?: TSchema): Promise<void> {
    const { jq = '' } = this.#options;
    const filter = await this.#jq();
    if (filter === undefined || shape === undefined) return;
    const { tryOut } = await import('./jq-trial.js');
    tryOut(filter, jq, shape, this.#makesRows());
  }

  changed(): void {
    this.#changed = true;
  }

  async list(list: AsyncIterable<Page> | readonly unknown[], view: View, options: ListOptions = {}) {
    const pages = Symbol.asyncIterator in list ? list : single(list);
    const filter = await this.#jq();
    const walk =
      filter === undefined
        ? await this.#stream(pages, view, options)
        : await this.#gather(pages, filter, options);
    if (walk.printed === 0 && this.#terminal && view.empty !== undefined) this.note(view.empty);
    if (walk.extra !== undefined && this.#terminal) this.note(extraNote(walk.extra));
    if (walk.cut) this.note(cutNote(walk, this.#options.onCut));
    return { printed: walk.printed, cut: walk.cut };
  }

  async one(value: unknown, view: View): Promise<void> {
    const filter = await this.#jq();
    const whole = () => stringify(this.#picked(value));
    if (filter !== undefined) return this.#told(whole, () => this.#filtered(filter, whole()));
    await this.#told(whole, async () => {
      const format = await informed(openFormat(this.#format, view, this.#options), [value], true);
      return format.one(this.#picksKeys() ? this.#picked(value) : value);
    });
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
    const asked = (this.#options.fields ?? this.#options.jq) !== undefined;
    if (!asked && this.#format === 'table') {
      if (this.#terminal && this.#options.quiet) return;
      return this.#print(`${wordWrapped(safeText(sentence), this.#options.io.stdout)}\n`);
    }
    if (!asked && this.#options.format === undefined && !this.#options.header) {
      return this.#print(line([result.id, result.status]));
    }
    const columns = Object.keys(result).map((path) => ({ path }));
    await this.one(result, { columns, fields: [], kinds: { status: 'state' } });
  }

  async text(text: string): Promise<void> {
    this.#refuseColumns();
    const filter = await this.#jq();
    if (filter !== undefined) return this.#print(await this.#filtered(filter, stringify(text)));
    if (['json', 'ndjson', 'yaml'].includes(this.#format)) return this.one(text, { columns: [], fields: [] });
    if (!this.#terminal) return this.#print(text);
    await this.#print(safeText(text.endsWith('\n') || text === '' ? text : `${text}\n`));
  }

  painted(text: string): Promise<void> {
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
      return this.#print(`${stringify(this.#picked(value), this.#terminal ? 2 : 0)}\n`);
    }
    const { viewOfValue } = await import('./value-view.js');
    const { items, columns } = viewOfValue(value, this.#options.fields);
    const many = Array.isArray(value) || (items !== undefined && !['ndjson', 'yaml'].includes(format));
    if (!many || items === undefined) return this.one(value, { columns, fields: [] });
    await this.list(items, { columns, fields: [] });
  }

  whole(): Printer {
    const { fields: _, asked: __, ...rest } = this.#options;
    return new ConsolePrinter(rest, this.#sink);
  }

  note(text: string): void {
    if (!this.#options.quiet) this.warn(text);
  }

  warn(text: string): void {
    if (text.trim() === '') return;
    const { io } = this.#options;
    writeStandardError(io, `${wordWrapped(safeText(text.trimEnd()), io.stderr)}\n`);
  }

  /** Prints pages as they arrive. A list that fails is left open, so that it cannot pass for a whole one. */
  async #stream(pages: AsyncIterable<Page>, view: View, options: ListOptions): Promise<Walk> {
    const opening = openFormat(this.#format, view, this.#options);
    opening.catch(() => {}); // Awaited below, once the first page has arrived.
    let first = true;
    const walk = await this.#walk(pages, options, async (items, page) => {
      const format = await informed(opening, items);
      if (first) this.#sink.add(format.begin?.(items, mayGoOn(page)) ?? '');
      first = false;
      await this.#printItems(format, items);
    });
    const format = await opening;
    if (first) this.#sink.add(format.begin?.([], false) ?? '');
    await this.#print(format.end?.() ?? '');
    return walk;
  }

  async #printItems(format: ItemFormat, items: readonly unknown[]): Promise<void> {
    for (let at = 0; at < items.length; at += batchSize) {
      const batch = items.slice(at, at + batchSize);
      const picked = this.#picksKeys() ? batch.map(this.#picked) : batch;
      if (this.#sink.add(format.items(picked))) await this.#sink.push();
    }
    await this.#sink.push();
  }

  /** The whole list for a filter, which needs it as one value. */
  async #gather(pages: AsyncIterable<Page>, filter: JqFilter, options: ListOptions): Promise<Walk> {
    const texts: string[] = [];
    const walk = await this.#walk(pages, options, async (items) => {
      for (const item of items) texts.push(stringify(this.#picked(item)));
    });
    const whole = () => `[${texts.join(',')}]`;
    await this.#told(whole, () => this.#filtered(filter, whole()));
    return walk;
  }

  /** Visits the pages up to the limit, with a spinner while a page is slow, or the progress bar of the work. */
  async #walk(
    pages: AsyncIterable<Page>,
    { limit = Number.POSITIVE_INFINITY, work }: ListOptions,
    visit: (items: readonly unknown[], page: Page) => Promise<void>,
  ): Promise<Walk> {
    let walk: Walk = { printed: 0, cut: false };
    const bar = work === undefined ? this.#spinner(() => walk.printed) : this.#bar(work);
    try {
      for await (const page of pages) {
        bar.hide();
        const items = page.items.slice(0, Math.max(0, limit - walk.printed));
        await visit(items, page);
        walk = advance(walk, page, items.length, limit);
        if (walk.printed >= limit) break;
        bar.show();
      }
    } finally {
      bar.stop();
    }
    return walk;
  }

  /** A new spinner for each page, so that it appears only for a slow one. */
  #spinner(printed: () => number): Pick<Progress, 'hide' | 'show' | 'stop'> {
    const { io, quiet } = this.#options;
    const sinceMs = io.now();
    const wait = () => startProgress(io, { text: 'Fetching', quiet, done: printed(), sinceMs });
    let progress = wait();
    const stop = () => progress.stop();
    return {
      hide: stop,
      show: () => {
        progress = wait();
      },
      stop,
    };
  }

  #bar({ text, total, watch }: Work): Progress {
    const { io, quiet } = this.#options;
    const progress = startProgress(io, { text, quiet, total, sinceMs: io.now() });
    watch((done, failed, waitsFor) => progress.count(done, failed, waitsFor));
    return progress;
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
    const { jq } = this.#options;
    if (jq === undefined) return Promise.resolve(undefined);
    this.#filter ??= import('./jq.js').then(({ compileJq }) => compileJq(jq));
    return this.#filter;
  }

  /** Whether `--fields` picks keys. In rows it picks columns, which the format does. */
  #picksKeys(): boolean {
    return this.#options.fields !== undefined && ['json', 'ndjson', 'yaml'].includes(this.#format);
  }
}
