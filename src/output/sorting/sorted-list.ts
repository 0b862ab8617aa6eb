import { parseJson } from '../../api/transport/json-text.js';
import { usageError } from '../../errors.js';
import { columnValue } from '../cells.js';
import { grouped } from '../counted.js';
import { stringify } from '../json.js';
import type { Page, View } from '../printer.js';
import { sortedPlaces } from './merge-sort.js';
import { RowStore } from './row-store.js';
import { checkedKeys, ordering, type SortKey, valueBy } from './sort-keys.js';
import { type SortValue, sizeOf } from './sort-values.js';
import { depthFirst } from './tree-order.js';

/** Most items that are sorted. */
export const mostItems = 1_000_000;

/** Most characters of the values that items are sorted by, which stay in memory. */
const mostCharacters = 150_000_000;

/** Items per page that is printed. */
const pageSize = 1000;

export interface Sorting {
  /** As typed: `role,joinedAt:desc`. */
  by: string;
  view: View;
  /** What is printed of an item. */
  keep(item: unknown): unknown;
  /** Most items; default: 1,000,000. */
  most?: number;
  signal: AbortSignal;
}

/** A list that is read as a whole, and then given back in order. Only what is printed of it is held. */
export class SortedList {
  readonly #sorting: Sorting;
  readonly #keys: readonly SortKey[];
  /** Of each key, the values of all items. */
  readonly #values: readonly SortValue[][];
  readonly #rows = new RowStore();
  /** Of each item of a tree, how deep it stands; undefined for lists. */
  readonly #depths: number[] | undefined;
  readonly #depthPath: string | undefined;
  #characters = 0;
  #extra: Record<string, unknown> | undefined;

  /** @throws DocsError usage `invalid_sort`, `unknown_field` */
  constructor(sorting: Sorting) {
    const { by, view } = sorting;
    this.#sorting = sorting;
    this.#keys = checkedKeys(by, view);
    this.#values = this.#keys.map(() => []);
    this.#depthPath = view.depth ?? view.columns.find(({ indent }) => indent !== undefined)?.indent;
    this.#depths = this.#depthPath === undefined ? undefined : [];
  }

  get length(): number {
    return this.#rows.length;
  }

  /** @throws DocsError usage `too_many_to_sort`; local-io */
  add({ items, count, extra }: Page): void {
    const { most = mostItems, keep } = this.#sorting;
    this.#extra ??= extra;
    const all = Math.max(count ?? 0, this.#rows.length + items.length);
    if (all > most) throw tooMany(all, count !== undefined && count > most, most);
    for (const item of items) {
      for (const [index, key] of this.#keys.entries()) {
        const value = valueBy(item, key);
        this.#characters += sizeOf(value);
        this.#values[index]?.push(value);
      }
      this.#depths?.push(depthOf(item, this.#depthPath));
      this.#rows.add(stringify(keep(item)));
    }
    if (this.#characters > mostCharacters) throw tooLong();
  }

  /** The items in order. @throws the reason of the signal; DocsError local-io */
  async *pages(): AsyncGenerator<Page> {
    const { length } = this;
    const order = ordering(this.#keys, (place: number, key) => this.#values[key]?.[place]);
    const sorted = await sortedPlaces(length, order, this.#sorting.signal);
    const places = this.#depths === undefined ? sorted : depthFirst(sorted, this.#depths);
    for (let at = 0; at < Math.max(length, 1); at += pageSize) {
      const items = Array.from(places.subarray(at, at + pageSize), (place) => this.#item(place));
      const more = at + pageSize < length;
      yield {
        items,
        count: length,
        ...(more && { next: 'more' }),
        ...(this.#extra && { extra: this.#extra }),
      };
    }
  }

  close(): void {
    this.#rows.close();
  }

  #item(place: number): unknown {
    const parsed = parseJson(this.#rows.at(place));
    return parsed.ok ? parsed.value : undefined;
  }
}

function depthOf(item: unknown, path: string | undefined): number {
  const depth = path === undefined ? 0 : columnValue(item, { path });
  return typeof depth === 'number' ? depth : 0;
}

function tooMany(count: number, isTold: boolean, most: number) {
  const number = isTold ? grouped(count) : `more than ${grouped(most)}`;
  const message = `The list has ${number} items; --sort-by sorts at most ${grouped(most)}. Nothing was printed.`;
  return usageError('too_many_to_sort', message, { details: { most, ...(isTold && { count }) } });
}

function tooLong() {
  const message = 'The values to sort by do not fit into memory. Nothing was printed.';
  return usageError('too_many_to_sort', message, { hint: 'sort by a shorter field, such as the id' });
}
