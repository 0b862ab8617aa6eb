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
import type { Cell, TablePart } from '../../../document/document.js';
import { textOf } from './cells.js';

export type Row = readonly Cell[];
export type Direction = 'asc' | 'desc';

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
export class TableModel {
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
