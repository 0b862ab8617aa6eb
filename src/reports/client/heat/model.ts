import type { HeatPart } from '../../../document/document.js';

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
