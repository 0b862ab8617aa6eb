/** Stands for every table: what a change touches cannot be told from its SQL. */
export const everyTable = '*';

interface Entry {
  value: unknown;
  /** What it is made from; undefined where that is not known. */
  tables: readonly string[] | undefined;
}

const mostEntries = 10_000;

/** Values made from a database, kept while what they are made from stays as it is. */
export class Memory {
  readonly #entries = new Map<string, Entry>();

  /** The value under the key, computed where it is not there. */
  recall<T>(key: string, compute: () => T, tables: readonly string[] | undefined): T {
    const known = this.#entries.get(key);
    if (known !== undefined) return known.value as T;
    if (this.#entries.size >= mostEntries) this.#entries.clear();
    const value = compute();
    this.#entries.set(key, { value, tables });
    return value;
  }

  /** Forgets what is made from any of these tables. */
  forget(touched: ReadonlySet<string>): void {
    if (touched.has(everyTable)) this.#entries.clear();
    for (const [key, { tables }] of this.#entries) {
      if (isStale(tables, touched)) this.#entries.delete(key);
    }
  }
}

/** Whether what is made from these tables may have changed. */
export function isStale(tables: readonly string[] | undefined, touched: ReadonlySet<string>): boolean {
  if (touched.size === 0) return false;
  return tables === undefined || touched.has(everyTable) || tables.some((table) => touched.has(table));
}
