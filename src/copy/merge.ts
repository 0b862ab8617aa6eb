import { isObject } from '../base/values.js';

/** What was merged, or is the copy's own: whoever works in more changes leaves these as they are. */
const settled = new WeakSet<object>();

/** Whether a value has the changes of the copy in it. */
export function isSettled(value: object): boolean {
  return settled.has(value);
}

/** Marks a value that has the changes of the copy in it. */
function settle<T>(value: T): T {
  if (typeof value === 'object' && value !== null) settled.add(value);
  return value;
}

/** Marks a value of the copy itself with all that is in it. */
function settleAll<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) settleAll(member);
  return settle(value);
}

/**
 * What the platform would tell after a change that was made in a copy. The copy knows a part of the organization:
 * it tells what it knew before the change and what it tells after it. Where both are the same, the platform is
 * right; where they differ, the copy is. A number that differs from the copy's own moves by as much, as it counts
 * things that the copy does not hold.
 * @param told by the platform
 * @param before by the part of the copy that is as the platform
 * @param after by the copy
 */
export function merge(told: unknown, before: unknown, after: unknown): unknown {
  if (same(before, after)) return told;
  if (typeof told === 'number' && typeof before === 'number' && typeof after === 'number')
    return told + after - before;
  if (Array.isArray(told) && Array.isArray(before) && Array.isArray(after))
    return new ListChange(before, after, merge).apply(told, { first: true, last: true });
  if (isObject(told) && isObject(before) && isObject(after)) return mergeObjects(told, before, after);
  return settleAll(after);
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

type Json = Record<string, unknown>;

function mergeObjects(told: Json, before: Json, after: Json): Json {
  const merged: Json = {};
  for (const key of new Set([...Object.keys(told), ...Object.keys(after)])) {
    if (same(before[key], after[key])) {
      if (Object.hasOwn(told, key)) merged[key] = told[key];
    } else if (Object.hasOwn(after, key)) {
      if (Object.hasOwn(told, key)) merged[key] = merge(told[key], before[key], after[key]);
      // What this answer does not show of the resource it does not show afterwards either.
      else if (!Object.hasOwn(before, key)) merged[key] = settleAll(after[key]);
    }
  }
  return settle(merged);
}

type Merge = (told: unknown, before: unknown, after: unknown) => unknown;

/** Where a page lies in its list. */
interface PageBounds {
  first: boolean;
  last: boolean;
  /** The last item of the page before it, if it was seen. */
  from?: unknown;
}

/** What identifies an item within its list. */
export function keyOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  for (const one of [item, item.space, item.organization, item.team, item.page, item.customField]) {
    if (isObject(one) && typeof one.id === 'string' && (one !== item.organization || isObject(item.team)))
      return one.id;
  }
  return JSON.stringify(item);
}

/** How a change in a copy changed a list, applied to the list as the platform tells it, page by page. */
export class ListChange {
  readonly #merge: Merge;
  readonly #before = new Map<string, unknown>();
  readonly #after = new Map<string, unknown>();
  /** The keys of items that stayed where they were. */
  readonly #kept: ReadonlySet<string>;

  constructor(before: readonly unknown[], after: readonly unknown[], merge: Merge) {
    this.#merge = merge;
    for (const item of before) this.#before.set(keyOf(item), item);
    for (const item of after) this.#after.set(keyOf(item), item);
    this.#kept = stayed([...this.#before.keys()], [...this.#after.keys()]);
  }

  /** By how many items the list became longer. */
  get growth(): number {
    return this.#after.size - this.#before.size;
  }

