import type { Cell, HeatPart, TablePart } from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { el, newId, oncePerFrame, setAttribute } from './dom.js';
import { type CellPosition, colourOf, HeatModel, onColours, orders, palette, Reading } from './heat-model.js';
import { filterBox, selectBox, tableView } from './table.js';

/** Larger maps are not drawn as a whole on paper, in pixels. */
const mostOnPaper = { width: 3000, height: 12_000 };

/** A map of levels, with the reason of each cell where the pointer or the cursor is. */
export function heatView(part: HeatPart, heading: string, madeAt: number): Node[] {
  if (part.rows.length === 0 || part.columns.length === 0)
    return [el('p', { class: 'empty' }, 'There is nothing to compare.')];
  return new HeatView(part, heading, madeAt).nodes;
}

class HeatView {
  readonly nodes: Node[];
  readonly #part: HeatPart;
  readonly #model: HeatModel;
  readonly #canvas = el('canvas', { 'aria-hidden': 'true' });
  readonly #extent = el('div', { class: 'extent' }, this.#canvas);
  readonly #map: HTMLElement;
  readonly #status = el('p', { class: 'status', role: 'status' });
  readonly #legend = el('ul', { class: 'legend' });
  readonly #reading: Reading;
  readonly #draw = oncePerFrame(() => this.#paint());
  readonly #labels: number;
  readonly #head: number;
  #cursor: CellPosition | undefined;
  #hovered: CellPosition | undefined;
  #isWhole = false;

