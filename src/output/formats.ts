import { defined } from '../base/values.js';
import { type ColumnSource, type ResolvedColumn, resolveColumns } from './columns.js';
import type { ItemFormat } from './item-format.js';
import type { Format, PrinterOptions } from './printer.js';
import { safeText } from './safe-text.js';
import type { Shown } from './shown.js';
import type { Screen } from './table.js';
import { terminalWidth } from './terminal.js';
import { type Named, naming, referencesOf, type Titles } from './titles.js';

/** The format of one printing, for what `--fields` leaves of a view. */
export function openShown(
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
