import { defined } from '../base/values.js';
import { openShown } from './formats.js';
import { type ItemFormat, informed } from './item-format.js';
import { stringify } from './json.js';
import {
  advance,
  type Foreseen,
  foreseen,
  mostFiltered,
  startWait,
  tooLargeToFilter,
  type Walk,
} from './list-walk.js';
import type { Format, ListOptions, Page, PrinterOptions, View } from './printer.js';
import type { Shown } from './shown.js';
import type { OutputSink } from './sink.js';
import type { SortedList } from './sorting/sorted-list.js';

/** Items formatted between two checks of how full the chunk is. */
const batchSize = 100;

/** How a printer prints lists: as their pages come, as one text for a filter, or in another order. */
export class ListPrinting {
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
