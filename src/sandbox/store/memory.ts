/** Stands for all tables: those of a change cannot always be told from its SQL. */
export const everyTable = '*';

interface Entry {
  value: unknown;
  /** The tables it depends on; undefined for all. */
  tables: readonly string[] | undefined;
}

const mostEntries = 10_000;

/** Values computed from a database, kept until the tables they depend on change. */
export class Memory {
  readonly #entries = new Map<string, Entry>();

  recall<T>(key: string, compute: () => T, tables: readonly string[] | undefined): T {
    const known = this.#entries.get(key);
    if (known !== undefined) return known.value as T;
    if (this.#entries.size >= mostEntries) this.#entries.clear();
    const value = compute();
    this.#entries.set(key, { value, tables });
    return value;
  }

  forget(touched: ReadonlySet<string>): void {
    if (touched.has(everyTable)) this.#entries.clear();
    for (const [key, { tables }] of this.#entries) {
      if (isStale(tables, touched)) this.#entries.delete(key);
    }
  }
}

/** Whether values that depend on these tables may have changed. */
export function isStale(tables: readonly string[] | undefined, touched: ReadonlySet<string>): boolean {
  if (touched.size === 0) return false;
  return tables === undefined || touched.has(everyTable) || tables.some((table) => touched.has(table));
}
