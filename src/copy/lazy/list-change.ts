import { isObject } from '../../is-object.js';

type Merge = (told: unknown, before: unknown, after: unknown) => unknown;

/** Where a page lies in its list. */
export interface Place {
  first: boolean;
  last: boolean;
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
  /** New items and those that moved, by the item of the platform that they follow; null for the start. */
  readonly #following = new Map<string | null, unknown[]>();
  readonly #placed = new Set<string>();
  /** At the end of the list, as nothing of the platform's follows them. */
  readonly #atEnd: unknown[] = [];

  constructor(before: readonly unknown[], after: readonly unknown[], merge: Merge) {
    this.#merge = merge;
    for (const item of before) this.#before.set(keyOf(item), item);
    for (const item of after) this.#after.set(keyOf(item), item);
    this.#placeMoved();
  }

  /** By how many items the list became longer. */
  get growth(): number {
    return this.#after.size - this.#before.size;
  }

  apply(told: readonly unknown[], { first, last }: Place): unknown[] {
    const toldOf = new Map(told.map((item) => [keyOf(item), item]));
    const placed = (list: readonly unknown[] = []) => list.map((item) => this.#asTold(item, toldOf));
    const items: unknown[] = first ? placed(this.#following.get(null)) : [];
    for (const item of told) {
      const key = keyOf(item);
      const before = this.#before.get(key);
      const gone = before !== undefined && !this.#after.has(key);
      if (!gone && !this.#placed.has(key))
        items.push(before === undefined ? item : this.#merge(item, before, this.#after.get(key)));
      items.push(...placed(this.#following.get(key)));
    }
    if (last) items.push(...placed(this.#atEnd));
    return items;
  }

  /** An item that moved, with what the platform knows of it. */
  #asTold(item: unknown, told: ReadonlyMap<string, unknown>): unknown {
    const key = keyOf(item);
    const before = this.#before.get(key);
    return before === undefined || !told.has(key) ? item : this.#merge(told.get(key), before, item);
  }

  #placeMoved(): void {
    const kept = stayed([...this.#before.keys()], [...this.#after.keys()]);
    const keys = [...this.#after.keys()];
    const lastKept = keys.findLastIndex((key) => kept.has(key));
    let previous: string | null = null;
    for (const [index, key] of keys.entries()) {
      if (kept.has(key)) previous = key;
      else {
        this.#placed.add(key);
        const item = this.#after.get(key);
        if (index > lastKept) this.#atEnd.push(item);
        else this.#following.set(previous, [...(this.#following.get(previous) ?? []), item]);
      }
    }
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
