import type { JsonLines } from '../api/transport/json-lines.js';
import type { Io } from '../base/io.js';
import { nextTurn } from '../base/turn.js';
import { plainText } from './cells.js';
import { header } from './columns.js';
import type { Shown } from './fields.js';
import { stringify } from './json.js';
import { informed, openFormat } from './open-format.js';
import {
  type Format,
  type ItemFormat,
  type LinesPage,
  type ListOptions,
  mostFiltered,
  type Page,
  type PrinterOptions,
  sizeOf,
  tooLargeToFilter,
  type View,
  type Work,
} from './printer.js';
import { type Progress, startProgress } from './progress.js';
import type { OutputSink } from './sink.js';
import type { SortedList } from './sorting.js';
import { grouped, safeLine } from './text.js';

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
  async stream(pages: AsyncIterable<Page | LinesPage>, shown: Shown, options: ListOptions): Promise<Walk> {
    const opening = openFormat(this.#format, shown, this.#options);
    opening.catch(() => {}); // Awaited below, once the first page has arrived.
    let first = true;
    // How many results end at once is chance: a table is laid out by the first, so that it looks the same each time.
    const isOfMany = (options.work?.total ?? 1) > 1;
    const begin = (format: ItemFormat, items: readonly unknown[], follows: boolean) => {
      this.#sink.heading(this.#format === 'table' && items.length > 0 ? 1 : 0);
      this.#sink.add(format.begin?.(items, follows) ?? '');
      first = false;
    };
    const printItems = async (items: readonly unknown[], { follows, page }: Foreseen) => {
      // So that the request for the next page leaves first: a connection that is used again waits as long before.
      if (page.next !== undefined) await nextTurn().then(nextTurn);
      const format = await informed(opening, items);
      if (first) begin(format, isOfMany ? items.slice(0, 1) : items, follows || isOfMany);
      await this.#printItems(format, items, shown);
    };
    // Formats of lines have nothing that comes before the items.
    const walk = await this.#walk(pages, options, printItems, async (lines) => {
      const { lines: bytesOf = notTaken } = await opening;
      await (this.#sink.pass?.(bytesOf(lines)) ?? notTaken());
    });
    const format = await opening;
    if (first) begin(format, [], false);
    this.#sink.add(format.end?.() ?? '');
    await this.#sink.flush();
    return walk;
  }

  /** Reads a list as one JSON text for a filter. @param print gets a function that makes the text */
  async gather(
    pages: AsyncIterable<Page | LinesPage>,
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
    pages: AsyncIterable<Page | LinesPage>,
    view: View,
    shown: Shown,
    { work }: ListOptions,
    note: (text: string) => void,
  ): Promise<SortedList | undefined> {
    const { sort, io, jq } = this.#options;
    if (sort === undefined) return undefined;
    const { readSorted } = await import('./sorting.js');
    const format = jq === undefined ? this.#format : 'jq';
    const tell = (text: string) => (io.stderr.isTTY === true ? note(text) : undefined);
    return readSorted({ ...sort, view, shown, format, limit: sort.limit, signal: io.signal, tell }, (visit) =>
      this.#walk(pages, { work }, (items, { page }) => visit({ ...page, items })),
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
    pages: AsyncIterable<Page | LinesPage>,
    { limit = Number.POSITIVE_INFINITY, work }: ListOptions,
    visit: (items: readonly unknown[], found: Foreseen) => Promise<void> | void,
    pass: (lines: JsonLines) => Promise<void> = notTaken,
  ): Promise<Walk> {
    let walk: Walk = { printed: 0, cut: false };
    const { io, quiet } = this.#options;
    const wait = work === undefined ? spinner(io, quiet, () => walk.printed) : bar(io, quiet, work);
    try {
      for await (const found of foreseen(pages, limit, this.#looks)) {
        wait.hide();
        const { page } = found;
        const taken = Math.min(sizeOf(page), Math.max(0, limit - walk.printed));
        const next = advance(walk, page, taken, limit);
        if ('lines' in page) {
          page.lines.cut(taken);
          await pass(page.lines);
        } else await visit(page.items.slice(0, taken), found);
        walk = next;
        if (walk.printed >= limit) break;
        wait.show();
      }
    } finally {
      wait.stop();
    }
    return walk;
  }
}

/** What has been printed of a list so far. */
export interface Walk {
  printed: number;
  cut: boolean;
  count?: number;
  extra?: Record<string, unknown>;
}

function notTaken(): never {
  throw new Error('Pages of lines are for a printer that takes them.');
}

export async function* single(items: readonly unknown[]): AsyncGenerator<Page> {
  yield { items, count: items.length };
}

export function advance(walk: Walk, page: Page | LinesPage, taken: number, limit: number): Walk {
  const printed = walk.printed + taken;
  const count = page.count ?? walk.count;
  const more = sizeOf(page) > taken || page.next !== undefined || (count !== undefined && count > printed);
  const extra = walk.extra ?? page.extra;
  const cut = printed >= limit && more;
  return { printed, cut, count, extra };
}

/** A page, and whether items that are printed follow it. */
export interface Foreseen {
  page: Page | LinesPage;
  follows: boolean;
}

/**
 * Pages, each with whether another follows within the limit. Where neither cursor nor count tells, one may.
 * @param looks whether the first page then waits for what the pages have at hand, and for nothing that is fetched
 */
export async function* foreseen(
  pages: AsyncIterable<Page | LinesPage>,
  limit: number,
  looks: boolean,
): AsyncGenerator<Foreseen> {
  const source = pages[Symbol.asyncIterator]();
  let taken = 0;
  let ahead: Promise<IteratorResult<Page | LinesPage>> | undefined;
  try {
    for (;;) {
      const { done, value: page } = await (ahead ?? source.next());
      if (done) return;
      const isFirst = ahead === undefined && taken === 0;
      ahead = undefined;
      taken += sizeOf(page);
      let follows = taken < limit && mayGoOn(page);
      if (follows && looks && isFirst && page.next === undefined && page.count === undefined) {
        ahead = source.next();
        follows = await goesOn(ahead);
      }
      yield { page, follows };
    }
  } finally {
    await source.return?.();
  }
}

async function goesOn(ahead: Promise<IteratorResult<Page | LinesPage>>): Promise<boolean> {
  const soon = new Promise<boolean>((resolve) => setImmediate(() => resolve(true)));
  return Promise.race([
    ahead.then(
      ({ done }) => done !== true,
      () => true,
    ),
    soon,
  ]);
}

/** Whether items may follow a page. Where the platform does not say, they may. */
function mayGoOn(page: Page | LinesPage): boolean {
  return page.next !== undefined || page.count === undefined || page.count > sizeOf(page);
}

/** What is said of a list that is cut. @param onCut is told the same as numbers */
export function cutNote({ printed, count }: Walk, onCut?: PrinterOptions['onCut']): string {
  onCut?.(printed, count);
  const known = count !== undefined && count > printed;
  return `showing ${grouped(printed)}${known ? ` of ${grouped(count)}` : '; more follow'}`;
}

/** What comes with a list, in a line: `{stats: {total: 120, broken: {total: 3}}}` is `total 120, broken 3`. */
export function extraNote(extra: Record<string, unknown>): string {
  const leaves = (value: unknown, path: readonly string[]): string[] => {
    if (typeof value !== 'object' || value === null) return [`${named(path)} ${plainText(value)}`];
    return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
  };
  return safeLine(leaves(extra, []).join(', '));
}

/** The name of a number, without its envelope; a total is named after what it is in. */
function named([envelope = '', ...path]: readonly string[]): string {
  const own = path.length > 1 && path.at(-1) === 'total' ? path.slice(0, -1) : path;
  const words = own.length === 0 ? [envelope] : own;
  return words.map((word) => header(word).toLowerCase()).join(' ');
}

/** What a terminal shows while the next page is on its way. */
type Wait = Pick<Progress, 'hide' | 'show' | 'stop'>;

/** A new spinner for each page, so that it appears only for a slow one. */
function spinner(io: Io, quiet: boolean, printed: () => number): Wait {
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

function bar(io: Io, quiet: boolean, { text, total, watch }: Work): Progress {
  const progress = startProgress(io, { text, quiet, total, sinceMs: io.now() });
  watch((done, failed, waitsFor) => progress.count(done, failed, waitsFor));
  return progress;
}
