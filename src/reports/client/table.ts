import {
  columnFilteringFeature,
  constructTable,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { Cell, ColumnKind, ReportColumn, TablePart } from '../../document/document.js';
import { byteSize, counted, grouped } from '../../output/text.js';
import { toneOf } from '../../output/tones.js';
import { el, newId, oncePerFrame, onPrint, setAttribute, timeOf } from './dom.js';

/** Kinds whose values are numbers. */
function isNumeric(as: ColumnKind): boolean {
  return as === 'count' || as === 'bytes';
}

/** A value as it is read, sought and measured. */
export function textOf(value: Cell | undefined, as: ColumnKind): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return as === 'bytes' ? byteSize(value) : grouped(value);
  return typeof value === 'string' ? value : value.join('\n');
}

/** Shows a value; a list line by line. Ages are counted from `madeAt`. */
function cellOf(value: Cell | undefined, as: ColumnKind, madeAt: number): Node {
  if (as === 'time' && typeof value === 'string') return timeOf(value, madeAt);
  const text = textOf(value, as);
  if (as === 'role' || as === 'state') return text === '' ? el('span') : badge(text, as);
  if (as === 'id') return el('code', {}, text);
  if (value !== null && typeof value === 'object')
    return el('ul', { class: 'lines' }, ...value.map((line) => el('li', { dir: 'auto' }, line)));
  return el('span', { dir: 'auto' }, text);
}

/** A word with the colour that it has in a terminal. */
export function badge(word: string, as: 'role' | 'state'): HTMLElement {
  return el('span', { class: `badge ${toneOf(as, word) ?? 'plain'}`, dir: 'auto' }, word);
}

type Row = readonly Cell[];
type Direction = 'asc' | 'desc';

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
});

const helper = createColumnHelper<typeof features, Row>();
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows of a table, sorted and filtered. */
class TableModel {
  readonly #table;
  readonly #columns: TablePart['columns'];
  readonly #rows: readonly Row[];
  /** The text of each row in lower case, once something is sought. */
  #texts: readonly string[] | undefined;

  constructor({ columns, rows }: Pick<TablePart, 'columns' | 'rows'>) {
    this.#columns = columns;
    this.#rows = rows;
    this.#table = constructTable({
      features,
      data: rows,
      columns: helper.columns(
        columns.map((_column, at) =>
          helper.accessor((row) => sortValue(row[at]), {
            id: String(at),
            sortFn: (one, other, id) => compare(one.getValue(id), other.getValue(id)),
            sortUndefined: 'last',
            filterFn: (row, _id, wanted: string) => this.text(row.original, at) === wanted,
          }),
        ),
      ),
      // A row is sought as a whole: once, by its first column.
      getColumnCanGlobalFilter: ({ id }) => id === '0',
      globalFilterFn: (row, _id, words: readonly string[]) => this.#has(row.index, words),
    });
  }

  /** The rows that pass the filters, in order. */
  get rows(): Row[] {
    return this.#table.getRowModel().rows.map(({ original }) => original);
  }

  /** Cycles through ascending, descending and the order in which the rows came. */
  sort(column: number): Direction | undefined {
    const now = this.direction(column);
    const next = now === undefined ? 'asc' : now === 'asc' ? 'desc' : undefined;
    this.#table.setSorting(next === undefined ? [] : [{ id: String(column), desc: next === 'desc' }]);
    return next;
  }

  direction(column: number): Direction | undefined {
    const [sorted] = this.#table.atoms.sorting.get();
    if (sorted?.id !== String(column)) return undefined;
    return sorted.desc ? 'desc' : 'asc';
  }

  /** Keeps rows that have every word of a text, in any column and case. */
  seek(text: string): void {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#table.setGlobalFilter(words.length === 0 ? undefined : words);
  }

  /** Keeps rows with this value in a column; undefined keeps all. */
  only(column: number, value: string | undefined): void {
    const others = this.#table.atoms.columnFilters.get().filter(({ id }) => id !== String(column));
    this.#table.setColumnFilters(value === undefined ? others : [...others, { id: String(column), value }]);
  }

  text(row: Row, column: number): string {
    return textOf(row[column], this.#columns[column]?.as ?? 'text');
  }

  #has(index: number, words: readonly string[]): boolean {
    this.#texts ??= this.#rows.map((row) =>
      this.#columns
        .map((_column, at) => this.text(row, at))
        .join('\n')
        .toLowerCase(),
    );
    const text = this.#texts[index] ?? '';
    return words.every((word) => text.includes(word));
  }
}

function sortValue(value: Cell | undefined): string | number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? value.join('\n') || undefined : value;
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

/** Characters of the narrowest and the widest column. */
const [narrowest, widest] = [6, 42];
/** Rows that are measured: the widths shall not wait for thousands. */
const measured = 400;

