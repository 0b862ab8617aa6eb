import type { Database as Connection, Statement } from 'libsql';
import { everyTable, isStale, Memory } from './memory.js';
import { tableChangedBy, tablesChangedWith } from './touched-tables.js';

/** What SQLite can hold. Anything else would end the process inside the native module. */
export type SqlValue = string | number | null | Uint8Array;

/** A statement as it is kept. */
interface Prepared {
  statement: Statement<unknown[]>;
  /** Names of the columns of its rows. */
  columns: readonly string[];
  /** The table it changes, if any. */
  changes: string | undefined;
}

/** A connection to a sandbox's database, with its statements prepared once. All calls are synchronous. */
export class Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Prepared>();
  readonly #memory = new Memory();
  #depth: 'none' | 'read' | 'write' = 'none';
  /** Tables that the open transaction has changed, with what changes along. */
  #touched = new Set<string>();
  #changedWith: Map<string, ReadonlySet<string>> | undefined;
  #dataVersion: unknown;
  #generation = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The first row, or undefined. The caller names the row's type, as its SQL decides it. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    const { statement, columns } = this.#prepare(sql);
    const row = statement.get(bindable(values)) as unknown[] | undefined;
    return row && (rowObject(columns, row) as Row);
  }

  /** All rows. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    const { statement, columns } = this.#prepare(sql);
    const rows = statement.all(bindable(values)) as unknown[][];
    return rows.map((row) => rowObject(columns, row) as Row);
  }

  /** Runs one statement and returns how many rows it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).statement.run(bindable(values)).changes;
  }

  /** Runs a script of many statements without values. */
  exec(script: string): void {
    this.#touched.add(everyTable);
    this.#changedWith = undefined; // It may be the structure that changes.
    this.#connection.exec(script);
  }

  /** Runs the work against one unchanging state of the database. */
  read<T>(work: () => T): T {
    return this.#depth === 'none' ? this.#transaction('read', 'BEGIN', work) : work();
  }

  /** Runs the work in one transaction: all of it is kept, or, where it throws, none of it. */
  write<T>(work: () => T): T {
    if (this.#depth === 'write') return work();
    if (this.#depth === 'read') throw new Error('A reading transaction cannot begin to write.');
    try {
      return this.#transaction('write', 'BEGIN IMMEDIATE', work);
    } finally {
      this.#forget(this.#touched);
      this.#touched = new Set();
    }
  }

  /** Like `write`, for what no answer depends on: what is remembered stays. */
  note<T>(work: () => T): T {
    try {
      return this.#transaction('write', 'BEGIN IMMEDIATE', work);
    } finally {
      this.#touched = new Set();
    }
  }

  /** Changes with every change of the database, by this program or another. */
  get generation(): number {
    return this.#generation;
  }

  /** Forgets what was remembered if another program has changed the database. */
  refresh(): void {
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version !== this.#dataVersion) this.#forget(new Set([everyTable]));
    this.#dataVersion = version;
  }

  /**
   * The value computed before under this key, until the database changes; in a transaction that has
   * changed it, always anew.
   * @param tables what the value is made from, views by the tables beneath them: changes of others then
   *   do not matter
   */
  remember<T>(key: string, compute: () => T, tables?: readonly string[]): T {
    if (this.#depth === 'write' && (tables === undefined || isStale(tables, this.#touched))) return compute();
    return this.#memory.recall(key, compute, tables);
  }

  close(): void {
    this.#connection.close();
  }

  #forget(touched: ReadonlySet<string>): void {
    if (touched.size === 0) return;
    this.#memory.forget(touched);
    this.#generation += 1;
  }

  #transaction<T>(depth: 'read' | 'write', begin: string, work: () => T): T {
    // Not by prepared statements: one that fails for the database being busy would stay in progress.
    this.#connection.exec(begin);
    this.#depth = depth;
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // After a full disk SQLite has rolled back by itself.
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    } finally {
      this.#depth = 'none';
    }
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.#connection.prepare(sql);
      // Rows come as lists: as objects they would carry the driver's timing, and cost half as much again.
      const columns = statement.reader ? statement.raw().columns() : [];
      prepared = { statement, columns: columns.map(({ name }) => name), changes: tableChangedBy(sql) };
      this.#statements.set(sql, prepared);
    }
    if (prepared.changes !== undefined) this.#touch(prepared.changes);
    return prepared;
  }

  #touch(table: string): void {
    if (this.#touched.has(table) || this.#touched.has(everyTable)) return;
    this.#touched.add(table);
    this.#changedWith ??= tablesChangedWith(this);
    for (const along of this.#changedWith.get(table) ?? [everyTable]) this.#touched.add(along);
  }
}

function rowObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}

function bindable(values: SqlValue[]): SqlValue[] {
  for (const value of values as unknown[]) {
    const fits = typeof value === 'string' || typeof value === 'number' || value === null;
    if (!fits && !(value instanceof Uint8Array)) throw new TypeError(`SQLite cannot hold ${typeof value}.`);
  }
  return values;
}

/** Whether another program has kept the database to itself for too long. */
export function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}

/**
 * Opens the database file, making it where there is none; `:memory:` keeps it in memory.
 *
 * WAL with synchronous NORMAL: every commit reaches the operating system before the answer is sent,
 * so that a killed process loses nothing; only a power cut may lose the last commits, and never
 * corrupts. FULL would cost sixteen times as much a write. Two programs may share one file: readers
 * never wait, a writer waits up to 5 seconds for the other.
 */
export async function openDatabase(file: string): Promise<Database> {
  const { default: Libsql } = await import('libsql');
  const connection = new Libsql(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec('PRAGMA foreign_keys = ON');
  connection.exec('PRAGMA wal_autocheckpoint = 4000'); // 16 MB: fewer waits for the disk.
  connection.exec('PRAGMA cache_size = -65536'); // At most 64 MB, so that a large change spills nothing.
  return new Database(connection);
}
