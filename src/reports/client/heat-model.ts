import type { HeatPart } from '../../document/document.js';
import { el } from './dom.js';

/** Positions of a row and a column among those shown. */
export interface CellPosition {
  row: number;
  column: number;
}

/** What the cell says at which the pointer or the cursor is: beside it, and below the map. */
export class Reading {
  readonly nodes: Node[];
  readonly #model: HeatModel;
  readonly #open: (kind: 'row' | 'column', place: CellPosition) => void;
  readonly #line: HTMLElement;
  readonly #tip = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  readonly #buttons: HTMLButtonElement[];
  #place: CellPosition | undefined;

  /** @param open shows a row or a column as a table */
  constructor(model: HeatModel, open: (kind: 'row' | 'column', place: CellPosition) => void) {
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
  tell(place: CellPosition, at: { x: number; y: number }): void {
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

  #words(place: CellPosition): Node[] {
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

/** Colours of a canvas, which style sheets do not reach. */
interface Palette {
  ground: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  bad: string;
  /** Of the first level, which is none. */
  nothing: string;
  /** Of levels that are no values. */
  aside: readonly string[];
  /** From the weakest level to the strongest. */
  ramp: readonly string[];
}

const light: Palette = {
  ground: '#ffffff',
  ink: '#1b1b1f',
  soft: '#55565e',
  line: '#d9dae0',
  accent: '#1d4fd7',
  bad: '#b3261e',
  nothing: '#f1f2f4',
  aside: ['#cfcfd4', '#e3d3a4'],
  ramp: ['#d3e4f9', '#a3c8f2', '#6aa6e6', '#2f7fd3', '#1557a3', '#0a2f66'],
};
const dark: Palette = {
  ground: '#141417',
  ink: '#e7e7ea',
  soft: '#a6a7b0',
  line: '#3a3b43',
  accent: '#8db2ff',
  bad: '#ff8a80',
  nothing: '#202126',
  aside: ['#4a4b53', '#6b5a25'],
  ramp: ['#18385c', '#1f5490', '#2f74bd', '#5599dd', '#8bbef2', '#d3e8fd'],
};

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
let isPrinting = false;

/** The colours of the moment. Paper is white. */
export function palette(): Palette {
  return darkness.matches && !isPrinting ? dark : light;
}

/** The colour of a level: the first has none, those aside have their own, and the rest share the shades. */
export function colourOf(
  level: number,
  { levels, aside = 0 }: Pick<HeatPart, 'levels' | 'aside'>,
  { nothing, aside: others, ramp }: Palette,
): string {
  if (level === 0) return nothing;
  if (level <= aside) return others[(level - 1) % others.length] ?? nothing;
  const last = levels.length - aside - 2;
  const at = last <= 0 ? ramp.length - 2 : Math.round(((level - aside - 1) * (ramp.length - 1)) / last);
  return ramp[at] ?? nothing;
}

/** Runs whenever colours change; `printing` is whether what is drawn goes on paper. */
export function onColours(run: (printing: boolean) => void): void {
  darkness.addEventListener('change', () => run(false));
  const print = (printing: boolean) => () => {
    isPrinting = printing;
    run(printing);
  };
  window.addEventListener('beforeprint', print(true));
  window.addEventListener('afterprint', print(false));
}

/** Orders of the rows. */
export const orders = ['As read', 'By name', 'Most access first'] as const;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What a heat map shows: which rows and columns, in which order, by their index in the part. */
export class HeatModel {
  readonly part: HeatPart;
  rows: readonly number[] = [];
  columns: readonly number[] = [];
  #order = 0;
  #rowText = '';
  #columnText = '';
  /** How much each row has in all, once it is asked for. */
  #weights: Float64Array | undefined;

  constructor(part: HeatPart) {
    this.part = part;
    this.#apply();
  }

  order(index: number): void {
    this.#order = index;
    this.#apply();
  }

  seekRows(text: string): void {
    this.#rowText = text;
    this.#apply();
  }

  seekColumns(text: string): void {
    this.#columnText = text;
    this.#apply();
  }

  /** The index of a level. @param row its index in the part, as is the column's */
  level(row: number, column: number): number {
    return this.part.cells[row * this.part.columns.length + column] ?? 0;
  }

  reason(row: number, column: number): string {
    return this.part.reasons[this.part.why[row * this.part.columns.length + column] ?? 0] ?? '';
  }

  /** How many cells have each level. */
  counts(): number[] {
    const counts = this.part.levels.map(() => 0);
    for (const level of this.part.cells) counts[level] = (counts[level] ?? 0) + 1;
    return counts;
  }

  #apply(): void {
    const { rows, columns } = this.part;
    this.columns = found(columns, this.#columnText);
    const shown = found(rows, this.#rowText);
    if (this.#order === 1)
      shown.sort((one, other) => collator.compare(rows[one]?.label ?? '', rows[other]?.label ?? ''));
    if (this.#order === 2) {
      const weights = this.#weighed();
      shown.sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
    }
    this.rows = shown;
  }

  #weighed(): Float64Array {
    if (this.#weights !== undefined) return this.#weights;
    const { rows, columns, cells } = this.part;
    this.#weights = new Float64Array(rows.length);
    for (let row = 0, at = 0; row < rows.length; row += 1) {
      let sum = 0;
      for (let column = 0; column < columns.length; column += 1, at += 1) sum += cells[at] ?? 0;
      this.#weights[row] = sum;
    }
    return this.#weights;
  }
}

/** The indexes of those that have every word of a text. */
function found(things: HeatPart['rows'], text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return things.flatMap(({ label, detail = '' }, at) => {
    const own = `${label}\n${detail}`.toLowerCase();
    return words.every((word) => own.includes(word)) ? [at] : [];
  });
}
