import { type Cell, cellOf, painted } from './cells.js';
import type { Kind, ResolvedColumn } from './columns.js';
import type { Draw, Row } from './draw.js';
import { valueAt } from './fields.js';
import { asPromised, fitColumns, forReading, gap } from './fit-columns.js';
import type { ItemFormat } from './item-format.js';
import { link } from './links.js';
import type { Paint } from './paint.js';
import { safeLine } from './safe-text.js';
import { cut, mostShown, widthOf } from './text-width.js';
import type { Named } from './titles.js';

/** What a person's view, a table or a single resource, is made with. */
export interface Screen {
  /** Terminal columns. */
  columns: number;
  /** Whether somebody reads it as it is printed; in a pipe or a file, tables keep their promised widths. */
  isTerminal: boolean;
  paint: Paint;
  draw: Draw;
  /** Whether addresses are written as OSC 8 links. */
  links: boolean;
  /** By path, what puts titles in place of ids. */
  names?: ReadonlyMap<string, Named>;
  /** Milliseconds since the epoch, for ages; undefined for whole ISO times. */
  nowMs: number | undefined;
}

/** Kinds whose values are short and mean nothing when cut. */
const rigid: ReadonlySet<Kind> = new Set(['age', 'bytes', 'role', 'state', 'visibility', 'yesno', 'count']);
const rightAligned: ReadonlySet<Kind> = new Set(['bytes', 'count']);

/** The widest value a kind can have, where later pages may hold wider ones than the first. */
const widest: Partial<Record<Kind, number>> = { age: 14, role: 7, state: 8, visibility: 13, yesno: 3 };

interface Fitted extends ResolvedColumn {
  width: number;
  /** May be cut. */
  flexible: boolean;
  right: boolean;
}

/** The columns that are shown, and how many terminal columns the window has beside them. */
interface Fit {
  columns: readonly Fitted[];
  slack: number;
}

/** Rows under a header, one line each. The first page decides the widths: pages are printed as they arrive. */
export function tableFormat(
  columns: readonly ResolvedColumn[],
  screen: Screen,
): Required<Omit<ItemFormat, 'end' | 'one' | 'learn'>> {
  let fit: Fit = { columns: [], slack: 0 };
  const drawn = (rows: readonly Row[]) =>
    screen.draw(
      rows,
      fit.columns.map(({ right }) => (right ? 'right' : 'left')),
    );
  return {
    begin(firstPage, more) {
      if (firstPage.length === 0) return '';
      fit = fitToWindow(columns, firstPage, more, screen);
      return drawn([headerRow(fit, screen)]);
    },
    items: (values) => drawn(values.map((value) => itemRow(value, fit, screen))),
  };
}

function fitToWindow(
  columns: readonly ResolvedColumn[],
  items: readonly unknown[],
  more: boolean,
  screen: Screen,
): Fit {
  const measured = measuredIn(columns, items, more, screen);
  const widths = fitColumns(measured, screen.columns, screen.isTerminal ? forReading : asPromised);
  const shown = measured.flatMap((column, index) => {
    const width = widths[index] ?? 0;
    return width === 0 ? [] : [{ ...column, width }];
  });
  const used = shown.reduce((total, { width }) => total + width + gap, -gap);
  return { columns: shown, slack: Math.max(0, screen.columns - used) };
}

/** Titles of other resources stand with their ids where all columns are whole beside them, else alone. */
function measuredIn(
  columns: readonly ResolvedColumn[],
  items: readonly unknown[],
  more: boolean,
  screen: Screen,
) {
  const all = (withIds: boolean) =>
    columns.map((column) => measureColumn({ ...column, withIds }, items, more, screen));
  if (columns.every(({ named }) => named === undefined)) return all(false);
  const roomy = all(true);
  const width = roomy.reduce((total, { natural }) => total + natural + gap, -gap);
  return width <= screen.columns ? roomy : all(false);
}

function measureColumn(column: ResolvedColumn, items: readonly unknown[], more: boolean, screen: Screen) {
  const cells = items.map((item) => cellOf(item, column, screen.nowMs, mostShown(screen.columns)));
  const kinds = new Set(cells.filter((cell) => cell.text !== '').map((cell) => cell.kind));
  const [only] = kinds;
  const kind = kinds.size === 1 && only !== undefined ? only : (column.as ?? 'text');
  const isText = items.some((item) => typeof valueAt(item, column.path) === 'string');
  const reserve = more ? reserveOf(column, isText ? kind : 'count', items.length) : 0;
  const content = cells.reduce((most, cell) => Math.max(most, measure(cell.text, screen)), reserve);
  const label = column.short ?? column.label;
  return {
    ...column,
    label,
    natural: Math.max(content, widthOf(label)),
    empty: content === 0,
    flexible: !(column.isId || column.whole || rigid.has(kind) || holdsIds(cells)),
    right: rightAligned.has(kind),
  };
}

/** A first page of so many items tells how wide a text is; a shorter one does not. */
const tellingPage = 20;
const usualTitle = 22;

/** Columns kept for what later pages may hold. */
function reserveOf({ keep, isId }: ResolvedColumn, kind: Kind, items: number): number {
  if (kind === 'text' && keep && !isId && items < tellingPage) return usualTitle;
  return widest[kind] ?? 0;
}

/** Whether all that a column holds are ids: they are whole or not there, like those of an id's own column. */
function holdsIds(cells: readonly Cell[]): boolean {
  const texts = cells.flatMap(({ text }) => (text === '' ? [] : [text]));
  return texts.length > 0 && texts.every((text) => /^(?=.*\d)[\w-]{16,40}$/.test(text));
}

/** Columns of a text, at most those of the window: a longer text is cut anyway. */
function measure(text: string, screen: Screen): number {
  if (text.length > screen.columns * 4) return screen.columns;
  return Math.min(widthOf(text), screen.columns);
}

function headerRow(fit: Fit, screen: Screen): Row {
  return row(fit, screen, (column) => ({ text: safeLine(column.label), show: screen.paint.header }));
}

function itemRow(item: unknown, fit: Fit, screen: Screen): Row {
  return row(fit, screen, (column) => {
    const { text, kind, address } = cellOf(item, column, screen.nowMs, mostShown(screen.columns));
    const show = (shortened: string) => {
      const shown = shortened === text ? painted(text, kind, screen.paint) : shortened;
      if (column.mark !== undefined) return marked(shortened, column.mark(shortened), screen.paint);
      return address !== undefined && screen.links ? link(shown, address) : shown;
    };
    return { text, show };
  });
}

function marked(text: string, marks: readonly (readonly [number, number])[], { mark }: Paint): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of marks) {
    shown += text.slice(at, start) + mark(text.slice(start, end));
    at = end;
  }
  return shown + text.slice(at);
}

/**
 * Cells cut to their columns. What the window has left goes to ids and the like that are longer than those of the
 * first page, then to a text in the last column.
 */
function row(
  { columns, slack }: Fit,
  screen: Screen,
  cell: (column: Fitted) => { text: string; show: (shortened: string) => string },
): Row {
  let left = slack;
  const widths: number[] = [];
  const cells = columns.map((column, index) => {
    const { text, show } = cell(column);
    const last = index === columns.length - 1;
    const excess = last || !column.flexible ? Math.max(0, measure(text, screen) - column.width) : 0;
    const more = last && !column.right ? left : Math.min(excess, left);
    left -= more;
    widths.push(column.width + more);
    return show(cut(text, column.width + more));
  });
  return { cells, widths };
}