  constructor(part: HeatPart, heading: string, madeAt: number) {
    this.#part = part;
    this.#model = new HeatModel(part);
    this.#labels = spaceFor(part.rows, 60, Math.min(220, window.innerWidth * 0.3));
    this.#head = spaceFor(part.columns, 40, 150);
    const help = newId();
    this.#map = el(
      'div',
      {
        class: 'map',
        role: 'application',
        'aria-roledescription': 'heat map',
        tabindex: 0,
        'aria-labelledby': heading,
        'aria-describedby': help,
      },
      this.#extent,
    );
    const detail = el('div', { class: 'detail' });
    this.#reading = new Reading(this.#model, (kind, place) =>
      detail.replaceChildren(
        ...(kind === 'row' ? rowTable : columnTable)(this.#model, place, madeAt, () => {
          detail.replaceChildren();
          this.#map.focus();
        }),
      ),
    );
    const hint =
      'Arrow keys move from cell to cell; Page Up and Page Down, Home and End move further. Enter opens the row as a table, Shift and Enter the column.';
    this.nodes = [
      el('div', { class: 'tools' }, ...this.#tools(), this.#status),
      this.#legend,
      this.#map,
      ...this.#reading.nodes,
      el('p', { id: help, class: 'hint' }, hint),
      detail,
    ];
    this.#listen();
    this.#change();
  }

  #tools(): HTMLElement[] {
    const [row, column] = this.#part.axes;
    const after = (run: () => void) => {
      run();
      this.#change();
    };
    return [
      filterBox(`Filter: ${row}`, (text) => after(() => this.#model.seekRows(text))),
      filterBox(`Filter: ${column}`, (text) => after(() => this.#model.seekColumns(text))),
      selectBox('Order', orders, (at) => after(() => this.#model.order(at))),
    ];
  }

  #listen(): void {
    const map = this.#map;
    map.addEventListener('scroll', this.#draw);
    map.addEventListener('keydown', (event) => this.#key(event));
    map.addEventListener('focus', () => this.#move(this.#cursor ?? { row: 0, column: 0 }));
    map.addEventListener('blur', () => this.#reading.hide());
    map.addEventListener('pointermove', (event) => this.#hover(this.#placeAt(event)));
    map.addEventListener('pointerleave', () => this.#hover(undefined));
    map.addEventListener('click', (event) => {
      const place = this.#placeAt(event);
      if (place !== undefined) this.#move(place);
    });
    new ResizeObserver(this.#draw).observe(map);
    onColours((printing) => {
      const { width, height } = this.#size();
      this.#isWhole = printing && width <= mostOnPaper.width && height <= mostOnPaper.height;
      setAttribute(map, 'data-cut', printing && !this.#isWhole);
      this.#tellLegend();
      this.#paint();
    });
  }

  #key(event: KeyboardEvent): void {
    const { row, column } = this.#cursor ?? { row: 0, column: 0 };
    const page = Math.max(1, Math.floor((this.#map.clientHeight - this.#head) / cell) - 1);
    const [lastRow, lastColumn] = [this.#model.rows.length - 1, this.#model.columns.length - 1];
    const moves: Readonly<Record<string, CellPosition>> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: row - page, column },
      PageDown: { row: row + page, column },
      Home: { row: event.ctrlKey ? 0 : row, column: 0 },
      End: { row: event.ctrlKey ? lastRow : row, column: lastColumn },
    };
    const move = moves[event.key];
    if (event.key === 'Enter') this.#reading.open(event.shiftKey ? 'column' : 'row');
    else if (event.key === 'Escape') this.#reading.hide();
    if (move !== undefined) this.#move(move);
    if (move !== undefined || event.key === 'Enter') event.preventDefault();
  }

  /** Moves the cursor, to the nearest cell that there is, and into sight. */
  #move(to: CellPosition): void {
    const { rows, columns } = this.#model;
    if (rows.length === 0 || columns.length === 0) return;
    const row = Math.min(Math.max(0, to.row), rows.length - 1);
    const column = Math.min(Math.max(0, to.column), columns.length - 1);
    this.#cursor = { row, column };
    const { clientWidth, clientHeight } = this.#map;
    const sight = this.#sight();
    this.#map.scrollLeft = nearest(sight.left, column * cell, clientWidth - sight.labels - cell);
    this.#map.scrollTop = nearest(sight.top, row * cell, clientHeight - this.#head - cell);
    this.#tell(this.#cursor);
    this.#draw();
  }

  #hover(place: CellPosition | undefined): void {
    this.#hovered = place;
    if (place !== undefined) this.#tell(place);
    else if (document.activeElement !== this.#map) this.#reading.hide();
    this.#draw();
  }

  #tell(place: CellPosition): void {
    const { x, y } = cornerOf(place, this.#sight());
    const { left, top } = this.#canvas.getBoundingClientRect();
    this.#reading.tell(place, { x: left + x, y: top + y });
  }

  #placeAt({ clientX, clientY }: MouseEvent): CellPosition | undefined {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const sight = this.#sight();
    const [x, y] = [clientX - left - sight.labels, clientY - top - this.#head];
    if (x < 0 || y < 0) return undefined;
    const place = { row: Math.floor((y + sight.top) / cell), column: Math.floor((x + sight.left) / cell) };
    const isThere = place.row < this.#model.rows.length && place.column < this.#model.columns.length;
    return isThere ? place : undefined;
  }

  #change(): void {
    this.#cursor = undefined;
    this.#reading.hide();
    const { rows, columns } = this.#model;
    const { width, height } = this.#size();
    this.#extent.style.width = `${width}px`;
    this.#extent.style.height = `${height}px`;
    const [ownRows, ownColumns] = [this.#part.rows.length, this.#part.columns.length];
    const of = (shown: number, all: number) =>
      shown === all ? grouped(all) : `${grouped(shown)} of ${grouped(all)}`;
    this.#status.textContent = `${of(rows.length, ownRows)} × ${of(columns.length, ownColumns)}`;
    this.#tellLegend();
    this.#draw();
  }

  #tellLegend(): void {
    const counts = this.#model.counts();
    const items = this.#part.levels.map((level, at) => {
      const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = colourOf(at, this.#part, palette());
      return el('li', {}, swatch, el('span', { dir: 'auto' }, level), ` ${counted(counts[at] ?? 0, 'cell')}`);
    });
    this.#legend.replaceChildren(...items);
  }

  #size(): { width: number; height: number } {
    const { rows, columns } = this.#model;
    return {
      width: this.#labels + columns.length * cell,
      height: this.#head + Math.max(1, rows.length) * cell,
    };
  }

  #sight(): Sight {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#map;
    const { width, height } = this.#size();
    const [labels, head] = [this.#labels, this.#head];
    if (this.#isWhole) return { left: 0, top: 0, width, height, labels, head };
    const [seenWidth, seenHeight] = [Math.min(clientWidth, width), Math.min(clientHeight, height)];
    return { left: scrollLeft, top: scrollTop, width: seenWidth, height: seenHeight, labels, head };
  }

  #paint(): void {
    paint(this.#canvas, this.#model, this.#sight(), this.#hovered ?? this.#cursor);
  }
}

/** Where to scroll to, as near as it can be, so that a cell is in sight. */
function nearest(now: number, start: number, space: number): number {
  if (start < now) return start;
  return start > now + space ? start - space : now;
}

/** Width and height of a cell, in pixels. */
export const cell = 18;

/** What is in sight, in pixels of the whole map. */
interface Sight {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Width of the labels of rows. */
  labels: number;
  /** Height of the labels of columns. */
  head: number;
}

const font = '12px system-ui, sans-serif';
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Pixels that the longest of some labels takes, between limits. */
function spaceFor(labels: readonly { label: string }[], least: number, most: number): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return most;
  context.font = `600 ${font}`;
  let space = least;
  for (const { label } of labels) {
    // Measured only where it may be longer: there may be thousands.
    if (label.length * 11 + 16 <= space) continue;
    space = Math.max(space, Math.ceil(context.measureText(label.slice(0, 60)).width) + 16);
    if (space >= most) return most;
  }
  return space;
}

/** Draws the part of a map that is in sight. */
function paint(
  canvas: HTMLCanvasElement,
  model: HeatModel,
  sight: Sight,
  marked: CellPosition | undefined,
): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(sight.width * scale);
  canvas.height = Math.round(sight.height * scale);
  canvas.style.width = `${sight.width}px`;
  canvas.style.height = `${sight.height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  context.font = font;
  context.textBaseline = 'middle';
  context.fillStyle = palette().ground;
  context.fillRect(0, 0, sight.width, sight.height);
  const range = rangeOf(model, sight);
  paintCells(context, model, sight, range);
  paintMark(context, sight, marked);
  paintRowLabels(context, model, sight, range, marked);
  paintColumnLabels(context, model, sight, range, marked);
  context.fillStyle = palette().ground;
  context.fillRect(0, 0, sight.labels, sight.head);
}

interface Range {
  rows: [from: number, to: number];
  columns: [from: number, to: number];
}

function rangeOf(model: HeatModel, { left, top, width, height, labels, head }: Sight): Range {
  const last = (start: number, space: number, count: number) =>
    Math.min(count, Math.ceil((start + space) / cell));
  return {
    rows: [Math.floor(top / cell), last(top, height - head, model.rows.length)],
    columns: [Math.floor(left / cell), last(left, width - labels, model.columns.length)],
  };
}

function paintCells(context: CanvasRenderingContext2D, model: HeatModel, sight: Sight, range: Range): void {
  const colours = palette();
  for (let row = range.rows[0]; row < range.rows[1]; row += 1) {
    for (let column = range.columns[0]; column < range.columns[1]; column += 1) {
      const level = model.level(model.rows[row] ?? 0, model.columns[column] ?? 0);
      context.fillStyle = colourOf(level, model.part, colours);
      const { x, y } = cornerOf({ row, column }, sight);
      context.fillRect(x, y, cell - 1, cell - 1);
    }
  }
}

function paintMark(context: CanvasRenderingContext2D, sight: Sight, marked: CellPosition | undefined): void {
  if (marked === undefined) return;
  const { x, y } = cornerOf(marked, sight);
  context.strokeStyle = palette().ink;
  context.lineWidth = 2;
  context.strokeRect(x - 1, y - 1, cell + 1, cell + 1);
}

function paintRowLabels(
  context: CanvasRenderingContext2D,
  model: HeatModel,
  sight: Sight,
  { rows: [from, to] }: Range,
  marked: CellPosition | undefined,
): void {
  const colours = palette();
  context.fillStyle = colours.ground;
  context.fillRect(0, sight.head, sight.labels, sight.height - sight.head);
  for (let row = from; row < to; row += 1) {
    const { y } = cornerOf({ row, column: 0 }, sight);
    const label = model.part.rows[model.rows[row] ?? 0]?.label ?? '';
    write(context, label, { x: 2, y: y + cell / 2, most: sight.labels - 10, strong: marked?.row === row });
  }
}

function paintColumnLabels(
  context: CanvasRenderingContext2D,
  model: HeatModel,
  sight: Sight,
  { columns: [from, to] }: Range,
  marked: CellPosition | undefined,
): void {
  context.fillStyle = palette().ground;
  context.fillRect(sight.labels, 0, sight.width - sight.labels, sight.head);
  for (let column = from; column < to; column += 1) {
    const { x } = cornerOf({ row: 0, column }, sight);
    const label = model.part.columns[model.columns[column] ?? 0]?.label ?? '';
    context.save();
    context.translate(x + cell / 2, sight.head - 6);
    context.rotate(-Math.PI / 2);
    write(context, label, { x: 0, y: 0, most: sight.head - 12, strong: marked?.column === column });
    context.restore();
  }
}

/** The corner of a cell on the canvas. */
function cornerOf(
  { row, column }: CellPosition,
  { left, top, labels, head }: Sight,
): { x: number; y: number } {
  return { x: labels + column * cell - left, y: head + row * cell - top };
}

interface Placed {
  x: number;
  y: number;
  /** Pixels that the text may take. */
  most: number;
  strong: boolean;
}

function write(context: CanvasRenderingContext2D, text: string, { x, y, most, strong }: Placed): void {
  const colours = palette();
  context.fillStyle = strong ? colours.ink : colours.soft;
  context.font = strong ? `600 ${font}` : font;
  context.direction = rightToLeft.test(text) ? 'rtl' : 'ltr';
  context.textAlign = 'left';
  context.fillText(fitted(context, text, most), x, y);
}

/** The text, cut so that it is narrow enough. */
function fitted(context: CanvasRenderingContext2D, text: string, most: number): string {
  const line = text.slice(0, 60);
  if (line === text && context.measureText(line).width <= most) return text;
  let kept = Array.from(line);
  while (kept.length > 0 && context.measureText(`${kept.join('')}…`).width > most) kept = kept.slice(0, -1);
  return `${kept.join('').trimEnd()}…`;
}

/** Shows a row as a table: every column with its level and why. */
function rowTable(model: HeatModel, place: CellPosition, madeAt: number, close: () => void): Node[] {
  const row = model.rows[place.row] ?? 0;
  const cells = model.part.columns.map(({ label, detail }, column) =>
    cellsOf(model, label, detail, row, column),
  );
  return shown(model.part.rows[row]?.label ?? '', model.part.axes[1], cells, madeAt, close);
}

/** Shows a column as a table: every row with its level and why. */
function columnTable(model: HeatModel, place: CellPosition, madeAt: number, close: () => void): Node[] {
  const column = model.columns[place.column] ?? 0;
  const cells = model.part.rows.map(({ label, detail }, row) => cellsOf(model, label, detail, row, column));
  return shown(model.part.columns[column]?.label ?? '', model.part.axes[0], cells, madeAt, close);
}

function cellsOf(
  model: HeatModel,
  label: string,
  detail: string | undefined,
  row: number,
  column: number,
): Cell[] {
  const level = model.part.levels[model.level(row, column)] ?? '';
  return [label, detail ?? null, level, model.reason(row, column)];
}

function shown(
  title: string,
  axis: string,
  cells: readonly Cell[][],
  madeAt: number,
  close: () => void,
): Node[] {
  const heading = newId();
  const hasDetail = cells.some(([, detail]) => detail !== null);
  const labels: TablePart['columns'] = [
    { label: axis, as: 'text' },
    ...(hasDetail ? [{ label: 'Detail', as: 'text' } as const] : []),
    { label: 'Level', as: 'role' },
    { label: 'Why', as: 'text' },
  ];
  const rows = hasDetail ? cells : cells.map(([label = null, , ...rest]) => [label, ...rest]);
  const button = el('button', { type: 'button', class: 'act' }, 'Close');
  button.addEventListener('click', close);
  const head = el('h3', { id: heading, tabindex: -1 }, el('bdi', {}, title));
  requestAnimationFrame(() => head.focus());
  const part: TablePart = { kind: 'table', title, columns: labels, rows, empty: '' };
  return [el('div', { class: 'detail-head' }, head, button), ...tableView(part, heading, madeAt)];
}
