import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { oncePerFrame } from '../dom.js';

/** Tables of more rows draw only those in sight. */
const drawnWhole = 100;

/** The rows of a body, by index. */
export interface BodyRows {
  make(index: number): HTMLElement;
  /** How high a row will about be in pixels, until it is measured. */
  height(index: number): number;
}

/** The body of a table: all rows, or of many only those in sight, between margins as high as the others. */
export class TableBody {
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
