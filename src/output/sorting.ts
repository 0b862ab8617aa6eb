import { parseJson, RawNumber } from '../api/transport/json-text.js';
import { usageError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import { columnValue, plainText } from './cells.js';
import { type Kind, resolveColumns } from './columns.js';
import { checkFields, pathNamed, picker, type Shown } from './fields.js';
import { stringify } from './json.js';
import { type Format, keyed, mostFiltered, type Page, tooLargeToFilter, type View } from './printer.js';
import { grouped, isDateTime } from './text.js';

/** `--sort-by`: a list that is read as a whole, into memory, before any of it is printed (decision 048). */

/** Most items that are sorted. */
const mostItems = 200_000;

/** Most bytes that they may take: of what is printed, and of the texts they are sorted by. */
const mostBytes = 256 << 20;

/** Items per page that is printed. */
const pageSize = 1000;

interface Sorting {
  /** As typed: `role,joinedAt:desc`. */
  by: string;
  view: View;
  /** What is printed of an item. */
  keep(item: unknown): unknown;
  /** Most items and bytes; default: 200,000 and 256 MB. */
  most?: { items: number; bytes: number };
  signal: AbortSignal;
}

/** An item: what is printed of it, as JSON outside of the heap, and what it is ordered by. */
interface Row {
  json: Buffer;
  values: readonly SortValue[];
}

/** A list that is read as a whole, and then given back in order. Only what is printed of it is held. */
export class SortedList {
  readonly #sorting: Sorting;
  readonly #keys: readonly SortKey[];
  readonly #rows: Row[] = [];
  /** Of each item of a tree, how deep it stands; undefined for lists. */
  readonly #depths: number[] | undefined;
  readonly #depthPath: string | undefined;
  #keyCharacters = 0;
  #extra: Record<string, unknown> | undefined;
  /** Bytes of what is printed. */
  bytes = 0;

  /** @throws DocsError usage `invalid_sort`, `unknown_field` */
  constructor(sorting: Sorting) {
    const { by, view } = sorting;
    this.#sorting = sorting;
    this.#keys = checkedKeys(by, view);
    this.#depthPath = view.depth ?? view.columns.find(({ indent }) => indent !== undefined)?.indent;
    this.#depths = this.#depthPath === undefined ? undefined : [];
  }

  get length(): number {
    return this.#rows.length;
  }

  /** @throws DocsError usage `too_many_to_sort` */
  add({ items, count, extra }: Page): void {
    const { most = { items: mostItems, bytes: mostBytes }, keep } = this.#sorting;
    this.#extra ??= extra;
    const all = Math.max(count ?? 0, this.#rows.length + items.length);
    if (all > most.items) throw tooMany(all, count !== undefined && count > most.items, most.items);
    for (const item of items) {
      const values = this.#keys.map((key) => valueBy(item, key));
      const json = Buffer.from(stringify(keep(item)));
      this.#rows.push({ json, values });
      this.#depths?.push(depthOf(item, this.#depthPath));
      this.#keyCharacters += values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      this.bytes += json.length;
    }
    if (this.bytes + this.#keyCharacters > most.bytes) throw tooLarge(most.bytes);
  }

  /** The items in order; equal ones as they came. @throws the reason of the signal */
  async *pages(): AsyncGenerator<Page> {
    const { length } = this.#rows;
    const order = ordering(this.#keys, (place: number, key) => this.#rows[place]?.values[key]);
    const sorted = await sortedPlaces(length, order, this.#sorting.signal);
    const places = this.#depths === undefined ? sorted : depthFirst(sorted, this.#depths);
    for (let at = 0; at < Math.max(length, 1); at += pageSize) {
      const items = places.slice(at, at + pageSize).map((place) => this.#item(place));
      const more = at + pageSize < length;
      yield { items, count: length, next: more ? 'more' : undefined, extra: this.#extra };
    }
  }

  #item(place: number): unknown {
    const row = this.#rows[place];
    const parsed = row && parseJson(row.json);
    return parsed?.ok ? parsed.value : undefined;
  }
}

type Compare = (one: number, other: number) => number;

/** Places that are sorted at once. */
const atOnce = 2000;

/** Places 0 to `length` in order, equal ones as they were. Signals get their turn: a long list takes seconds. */
async function sortedPlaces(length: number, compare: Compare, signal: AbortSignal): Promise<number[]> {
  let runs: number[][] = [];
  for (let start = 0; start < length; start += atOnce) {
    const size = Math.min(atOnce, length - start);
    runs.push(Array.from({ length: size }, (_, at) => start + at).sort(compare));
    await othersTurn(signal);
  }
  while (runs.length > 1) {
    const merged: number[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
      await othersTurn(signal);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function othersTurn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((resolve) => setImmediate(resolve));
}

function mergedRuns(left: readonly number[], right: readonly number[], compare: Compare): number[] {
  const merged: number[] = [];
  let at = 0;
  for (const place of right) {
    for (let next = left[at]; next !== undefined && compare(next, place) <= 0; next = left[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(place);
  }
  for (const place of left.slice(at)) merged.push(place);
  return merged;
}

function depthOf(item: unknown, path: string | undefined): number {
  const depth = path === undefined ? 0 : columnValue(item, { path });
  return typeof depth === 'number' ? depth : 0;
}

const instead =
  'Nothing was printed. Use filters to make the list shorter, or sort the output of -o tsv or -o ndjson with another program.';

function tooMany(count: number, isTold: boolean, most: number) {
  const number = isTold ? grouped(count) : `more than ${grouped(most)}`;
  const message = `the list has ${number} items; --sort-by sorts at most ${grouped(most)}. ${instead}`;
  return usageError('too_many_to_sort', message, { details: { most, ...(isTold && { count }) } });
}

function tooLarge(most: number) {
  const limit = `--sort-by sorts at most ${grouped(most >> 20)} MB, and this list is larger`;
  return usageError('too_many_to_sort', `${limit}; pass --fields to keep less of each item. ${instead}`);
}

interface Sorted extends Pick<Sorting, 'by' | 'view' | 'signal'> {
  shown: Shown;
  format: Format | 'jq';
  /** Most items that are printed. */
  limit: number | undefined;
  /** Says on a terminal that all is read. */
  tell(text: string): void;
}

/**
 * Reads a list to its end.
 * @param walk visits all pages
 * @throws DocsError usage `too_many_to_sort`, `jq_too_large`, as soon as that is known; what the pages throw
 */
export async function readSorted(
  { by, view, shown, format, limit, signal, tell }: Sorted,
  walk: (visit: (page: Page) => void) => Promise<unknown>,
): Promise<SortedList> {
  const list = new SortedList({ by, view, keep: keeper(format, shown), signal });
  await walk((page) => {
    const isFirst = list.length === 0;
    list.add(page);
    if (format === 'jq' && limit === undefined) refuseTooLarge(list, page);
    if (isFirst && page.next !== undefined) tell(readingWords(page, view.noun));
  });
  return list;
}

/** A filter gets all that is printed. The first page tells about how much that will be; a list of half of it may fit. */
function refuseTooLarge({ bytes, length }: SortedList, { count = length }: Page): void {
  const expected = length === 0 ? 0 : (bytes / length) * count;
  if (bytes > mostFiltered || expected > 2 * mostFiltered) throw tooLargeToFilter();
}

function readingWords({ count }: Page, noun = 'items'): string {
  return `Reading all ${count === undefined ? '' : `${grouped(count)} `}${noun} to sort them.`;
}

/** Keeps what the format prints of an item. */
function keeper(format: Format | 'jq', { view, fields, pick }: Shown): (item: unknown) => unknown {
  if (format === 'jq' || keyed.includes(format)) return pick;
  if (format === 'id') return picker([view.id ?? 'id']);
  const columns = resolveColumns(view, fields);
  return picker(columns.flatMap(({ path, indent }) => (indent === undefined ? [path] : [path, indent])));
}

/** A single answer that holds a tree, with the siblings of every level in order. @throws as `checkedKeys` */
export function treeInOrder(answer: unknown, by: string, view: View): unknown {
  const { list, children } = view.tree ?? {};
  if (children === undefined) return answer;
  const keys = checkedKeys(by, view);
  const order = ordering(keys, (item: unknown, index) => {
    const key = keys[index];
    return key && valueBy(item, key);
  });
  const ordered = (roots: unknown) => (Array.isArray(roots) ? sortedTree(roots, children, order) : roots);
  if (list === undefined) return ordered(answer);
  return isObject(answer) ? { ...answer, [list]: ordered(answer[list]) } : answer;
}

/** A field of `--sort-by`, and its direction. */
interface SortKey {
  path: string;
  descending: boolean;
  isId: boolean;
  /** What its values mean. */
  as?: Kind;
}

/** `role,joinedAt:desc` as paths and directions. @throws DocsError usage `invalid_sort` */
function parsed(typed: string): { path: string; descending: boolean }[] {
  return typed.split(',').map((part) => {
    const [path = '', direction = 'asc', ...rest] = part.trim().split(':');
    if (path !== '' && rest.length === 0 && (direction === 'asc' || direction === 'desc'))
      return { path, descending: direction === 'desc' };
    const value = JSON.stringify(part);
    const message = `--sort-by: invalid value ${value}; expected <field> or <field>:desc, such as updatedAt:desc`;
    throw usageError('invalid_sort', message);
  });
}

/** The keys of `--sort-by` for a view. @throws DocsError usage `invalid_sort`, `unknown_field` */
export function checkedKeys(typed: string, view: View): SortKey[] {
  const keys = parsed(typed).map((key) => ({ ...key, path: pathNamed(key.path, view) ?? key.path }));
  const paths = keys.map(({ path }) => path);
  const known = [...new Set([...view.fields, ...view.columns.map(({ path }) => path)])];
  checkFields(paths, known, view.open ?? [], '--sort-by');
  const columns = resolveColumns(view, paths);
  return keys.map((key, index) => {
    const { isId = false, as } = columns[index] ?? {};
    return { ...key, isId, as };
  });
}

/** The value of an item by which a key orders it. */
function valueBy(item: unknown, { path, as }: SortKey): SortValue {
  return sortValue(columnValue(item, { path, as }));
}

/** Orders items by keys, one after another. What is missing comes last, whatever the direction. */
function ordering<T>(
  keys: readonly SortKey[],
  valueAt: (item: T, key: number) => SortValue,
): (one: T, other: T) => number {
  return (one, other) => {
    for (const [index, { descending, isId }] of keys.entries()) {
      const [own, others] = [valueAt(one, index), valueAt(other, index)];
      if (own === undefined || others === undefined) {
        if (own === others) continue;
        return own === undefined ? 1 : -1;
      }
      const order = compareValues(own, others, isId);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** The value of a field by which items are ordered. */
type SortValue = boolean | number | bigint | string | Moment | undefined;

/** A moment, in milliseconds since the epoch. */
class Moment {
  constructor(readonly ms: number) {}
}

/** The same everywhere, whatever the language of the machine: 2 before 10, `Zoë` after `Zoe`. */
const collator = new Intl.Collator('en', { numeric: true });

/** What a value is ordered by: itself, its moment, or its text. */
function sortValue(value: unknown): SortValue {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (value instanceof RawNumber)
    return /^-?\d+$/.test(value.rawJson) ? BigInt(value.rawJson) : Number(value.rawJson);
  if (isDateTime(value)) return new Moment(Date.parse(value));
  return plainText(value);
}

/** Characters that a value holds in memory. */
function sizeOf(value: SortValue): number {
  return typeof value === 'string' ? value.length : 0;
}

/**
 * Orders two values: no before yes, numbers as numbers, times by their instant, text as people expect it, ids by their
 * characters. Values of different kinds: in this order.
 */
function compareValues(one: SortValue, other: SortValue, isId: boolean): number {
  if (typeof one === 'string' && typeof other === 'string') {
    if (!isId) return collator.compare(one, other);
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const kinds = kindOf(one) - kindOf(other);
  if (kinds !== 0) return kinds;
  const [own, others] = [numberOf(one), numberOf(other)];
  return own < others ? -1 : own > others ? 1 : 0;
}

function kindOf(value: SortValue): number {
  if (typeof value === 'boolean') return 0;
  if (typeof value === 'string') return 3;
  return value instanceof Moment ? 2 : 1;
}

function numberOf(value: SortValue): number | bigint {
  if (value instanceof Moment) return value.ms;
  return typeof value === 'bigint' ? value : Number(value);
}

/**
 * The places of a tree, depth first, where siblings stand in the order of `sorted`.
 * @param sorted all places, in order
 * @param depths of each place, whose parts follow it
 */
export function depthFirst(sorted: readonly number[], depths: readonly number[]): number[] {
  const parents = parentsOf(depths);
  const below = new Map<number, number[]>();
  for (const place of sorted) {
    const parent = parents[place] ?? root;
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [place]);
    else siblings.push(place);
  }
  const places: number[] = [];
  const waiting = (below.get(root) ?? []).toReversed();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    places.push(place);
    for (const child of (below.get(place) ?? []).toReversed()) waiting.push(child);
  }
  return places;
}

const root = -1;

function parentsOf(depths: readonly number[]): number[] {
  const open: { place: number; depth: number }[] = [];
  return depths.map((depth, place) => {
    while ((open.at(-1)?.depth ?? Number.NEGATIVE_INFINITY) >= depth) open.pop();
    const parent = open.at(-1)?.place ?? root;
    open.push({ place, depth });
    return parent;
  });
}

/** Compares two siblings. */
type CompareItems = (one: unknown, other: unknown) => number;

/** A tree with the siblings of every level in order. A stack: depth has no limit. */
function sortedTree(roots: readonly unknown[], children: string, compare: CompareItems): unknown[] {
  const all = [...roots].sort(compare);
  const waiting: { into: unknown[] }[] = [{ into: all }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { into } = next;
    for (const [index, item] of into.entries()) {
      if (typeof item !== 'object' || item === null) continue;
      const below = (item as Record<string, unknown>)[children];
      if (!Array.isArray(below)) continue;
      const ordered: unknown[] = [...below].sort(compare);
      into[index] = { ...item, [children]: ordered };
      waiting.push({ into: ordered });
    }
  }
  return all;
}
