import type { HeatPart } from '../../../document/document.js';
import { counted, grouped } from '../../../output/counted.js';
import { el, newId, oncePerFrame, setAttribute } from '../dom.js';
import { filterBox, selectBox } from '../table/tools.js';
import { columnTable, rowTable } from './detail.js';
import { HeatModel, orders } from './model.js';
import { cell, cornerOf, type Place, paint, type Sight, spaceFor } from './painter.js';
import { colourOf, onColours, palette } from './palette.js';
import { Reading } from './reading.js';

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
  #cursor: Place | undefined;
  #hovered: Place | undefined;
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
    const moves: Readonly<Record<string, Place>> = {
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
  #move(to: Place): void {
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

  #hover(place: Place | undefined): void {
    this.#hovered = place;
    if (place !== undefined) this.#tell(place);
    else if (document.activeElement !== this.#map) this.#reading.hide();
    this.#draw();
  }

  #tell(place: Place): void {
    const { x, y } = cornerOf(place, this.#sight());
    const { left, top } = this.#canvas.getBoundingClientRect();
    this.#reading.tell(place, { x: left + x, y: top + y });
  }

  #placeAt({ clientX, clientY }: MouseEvent): Place | undefined {
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