/** Widths of columns, in characters, that stay as rows come and go. */
function widthsOf({ columns, rows }: Pick<TablePart, 'columns' | 'rows'>): number[] {
  const step = Math.max(1, Math.floor(rows.length / measured));
  const sample = rows.filter((_row, at) => at % step === 0);
  return columns.map(({ label, as }, at) => {
    const lengths = sample.map((row) => longestLine(textOf(row[at], as))).sort((one, other) => one - other);
    // One long text shall not make its column wide: it wraps.
    const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
    const text = as === 'time' ? 16 : Math.ceil(usual * 1.1);
    // Beside the text: space on both sides, and the border of a badge.
    const needed = Math.max(text, label.length + 2) + (as === 'role' || as === 'state' ? 5 : 4);
    return Math.min(widest, Math.max(narrowest, needed));
  });
}

/** Pixels of a row without its lines, and of each line. */
const [rowHeight, lineHeight] = [14, 21.6];

/** How high a row will about be, in pixels. @param widths of `widthsOf` */
function heightOf(row: Row, { columns }: Pick<TablePart, 'columns'>, widths: readonly number[]): number {
  const lines = columns.map(({ as }, at) => {
    const space = Math.max(1, (widths[at] ?? 1) - 3);
    const texts = textOf(row[at], as).split('\n');
    return texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / space)), 0);
  });
  return rowHeight + lineHeight * Math.max(1, ...lines);
}

function longestLine(text: string): number {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}

/** Columns of these kinds with at most so many values can be narrowed to one of them. */
const chosen = ['role', 'state', 'yesno'];
const mostValues = 12;

