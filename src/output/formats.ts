import { type ColumnSource, resolveColumns } from './columns.js';
import type { ItemFormat } from './item-format.js';
import type { Format, PrinterOptions } from './printer.js';
import { safeText } from './safe-text.js';
import type { Screen } from './table.js';

/** Where the width of a window is unknown. */
const usualColumns = 80;

/**
 * The format of one printing. Each is loaded here, at first use: a start needs one.
 * @param format which
 * @param view the columns; `--fields` of the options come before those of the view
 */
export async function openFormat(
  format: Format,
  view: ColumnSource,
  options: PrinterOptions,
): Promise<ItemFormat> {
  const columns = resolveColumns(view, options.fields);
  switch (format) {
    case 'json':
      return (await import('./json.js')).jsonFormat();
    case 'ndjson':
      return (await import('./ndjson.js')).ndjsonFormat();
    case 'yaml':
      return shielded((await import('./yaml.js')).yamlFormat(), options);
    case 'csv':
      return shielded((await import('./csv.js')).csvFormat(columns, options.csvRaw ?? false), options);
    case 'tsv':
      return shielded((await import('./tsv.js')).tsvFormat(columns, options.header ?? false), options);
    case 'id':
      return shielded((await import('./ids.js')).idFormat(view.id ?? 'id'), options);
    case 'table': {
      const [{ tableFormat }, { details }] = await Promise.all([
        import('./table.js'),
        import('./details.js'),
      ]);
      const screen = await openScreen(options);
      const rest = options.fields === undefined;
      return {
        ...tableFormat(columns, screen),
        one: (value) => details(value, columns, rest ? (view.kinds ?? {}) : undefined, screen),
      };
    }
  }
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
    columns: io.stdout.columns || (!terminal && Number(io.env.COLUMNS)) || usualColumns,
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
async function shielded(
  opening: ItemFormat | Promise<ItemFormat>,
  { io }: PrinterOptions,
): Promise<ItemFormat> {
  const format = await opening;
  if (io.stdout.isTTY !== true) return format;
  const { begin, items, end, one } = format;
  return {
    ...(begin && { begin: (firstPage, more) => safeText(begin(firstPage, more)) }),
    items: (values) => safeText(items(values)),
    ...(end && { end: () => safeText(end()) }),
    one: (value) => safeText(one(value)),
  };
}
