/** Stands for all tables: those of a change cannot always be told from its SQL. */
export const everyTable = '*';

export interface Entry {
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
    const value = compute();
    this.keep(key, { value, tables });
    return value;
  }

  keep(key: string, entry: Entry): void {
    if (this.#entries.size >= mostEntries) this.#entries.clear();
    this.#entries.set(key, entry);
  }

  forget(touched: ReadonlySet<string>): void {
    if (touched.has(everyTable)) this.#entries.clear();
    for (const [key, { tables }] of this.#entries) {
      if (isStale(tables, touched)) this.#entries.delete(key);
    }
  }
}

/**
 * Whether values that depend on these may have changed.
 * @param tables names of tables, or `table.column` for one column
 */
export function isStale(tables: readonly string[] | undefined, touched: ReadonlySet<string>): boolean {
  if (touched.size === 0) return false;
  if (tables === undefined || touched.has(everyTable)) return true;
  return tables.some((name) => touched.has(name) || (name.includes('.') && touched.has(wholeOf(name))));
}

/** By the names that the code has of tables and columns: each write asks for some of them. */
const wholes = new Map<string, string>();

/** What stands for all columns of a table. @param name the table, or a column of it */
export function wholeOf(name: string): string {
  const known = wholes.get(name);
  if (known !== undefined) return known;
  const whole = `${name.split('.', 1)[0]}.*`;
  wholes.set(name, whole);
  return whole;
}

/** What a change of whole rows of these tables touches. */
export function rowsOf(tables: Iterable<string>): string[] {
  return [...tables].flatMap((table) => [table, wholeOf(table)]);
}

interface Reader {
  all<Row>(sql: string, ...values: string[]): Row[];
}

/** The table that a statement changes; undefined for a read, `everyTable` if unknown. */
export function tableChangedBy(sql: string): string | undefined {
  const change =
    /^\s*(?:(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i;
  const table = change.exec(sql)?.[1];
  if (table !== undefined) return table;
  const reads =
    /^\s*(?:SELECT|EXPLAIN|PRAGMA|WITH)\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE)\b/i.test(sql);
  return reads ? undefined : everyTable;
}

/**
 * For each table, the tables that a change of it may change: itself, those whose references cascade, and
 * those its triggers write to, transitively.
 */
export function tablesChangedWith(db: Reader): Map<string, ReadonlySet<string>> {
  const names = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const next = new Map<string, string[]>(names.map(({ name }) => [name, [name]]));
  for (const { name } of names) {
    const keys = db.all<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)', name);
    for (const { table } of keys) next.get(table)?.push(name);
  }
  const triggers = db.all<{ tbl_name: string; sql: string }>(
    "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  for (const { tbl_name: table, sql } of triggers) next.get(table)?.push(...tablesNamedAsChanged(sql));
  return new Map(names.map(({ name }) => [name, reachable(name, next)]));
}

/**
 * What an UPDATE touches if it changes its own table alone: the table and its columns. No trigger waits for them then.
 * References follow deletions only, unless one says `ON UPDATE`.
 * @returns undefined for what may change more
 */
export function touchedAlone(db: Reader, sql: string): string[] | undefined {
  const [, table = '', set = ')='] = /^\s*UPDATE\s+(?:OR\s+\w+\s+)?(\w+)\s+SET\s+(\w.*)$/is.exec(sql) ?? [];
  if (/\)\s*=|["`[]/.test(set)) return undefined;
  // Those of its conditions are among them, which is safe.
  const columns = new Set([...set.matchAll(/(\w+)\s*=/g)].map(([, name = '']) => name.toLowerCase()));
  const structure = db.all<{ sql: string }>(
    `SELECT sql FROM sqlite_schema
     WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE OR type = 'table' AND sql LIKE ?`,
    ...[table, '%ON UPDATE%'],
  );
  const isAlone = structure.every(({ sql: made }) => {
    const [head = ''] = made.split(/\bBEGIN\b/i, 1);
    const [, of] = /\bUPDATE\s+OF\s+([\w\s,]+?)\s+ON\b/i.exec(head) ?? [];
    if (of === undefined) return !/\bUPDATE\b/i.test(head);
    return of.split(',').every((name) => !columns.has(name.trim().toLowerCase()));
  });
  return isAlone ? [table, ...Array.from(columns, (column) => `${table}.${column}`)] : undefined;
}

function tablesNamedAsChanged(trigger: string): string[] {
  const change = /\b(?:INTO|UPDATE(?:\s+OR\s+\w+)?|FROM)\s+(\w+)/gi;
  return [...trigger.matchAll(change)].map((match) => match[1] ?? everyTable);
}

function reachable(start: string, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>([start]);
  for (const name of seen) {
    for (const further of next.get(name) ?? []) seen.add(further);
  }
  return seen;
}