/** A box to filter by text, which tells each change. */
export function filterBox(label: string, onChange: (text: string) => void): HTMLElement {
  const id = newId();
  const input = el('input', { id, type: 'search', autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('input', () => onChange(input.value));
  return el('span', { class: 'tool' }, el('label', { for: id }, label), input);
}

/** A choice of one of some values; the first stands for all. */
export function selectBox(
  label: string,
  values: readonly string[],
  onChange: (index: number) => void,
): HTMLElement {
  const id = newId();
  const options = values.map((value, at) => el('option', { value: at }, value));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => onChange(select.selectedIndex));
  return el('span', { class: 'tool' }, el('label', { for: id, dir: 'auto' }, label), select);
}

/** The filters of a table: one for any text, and one for each column with few values. */
function filtersOf(part: TablePart, model: TableModel, onChange: () => void): HTMLElement[] {
  const box = filterBox('Filter', (text) => {
    model.seek(text);
    onChange();
  });
  const selects = part.columns.flatMap(({ label, as }, column) => {
    if (!chosen.includes(as)) return [];
    const values = [...new Set(part.rows.map((row) => model.text(row, column)))].sort();
    if (values.length < 2 || values.length > mostValues) return [];
    const names = ['All', ...values.map((value) => value || '(empty)')];
    return selectBox(label, names, (at) => {
      model.only(column, at === 0 ? undefined : values[at - 1]);
      onChange();
    });
  });
  return [box, ...selects];
}

/** Tables of more rows draw only those in sight. */
const drawnWhole = 100;

/** The rows of a body, by index. */
interface BodyRows {
  make(index: number): HTMLElement;
  /** How high a row will about be in pixels, until it is measured. */
  height(index: number): number;
}

/** The body of a table: all rows, or of many only those in sight, between margins as high as the others. */
class TableBody {
  readonly #scroll: HTMLElement;
  readonly #table: HTMLElement;
  readonly #body: HTMLElement;
  readonly #rows: BodyRows;
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  readonly #draw = oncePerFrame(() => this.#show());
  /** The rows drawn, by index. */
  #drawn = new Map<number, HTMLElement>();
  #count: number;
  #isWhole: boolean;

  constructor(
    places: { scroll: HTMLElement; table: HTMLElement; body: HTMLElement },
    count: number,
    rows: BodyRows,
  ) {
    ({ scroll: this.#scroll, table: this.#table, body: this.#body } = places);
    this.#rows = rows;
    this.#count = count;
    this.#isWhole = count <= drawnWhole;
    this.#virtualizer = new Virtualizer(this.#options());
    this.#virtualizer._didMount();
    this.#scroll.classList.toggle('tall', !this.#isWhole);
    this.#begin();
  }

  /** Shows other rows, or the same in another order. */
  change(count: number): void {
    this.#count = count;
    this.#drawn.clear();
    this.#virtualizer.setOptions(this.#options());
    this.#virtualizer.measure();
    this.#scroll.scrollTop = 0;
    this.#begin();
  }

  /** Draws every row, for paper, or only those in sight again. */
  layOut(whole: boolean): void {
    this.#isWhole = whole || !this.#scroll.classList.contains('tall');
    this.#begin();
  }

  #begin(): void {
    if (!this.#isWhole) this.#virtualizer._willUpdate();
    this.#show();
  }

  #options() {
    return {
      count: this.#count,
      getScrollElement: () => this.#scroll,
      estimateSize: (index: number) => this.#rows.height(index),
      overscan: 12,
      // Before the page is laid out.
      initialRect: { width: 800, height: 600 },
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#draw(),
    };
  }

  #show(): void {
    const all = Array.from({ length: this.#isWhole ? this.#count : 0 }, (_row, index) => index);
    const items = this.#isWhole ? [] : this.#virtualizer.getVirtualItems();
    const indexes = this.#isWhole ? all : items.map(({ index }) => index);
    const before = this.#drawn;
    this.#drawn = new Map(indexes.map((index) => [index, before.get(index) ?? this.#rows.make(index)]));
    this.#body.replaceChildren(...this.#drawn.values());
    const below = this.#virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
    this.#table.style.marginTop = `${items[0]?.start ?? 0}px`;
    this.#table.style.marginBottom = `${items.length === 0 ? 0 : below}px`;
    if (this.#isWhole) return;
    for (const [index, row] of this.#drawn) if (!before.has(index)) this.#virtualizer.measureElement(row);
  }
}

const spoken: Record<Direction, string> = { asc: 'ascending', desc: 'descending' };

/**
 * A table whose columns sort, with filters above it.
 * @param heading id of the element that names it
 */
export function tableView(part: TablePart, heading: string, madeAt: number): Node[] {
  if (part.rows.length === 0) return [el('p', { class: 'empty' }, part.empty)];
  return new TableView(part, heading, madeAt).nodes;
}

class TableView {
  readonly nodes: Node[];
  readonly #part: TablePart;
  readonly #madeAt: number;
  readonly #model: TableModel;
  readonly #table: HTMLTableElement;
  readonly #heads: HTMLTableCellElement[];
  readonly #status = el('p', { class: 'status', role: 'status' });
  readonly #body: TableBody;
  #rows;

  constructor(part: TablePart, heading: string, madeAt: number) {
    this.#part = part;
    this.#madeAt = madeAt;
    this.#model = new TableModel(part);
    this.#rows = this.#model.rows;
    const body = el('tbody');
    const widths = widthsOf(part);
    this.#heads = part.columns.map((column, at) => this.#head(column, at));
    this.#table = el(
      'table',
      { 'aria-labelledby': heading },
      columnsOf(widths),
      el('thead', {}, el('tr', { 'aria-rowindex': 1 }, ...this.#heads)),
      body,
    );
    this.#table.style.minWidth = `${sumOf(widths)}ch`;
    const scroll = el(
      'div',
      { class: 'scroll', role: 'group', tabindex: 0, 'aria-labelledby': heading },
      this.#table,
    );
    this.#body = new TableBody({ scroll, table: this.#table, body }, this.#rows.length, {
      make: (at) => this.#row(at),
      height: (at) => heightOf(this.#rows[at] ?? [], part, widths),
    });
    const tools = filtersOf(part, this.#model, () => this.#change());
    this.nodes = [el('div', { class: 'tools' }, ...tools, this.#status), scroll];
    this.#tell();
    onPrint(
      () => this.#body.layOut(true),
      () => this.#body.layOut(false),
    );
  }

  #head({ label, as }: ReportColumn, at: number): HTMLTableCellElement {
    const button = el(
      'button',
      { type: 'button' },
      el('span', { dir: 'auto' }, label),
      el('span', { class: 'arrow', 'aria-hidden': 'true' }),
    );
    button.addEventListener('click', () => {
      this.#model.sort(at);
      this.#change();
    });
    return el('th', { scope: 'col', class: classOf(as) }, button);
  }

  #row(index: number): HTMLElement {
    const row = this.#rows[index] ?? [];
    const cells = this.#part.columns.map(({ as }, at) => {
      const cell = cellOf(row[at], as, this.#madeAt);
      // The first cell names the row.
      return at === 0
        ? el('th', { scope: 'row', class: classOf(as) }, cell)
        : el('td', { class: classOf(as) }, cell);
    });
    return el('tr', { 'data-index': index, 'aria-rowindex': index + 2 }, ...cells);
  }

  #change(): void {
    this.#rows = this.#model.rows;
    this.#body.change(this.#rows.length);
    this.#tell();
  }

  /** Says how many rows are shown, and in what order. */
  #tell(): void {
    const [shown, all] = [this.#rows.length, this.#part.rows.length];
    setAttribute(this.#table, 'aria-rowcount', shown + 1);
    const counts = shown === all ? counted(all, 'row') : `${grouped(shown)} of ${counted(all, 'row')}`;
    const orders = this.#part.columns.flatMap(({ label }, at) => {
      const direction = this.#model.direction(at);
      const head = this.#heads[at];
      if (head !== undefined) setAttribute(head, 'aria-sort', direction && spoken[direction]);
      return direction === undefined ? [] : [`, by ${label}, ${spoken[direction]}`];
    });
    this.#status.textContent = `${counts}${orders.join('')}`;
  }
}

/** In proportion, so that a table on paper is as wide as the paper. */
function columnsOf(widths: readonly number[]): HTMLElement {
  const all = sumOf(widths);
  const columns = widths.map((width) => {
    const column = el('col');
    column.style.width = `${(100 * width) / all}%`;
    return column;
  });
  return el('colgroup', {}, ...columns);
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function classOf(as: ReportColumn['as']): string | undefined {
  return isNumeric(as) ? 'number' : undefined;
}
