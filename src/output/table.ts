import { type Cell, cellOf, painted } from './cells.js';
import type { Paint } from './colors.js';
import type { Kind, Named, ResolvedColumn } from './columns.js';
import { valueAt } from './fields.js';
import { link } from './terminal.js';
import { safeLine } from './text.js';
import { cut, mostShown, widthOf, wrap } from './text-width.js';

/** A column to fit. Widths are in terminal columns. */
export interface Wish {
  /** The width of the widest of header and cells. */
  natural: number;
  /** Identifies the item: never given up. */
  keep: boolean;
  /** What people list for: cut before it is given up, and given up after all that is not. */
  lead?: boolean | undefined;
  /** All its cells are empty so far: given up first. */
  empty?: boolean;
  /** May be cut, as only text may; roles, ages, numbers and ids are whole or not there. */
  flexible: boolean;
}

/** Columns between two columns. */
export const gap = 2;

/** Below this, cut text says too little: the column is given up, too. Of what identifies, more is kept. */
const leastText = 16;
const leastKeptText = 24;
/** What is left of a text that makes room for what people list for. */
const leastBesideLead = 12;
/** Where not even that fits: the least that is worth a column. */
const leastCut = 4;

/** What is given up for what. */
interface FitRule {
  /** What people list for is given up last. */
  leads: boolean;
  /** A text is not cut below this while a column right of it can be given up; what people list for, while any can. */
  readable: number;
  /** Empty columns are given up before anything is cut, rather than before other columns. */
  emptyFirst: boolean;
}

/** On a terminal: whoever reads wants emails whole rather than one more column. */
const forReading: FitRule = { leads: true, readable: 40, emptyFirst: true };

/** A table in a file or a pipe, whose bytes were promised before there was the rule for reading. */
const asPromised: FitRule = { leads: false, readable: 0, emptyFirst: false };

/**
 * Fits columns into a window, so that no row is wider than it. Texts are cut to what can be read of them, then
 * columns are given up from the right, empty ones first and what people list for last. What then finds room comes back.
 * @param available width of the window, at least 1
 * @param rule default: what is best to read
 * @returns the width of each column; 0 for one that is given up
 */
export function fitColumns(wishes: readonly Wish[], available: number, rule = forReading): number[] {
  const shown = wishes.map((_, index) => index);
  const squeeze: Share = (columns, room) => squeezed(columns, room, rule);
  const fitting = (indexes: readonly number[]) => widthsOf(wishes, indexes, available, squeeze);
  const last = (isVictim: (wish: Wish) => boolean) =>
    shown.findLastIndex((index) => {
      const wish = wishes[index];
      return wish?.keep === false && isVictim(wish);
    });
  const isLead = (wish: Wish) => rule.leads && leads(wish);
  for (;;) {
    const empty = last((wish) => wish.empty === true);
    const share = empty !== -1 && rule.emptyFirst ? uncut : squeeze;
    const widths = widthsOf(wishes, shown, available, share);
    if (widths !== undefined) return withMore(wishes, widths, fitting);
    const other = empty === -1 ? last((wish) => !isLead(wish)) : empty;
    const cut = rule.leads && other === -1 ? widthsOf(wishes, shown, available, besideLeads) : undefined;
    if (cut !== undefined) return cut;
    // A short lead says all that it says in little room: long ones give way first.
    const lead = other === -1 ? [last((wish) => isLead(wish) && wish.flexible), last(isLead)] : [other];
    const victim = lead.find((index) => index !== -1) ?? -1;
    if (victim === -1) return widthsOf(wishes, shown, available, identifying) ?? [];
    shown.splice(victim, 1);
  }
}

/** Of an empty column nobody reads anything. */
function leads({ lead = false, empty = false }: Wish): boolean {
  return lead && !empty;
}

/** Shares the room among the columns; undefined where it is not enough. */
type Share = (columns: readonly Wish[], room: number) => number[] | undefined;

/** The widths of all columns, where only those of the indexes are shown. */
function widthsOf(
  wishes: readonly Wish[],
  indexes: readonly number[],
  available: number,
  share: Share,
): number[] | undefined {
  const columns = wishes.filter((_, index) => indexes.includes(index));
  const widths = share(columns, available - gap * (columns.length - 1));
  return widths && wishes.map((_, index) => widths[indexes.indexOf(index)] ?? 0);
}

/** Wide columns were given up after narrow ones, which may fit in their place. */
function withMore(
  wishes: readonly Wish[],
  fitted: number[],
  fitting: (indexes: readonly number[]) => number[] | undefined,
): number[] {
  let best = fitted;
  wishes.forEach(({ empty }, index) => {
    if (best[index] !== 0 || empty) return;
    best = fitting(wishes.flatMap((_, at) => (at === index || best[at] !== 0 ? [at] : []))) ?? best;
  });
  return best;
}

/** The natural widths, where they fit. */
function uncut(columns: readonly Wish[], room: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural);
  return sum(widths) > room ? undefined : widths;
}

/** Widths that fit without cutting anything too short; undefined where there are none. */
function squeezed(columns: readonly Wish[], room: number, rule: FitRule): number[] | undefined {
  const isLead = (wish: Wish) => rule.leads && leads(wish);
  const lastVictim = columns.findLastIndex((wish) => !(wish.keep || isLead(wish)));
  const floors = columns.map((wish, index) => {
    const { natural, flexible, keep } = wish;
    const isRead = index < lastVictim || (lastVictim !== -1 && isLead(wish));
    const least = Math.max(keep ? leastKeptText : leastText, isRead ? rule.readable : 0);
    return flexible ? Math.min(natural, least) : natural;
  });
  return sum(floors) > room ? undefined : level(columns, floors, room);
}

