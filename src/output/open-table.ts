import { createPaint, loadChalk } from './colors.js';
import {
  type ColumnSource,
  type Named,
  naming,
  type ResolvedColumn,
  referencesOf,
  type Titles,
} from './columns.js';
import type { ItemFormat, PrinterOptions } from './printer.js';
import type { Screen } from './table.js';
import { showsLinks, terminalWidth } from './terminal.js';

/** A table, or the details of one item: for a person. A row of text for another program loads none of it. */
export async function openTable(
  view: ColumnSource,
  columns: readonly ResolvedColumn[],
  isWhole: boolean,
  options: PrinterOptions,
): Promise<ItemFormat> {
  const [{ tableFormat }, { details }, screen] = await Promise.all([
    import('./table.js'),
    import('./details.js'),
    openScreen(options),
  ]);
  const rest = isWhole ? (view.kinds ?? {}) : undefined;
  const { titles } = options;
  const names = titles === undefined ? undefined : namesOf(view, titles);
  const named = columns.map((column) => ({ ...column, named: names?.get(column.path) }));
  return {
    ...tableFormat(named, screen),
    one: (value) => details(value, named, rest, { ...screen, names }),
    learn: titles && ((items, whole) => titles.learn(items, referencesOf(view, whole), view.within)),
  };
}

/** By path, what puts titles in place of ids. */
function namesOf(view: ColumnSource, titles: Titles): ReadonlyMap<string, Named> {
  const all = Object.entries(referencesOf(view, true));
  return new Map(all.map(([path, kind]) => [path, naming(titles, kind)]));
}

async function openScreen(options: PrinterOptions): Promise<Readonly<Screen>> {
  const { io, color } = options;
  const { loadDraw } = await import('./table.js');
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
