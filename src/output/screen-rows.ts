import { widthOf } from './text-width.js';

/** Colours, and links as `link` writes them: they take no room. */
const escapes = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g;

/** Counts the lines that a text takes on the screen, long ones wrapped, until the screen is full. */
export class ScreenRows {
  readonly #columns: number;
  readonly #rows: number;
  #used = 0;
  /** The last line, which has not ended. */
  #open = '';

  constructor({ columns, rows }: { columns: number; rows: number }) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Whether it does not fit: the last line of the screen belongs to the prompt of the shell. */
  get isFull(): boolean {
    return this.#used + (this.#open === '' ? 0 : this.#lines(this.#open)) >= this.#rows;
  }

  add(text: string): void {
    for (let at = 0; at < text.length && this.#used < this.#rows; ) {
      const end = text.indexOf('\n', at);
      if (end === -1) {
        this.#open += text.slice(at);
        return;
      }
      this.#used += this.#lines(this.#open + text.slice(at, end));
      this.#open = '';
      at = end + 1;
    }
  }

  #lines(line: string): number {
    if (line.length <= this.#columns) return 1;
    // Longer than any screen: not measured, since that takes time.
    if (line.length > this.#columns * this.#rows * 16) return this.#rows;
    return Math.max(1, Math.ceil(widthOf(line.replace(escapes, '')) / this.#columns));
  }
}
