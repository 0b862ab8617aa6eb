import type { ReportColumn, TablePart } from '../../../document/document.js';
import { counted, grouped } from '../../../output/counted.js';
import { el, onPrint, setAttribute } from '../dom.js';
import { TableBody } from './body.js';
import { cellOf, isNumeric } from './cells.js';
import { type Direction, TableModel } from './model.js';
import { filtersOf } from './tools.js';
import { heightOf, widthsOf } from './widths.js';

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