  apply(told: readonly unknown[], place: PageBounds): unknown[] {
    const overridesOf = new Map(told.map((item) => [keyOf(item), item]));
    const items = told.flatMap((item) => this.#merged(item));
    const placed = [...this.#after].filter(
      ([key]) => !this.#kept.has(key) && !this.#isOnPage(key, overridesOf),
    );
    // Where the copy holds all that the platform tells, its order is the order; else times tell where a new item is.
    const holdsAll = place.first && place.last && told.every((item) => this.#before.has(keyOf(item)));
    if (!holdsAll && placed.every(([, item]) => timeOf(item) !== undefined)) {
      const added = placed.map(([key, item]) => this.#asTold(key, item, overridesOf));
      const all = addByTime(items, added, told, place);
      if (all !== undefined) return all;
    }
    return this.#byNeighbours(items, new Map(placed), overridesOf, place);
  }

  #merged(item: unknown): unknown[] {
    const key = keyOf(item);
    const before = this.#before.get(key);
    if (before === undefined) return [item];
    return this.#kept.has(key) ? [this.#merge(item, before, this.#after.get(key))] : [];
  }

  /** Whether the platform lists what the copy did not, so that it is not added. */
  #isOnPage(key: string, told: ReadonlyMap<string, unknown>): boolean {
    return told.has(key) && !this.#before.has(key);
  }

  /** An item that moved, with what the platform knows of it. */
  #asTold(key: string, item: unknown, told: ReadonlyMap<string, unknown>): unknown {
    const before = this.#before.get(key);
    return before === undefined || !told.has(key)
      ? settleAll(item)
      : this.#merge(told.get(key), before, item);
  }

  /** Each new or moved item after the one that it follows in the copy. */
  #byNeighbours(
    items: readonly unknown[],
    placed: ReadonlyMap<string, unknown>,
    told: ReadonlyMap<string, unknown>,
    { first, last }: PageBounds,
  ): unknown[] {
    const following = new Map<string | null, unknown[]>();
    const keys = [...this.#after.keys()];
    const lastKept = keys.findLastIndex((key) => this.#kept.has(key));
    const atEnd: unknown[] = [];
    let previous: string | null = null;
    for (const [index, key] of keys.entries()) {
      if (this.#kept.has(key)) previous = key;
      else if (placed.has(key)) {
        const item = this.#asTold(key, placed.get(key), told);
        if (index > lastKept) atEnd.push(item);
        else following.set(previous, [...(following.get(previous) ?? []), item]);
      }
    }
    const start = first ? (following.get(null) ?? []) : [];
    const rest = items.flatMap((item) => [item, ...(following.get(keyOf(item)) ?? [])]);
    return [...start, ...rest, ...(last ? atEnd : [])];
  }
}

/** The keys of both lists that are in the same order in both, as many as there are. */
function stayed(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((key, index) => [key, index]));
  /** For each length, the key that ends the row of that length with the smallest place. */
  const ends: string[] = [];
  const previous = new Map<string, string | undefined>();
  for (const key of after) {
    const place = places.get(key);
    if (place === undefined) continue;
    let length = ends.length;
    while (length > 0 && (places.get(ends[length - 1] ?? '') ?? 0) > place) length -= 1;
    previous.set(key, ends[length - 1]);
    ends[length] = key;
  }
  const kept = new Set<string>();
  for (let key = ends.at(-1); key !== undefined; key = previous.get(key)) kept.add(key);
  return kept;
}

/** The time that lists are sorted by, of an item or of what it is about. */
function timeOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  for (const one of [item, item.organization, item.space, item.team]) {
    if (!isObject(one)) continue;
    const time = one.joinedAt ?? one.postedAt ?? one.createdAt;
    if (typeof time === 'string') return time;
  }
  return undefined;
}

interface Page {
  first: boolean;
  last: boolean;
  /** The last item of the page before. */
  from?: unknown;
}

/**
 * A page with the new items that belong there by their times.
 * @param items to add to: as on the page, less what is gone
 * @param told the page as the platform told it
 * @returns undefined if the page is not sorted by time, or too short to tell
 */
export function addByTime(
  items: readonly unknown[],
  added: readonly unknown[],
  told: readonly unknown[],
  { first, last, from }: Page,
): unknown[] | undefined {
  if (added.length === 0) return [...items];
  const times = [...(from === undefined ? [] : [from]), ...told].map((item) => timeOf(item) ?? '');
  const [start, end] = [times[0] ?? '', times.at(-1) ?? ''];
  if (start === end || times.includes('')) return undefined;
  const sign = start < end ? 1 : -1;
  const isBefore = (a: string, b: string) => (sign === 1 ? a < b : a > b);
  if (times.some((time, index) => index > 0 && isBefore(time, times[index - 1] ?? ''))) return undefined;
  const own = added.filter((item) => {
    const time = timeOf(item) ?? '';
    const isAfterStart = first || !isBefore(time, start);
    return isAfterStart && (last || isBefore(time, end));
  });
  const all = [...items, ...own];
  return all.sort((a, b) => sign * (timeOf(a) ?? '').localeCompare(timeOf(b) ?? ''));
}
