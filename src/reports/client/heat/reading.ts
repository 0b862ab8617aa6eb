import { el } from '../dom.js';
import type { HeatModel } from './model.js';
import type { Place } from './painter.js';

/** What the cell says at which the pointer or the cursor is: beside it, and below the map. */
export class Reading {
  readonly nodes: Node[];
  readonly #model: HeatModel;
  readonly #open: (kind: 'row' | 'column', place: Place) => void;
  readonly #line: HTMLElement;
  readonly #tip = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  readonly #buttons: HTMLButtonElement[];
  #place: Place | undefined;

  /** @param open shows a row or a column as a table */
  constructor(model: HeatModel, open: (kind: 'row' | 'column', place: Place) => void) {
    this.#model = model;
    this.#open = open;
    const empty = 'Point at a cell, or move to the map, to read why.';
    this.#line = el('p', { class: 'reading', role: 'status' }, empty);
    const [row, column] = model.part.axes;
    this.#buttons = [this.#button('row', row), this.#button('column', column)];
    // It stands in the window, and what it is about moves away.
    window.addEventListener('scroll', () => this.hide(), { passive: true });
    this.nodes = [this.#line, el('p', { class: 'acts' }, ...this.#buttons), this.#tip];
  }

  /** @param at where the cell is in the window */
  tell(place: Place, at: { x: number; y: number }): void {
    this.#place = place;
    for (const button of this.#buttons) button.disabled = false;
    this.#line.replaceChildren(...this.#words(place));
    this.#tip.replaceChildren(...this.#words(place));
    this.#tip.hidden = false;
    const { width, height } = this.#tip.getBoundingClientRect();
    const below = at.y + 26 + height < window.innerHeight;
    this.#tip.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - width - 8))}px`;
    this.#tip.style.top = `${below ? at.y + 26 : at.y - height - 8}px`;
  }

  hide(): void {
    this.#tip.hidden = true;
  }

  open(kind: 'row' | 'column'): void {
    if (this.#place !== undefined) this.#open(kind, this.#place);
  }

  #button(kind: 'row' | 'column', axis: string): HTMLButtonElement {
    const label = `This ${axis.toLowerCase()} as a table`;
    const button = el('button', { type: 'button', class: 'act', disabled: true }, label);
    button.addEventListener('click', () => this.open(kind));
    return button;
  }

  #words(place: Place): Node[] {
    const [row, column] = [this.#model.rows[place.row] ?? 0, this.#model.columns[place.column] ?? 0];
    const { rows, columns, levels } = this.#model.part;
    const reason = this.#model.reason(row, column);
    const level = levels[this.#model.level(row, column)] ?? '';
    return [
      el('strong', { dir: 'auto' }, named(rows[row])),
      el('span', { 'aria-hidden': 'true' }, ' · '),
      el('bdi', {}, named(columns[column])),
      el(
        'span',
        { class: 'why' },
        ': ',
        el('b', {}, level),
        reason === '' ? '' : ', ',
        el('bdi', {}, reason),
      ),
    ];
  }
}

function named(thing: { label: string; detail?: string } | undefined): string {
  const { label = '', detail } = thing ?? {};
  return detail === undefined ? label : `${label} (${detail})`;
}
