import { type DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { defined } from '../base/values.js';
import { plainText } from './cells.js';
import { header } from './columns.js';
import { grouped } from './counted.js';
import type { Page, PrinterOptions, Work } from './printer.js';
import { type Progress, startProgress } from './progress.js';
import { safeLine } from './safe-text.js';

/** How far the printing of a list has come. */

/** What has been printed of a list so far. */
export interface Walk {
  printed: number;
  cut: boolean;
  count?: number;
  extra?: Record<string, unknown>;
}

export async function* single(items: readonly unknown[]): AsyncGenerator<Page> {
  yield { items, count: items.length };
}

export function advance(walk: Walk, page: Page, taken: number, limit: number): Walk {
  const printed = walk.printed + taken;
  const count = page.count ?? walk.count;
  const more =
    page.items.length > taken || page.next !== undefined || (count !== undefined && count > printed);
  const extra = walk.extra ?? page.extra;
  const cut = printed >= limit && more;
  return { printed, cut, ...defined({ count, extra }) };
}

/** A page, and whether items that are printed follow it. */
export interface Foreseen {
  page: Page;
  follows: boolean;
}

/**
 * Pages, each with whether another follows within the limit. Where neither cursor nor count tells, one may.
 * @param looks whether the first page then waits for what the pages have at hand, and for nothing that is fetched
 */
export async function* foreseen(
  pages: AsyncIterable<Page>,
  limit: number,
  looks: boolean,
): AsyncGenerator<Foreseen> {
  const source = pages[Symbol.asyncIterator]();
  let taken = 0;
  let ahead: Promise<IteratorResult<Page>> | undefined;
  try {
    for (;;) {
      const { done, value: page } = await (ahead ?? source.next());
      if (done) return;
      const isFirst = ahead === undefined && taken === 0;
      ahead = undefined;
      taken += page.items.length;
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

async function goesOn(ahead: Promise<IteratorResult<Page>>): Promise<boolean> {
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
function mayGoOn({ items, count, next }: Page): boolean {
  return next !== undefined || count === undefined || count > items.length;
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

/** Characters of JSON beyond which jq cannot hold the values, in the 256 MB that it has. */
export const mostFiltered = 64 << 20;

/** A list that jq cannot hold. */
export function tooLargeToFilter(): DocsError {
  const message =
    '--jq filters the whole list at once, and this one does not fit into its memory. Nothing was printed. ' +
    'Pass --fields to read less of each item, or print the list with -o ndjson and filter that.';
  return usageError('jq_too_large', message);
}

/** What a terminal shows while the next page is on its way. */
export type Wait = Pick<Progress, 'hide' | 'show' | 'stop'>;

/** A spinner while a page is slow, or the progress bar of the work. @param printed how many there are so far */
export function startWait(io: Io, quiet: boolean, work: Work | undefined, printed: () => number): Wait {
  return work === undefined ? spinner(io, quiet, printed) : bar(io, quiet, work);
}

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