/** What identifies and what people list for, with texts cut as far as they say something. */
function besideLeads(columns: readonly Wish[], room: number): number[] | undefined {
  if (!columns.some(leads)) return undefined;
  const floors = columns.map(({ natural, flexible }) =>
    flexible ? Math.min(natural, leastBesideLead) : natural,
  );
  return sum(floors) > room ? undefined : level(columns, floors, room);
}

/** What identifies stays: ids whole if they can be, else all of it shares the room, down to the first column. */
function identifying(columns: readonly Wish[], room: number): number[] {
  const floors = columns.map(({ natural, flexible }) => (flexible ? Math.min(natural, leastCut) : natural));
  if (sum(floors) <= room) return level(columns, floors, room);
  if (room >= columns.length * leastCut || columns.length === 1)
    return level(
      columns,
      columns.map(() => 1),
      Math.max(room, 1),
    );
  return identifying(columns.slice(0, -1), room + gap);
}

/** Cuts the widest columns to a common level, none below its floor, so that all fit. */
function level(columns: readonly Wish[], floors: readonly number[], room: number): number[] {
  const widthsAt = (height: number) =>
    columns.map(({ natural }, index) => Math.min(natural, Math.max(floors[index] ?? 0, height)));
  let height = room;
  while (height > 0 && sum(widthsAt(height)) > room) height -= 1;
  let left = room - sum(widthsAt(height));
  return widthsAt(height).map((width, index) => {
    const cut = width < (columns[index]?.natural ?? 0);
    if (!cut || left <= 0) return width;
    left -= 1;
    return width + 1;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Cells side by side in one line, each with the width it was cut to. */
export interface Row {
  /** Cleaned and coloured. */
  cells: readonly string[];
  /** Terminal columns of each cell. */
  widths: readonly number[];
}

/** Draws rows, each as one line that does not end in spaces. */
export type Draw = (rows: readonly Row[], aligned?: readonly ('left' | 'right')[]) => string;

/** Rows go to cli-table3 as lines of one row, some twenty times cheaper; its cost grows with their number. */
const rowsAtOnce = 16;

/** Nothing is drawn but the gap between two columns. */
const borders = ['top', 'mid', 'bottom', 'left', 'right'].flatMap((side) =>
  [side, `${side}-left`, `${side}-mid`, `${side}-right`].map((name) => [name, '']),
);
const chars: Record<string, string> = { ...Object.fromEntries(borders), middle: ' '.repeat(gap) };
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
/** Never printed: all cells fit. cli-table3 cuts each to 10 columns for a log; so wide a mark saves that. */
const truncate = '…'.repeat(10);

/** Loads cli-table3. */
export async function loadDraw(): Promise<Draw> {
  const { default: Table } = await import('cli-table3');
  return (rows, aligned = []) =>
    alike(rows)
      .flatMap(({ columns, widths }) => {
        const table = new Table({ chars, style, truncate, colWidths: [...widths], colAligns: [...aligned] });
        table.push(columns.map((lines) => lines.join('\n')));
        return table.toString().split('\n');
      })
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
}

/** Neighbouring rows of the same widths, a few at a time, as columns. */
function alike(rows: readonly Row[]): { columns: string[][]; widths: readonly number[] }[] {
  const groups: { columns: string[][]; widths: readonly number[] }[] = [];
  for (const { cells, widths } of rows) {
    const group = groups.at(-1);
    const room = (group?.columns[0]?.length ?? 0) < rowsAtOnce;
    if (group !== undefined && room && String(group.widths) === String(widths)) {
      group.columns.forEach((column, index) => {
        column.push(cells[index] ?? '');
      });
    } else groups.push({ columns: cells.map((cell) => [cell]), widths });
  }
  return groups;
}

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
): {
  begin(firstPage: readonly unknown[], more: boolean): string;
  items(values: readonly unknown[]): string;
} {
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
      const { header } = screen.paint;
      return drawn(rowsOf(fit, screen, ({ label }) => ({ text: safeLine(label), show: header })));
    },
    items: (values) => drawn(values.flatMap((value) => itemRows(value, fit, screen))),
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

function itemRows(item: unknown, fit: Fit, screen: Screen): Row[] {
  return rowsOf(fit, screen, (column) => {
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
 * Cells cut to their columns, or wrapped in further rows. What the window has left goes to ids and the like that are
 * longer than those of the first page, then to a text in the last column.
 */
function rowsOf(
  { columns, slack }: Fit,
  screen: Screen,
  cell: (column: Fitted) => { text: string; show: (shortened: string) => string },
): Row[] {
  let left = slack;
  const widths: number[] = [];
  const cells = columns.map((column, index) => {
    const { text, show } = cell(column);
    const last = index === columns.length - 1;
    const excess = last || !column.flexible ? Math.max(0, measure(text, screen) - column.width) : 0;
    const more = last && !column.right ? left : Math.min(excess, left);
    left -= more;
    const width = column.width + more;
    widths.push(width);
    const lines = column.wraps === true && screen.isTerminal ? wrap(text, width) : [cut(text, width)];
    return lines.map((line) => show(line));
  });
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => ({
    cells: cells.map((lines) => lines[line] ?? ''),
    widths,
  }));
}
