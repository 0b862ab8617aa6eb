import {
  bindable,
  type Connection,
  loadDriver,
  SqliteError,
  type SqlValue,
  type Statement,
} from './driver.js';
import {
  type Entry,
  everyTable,
  isStale,
  Memory,
  rowsOf,
  tableChangedBy,
  tablesChangedWith,
  touchedAlone,
  wholeOf,
} from './memory.js';

export type { SqlValue };

interface Prepared {
  statement: Statement;
  /** The table it changes, if any. */
  changes: string | undefined;
}

/** A connection to a sandbox's database, with its statements prepared once. All calls are synchronous. */
export class Database {
  readonly #connection: Connection;
  /** Whether other programs can use the database, too: what is in memory is this connection's alone. */
  readonly #isShared: boolean;
  readonly #statements = new Map<string, Prepared>();
  readonly #memory = new Memory();
  #depth: 'none' | 'read' | 'write' = 'none';
  /** Whether the open transaction changes nothing that is remembered. */
  #notes = false;
  /** Tables and columns changed by the open transaction, with those that change along. */
  #touched = new Set<string>();
  /** Values as the last statement of the open transaction has left them. */
  readonly #kept = new Map<string, Entry>();
  #changedWith: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** What a statement changes, with what changes along; forgotten when the structure may change. */
  readonly #changedBy = new Map<string, Iterable<string>>();
  #dataVersion: unknown;
  #generation = 0;
  #changes = 0;
  /** What is to be done if the open transaction is rolled back. */
  #undo: (() => void)[] = [];

  constructor(connection: Connection, isShared: boolean) {
    this.#connection = connection;
    this.#isShared = isShared;
  }

  /** The first row, or undefined. The caller states its type. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    const { statement } = this.#prepare(sql);
    const row = statement.get(bindable(values));
    return row && (rowObject(statement.columns, row) as Row);
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    const { statement } = this.#prepare(sql);
    return statement.all(bindable(values)).map((row) => rowObject(statement.columns, row) as Row);
  }

  /** Changes rows. */
  change(sql: string, ...values: SqlValue[]): void {
    this.#prepare(sql).statement.change(bindable(values));
  }

  /** The same, and the number of rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).statement.run(bindable(values));
  }

  exec(script: string): void {
    this.#changes += 1;
    this.#kept.clear();
    this.#touched.add(everyTable);
    this.#changedWith = undefined; // It may be the structure that changes.
    this.#changedBy.clear();
    this.#connection.exec(script);
  }

  /** Runs the work on one snapshot of the database. */
  read<T>(work: () => T): T {
    if (this.#depth !== 'none') return work();
    if (this.#isShared) return this.#transaction('read', 'BEGIN', work);
    this.#depth = 'read';
    try {
      return work();
    } finally {
      this.#depth = 'none';
    }
  }

  /** Runs the work in one transaction, rolled back if it throws. */
  write<T>(work: () => T): T {
    if (this.#depth === 'write') return work();
    if (this.#depth === 'read') throw new Error('Cannot write within a read transaction.');
    try {
      return this.#transaction('write', 'BEGIN IMMEDIATE', work);
    } finally {
      this.#wrote();
    }
  }

  /**
   * Like `write`, for work that waits in between, such as for files. Nobody else may use this connection meanwhile:
   * what they change would be part of the transaction.
   */
  async writeSlowly<T>(work: () => Promise<T>): Promise<T> {
    if (this.#depth !== 'none') throw new Error('Another transaction is open.');
    this.#begin('write', 'BEGIN IMMEDIATE');
    try {
      return this.#commit(await work());
    } catch (error) {
      throw this.#rolledBack(error);
    } finally {
      this.#depth = 'none';
      this.#wrote();
    }
  }

  /** Like `write`, for data that no response depends on: keeps what is remembered. May be part of a write. */
  note<T>(work: () => T): T {
    this.#notes = true;
    try {
      return this.#depth === 'write' ? work() : this.#transaction('write', 'BEGIN IMMEDIATE', work);
    } finally {
      this.#notes = false;
    }
  }

  /** Increases with every change of the database, by this program or another. */
  get generation(): number {
    return this.#generation;
  }

  /** Increases with every statement of this connection that may change something, notes too. */
  get changes(): number {
    return this.#changes;
  }

  /** Within a write: what puts memory back if the transaction is rolled back. */
  ifUndone(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Forgets what was remembered if another program has changed the database. */
  refresh(): void {
    if (!this.#isShared) return;
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version !== this.#dataVersion) this.#forget(new Set([everyTable]));
    this.#dataVersion = version;
  }

  /**
   * The value computed earlier under this key, unless the database has changed since.
   * @param tables those the value depends on, beneath views too, or `table.column`; it survives changes of others
   */
  remember<T>(key: string, compute: () => T, tables?: readonly string[]): T {
    const isChanged = this.#depth === 'write' && (tables === undefined || isStale(tables, this.#touched));
    if (!isChanged) return this.#memory.recall(key, compute, tables);
    const kept = this.#kept.get(key);
    return kept === undefined ? compute() : (kept.value as T);
  }

  /**
   * Within a write: remembers a value as the last statement has left it, until the next one changes anything. Not if the
   * write has changed whole rows of these tables: triggers may have changed more of the value then.
   * @param tables names of tables
   */
  keep(key: string, value: unknown, tables: readonly string[]): void {
    if (!isStale(tables.map(wholeOf), this.#touched)) this.#kept.set(key, { value, tables });
  }

  close(): void {
    this.#connection.close();
  }

  #forget(touched: ReadonlySet<string>): void {
    if (touched.size === 0) return;
    this.#memory.forget(touched);
    this.#generation += 1;
  }

  /** What a write changed is remembered no more. */
  #wrote(): void {
    this.#forget(this.#touched);
    this.#touched = new Set();
    for (const [key, entry] of this.#kept) this.#memory.keep(key, entry);
    this.#kept.clear();
  }

  #transaction<T>(depth: 'read' | 'write', begin: string, work: () => T): T {
    this.#begin(depth, begin);
    try {
      return this.#commit(work());
    } catch (error) {
      throw this.#rolledBack(error);
    } finally {
      this.#depth = 'none';
    }
  }

  #begin(depth: 'read' | 'write', begin: string): void {
    // Not prepared: a prepared statement that fails because the database is busy stays in progress.
    this.#connection.exec(begin);
    this.#depth = depth;
  }

  #commit<T>(result: T): T {
    this.#connection.exec('COMMIT');
    this.#undo = [];
    return result;
  }

  #rolledBack(error: unknown): unknown {
    // SQLite itself rolls back when the disk is full.
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    this.#kept.clear();
    for (const undo of this.#undo.splice(0)) undo();
    return error;
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      prepared = { statement: this.#connection.prepare(sql), changes: tableChangedBy(sql) };
      this.#statements.set(sql, prepared);
    }
    if (prepared.changes === undefined) return prepared;
    this.#changes += 1;
    if (!this.#notes) this.#touch(sql, prepared.changes);
    return prepared;
  }

  #touch(sql: string, table: string): void {
    this.#kept.clear();
    if (this.#touched.has(everyTable)) return;
    let tables = this.#changedBy.get(sql);
    if (tables === undefined) {
      tables = touchedAlone(this, sql) ?? rowsOf(this.#tablesWith(table));
      this.#changedBy.set(sql, tables);
    }
    for (const along of tables) this.#touched.add(along);
  }

  #tablesWith(table: string): Iterable<string> {
    this.#changedWith ??= tablesChangedWith(this);
    return this.#changedWith.get(table) ?? [everyTable];
  }
}

function rowObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}

/** Whether another program has locked the database for too long. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code === 'SQLITE_BUSY';
}

/**
 * Opens the database file and creates it if missing; `:memory:` keeps it in memory.
 *
 * WAL with synchronous NORMAL: every commit reaches the operating system before the response is sent, so a
 * killed process loses nothing; a power cut may lose the last commits but does not corrupt the file. FULL
 * makes a write sixteen times slower. Readers never wait; a writer waits up to 5 seconds for another one.
 * @throws DocsError `configuration` if nothing here reads SQLite; SqliteError if the file cannot be opened
 */
export function openDatabase(file: string): Database {
  const connection = loadDriver().open(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec('PRAGMA foreign_keys = ON');
  connection.exec('PRAGMA wal_autocheckpoint = 4000'); // 16 MB: fewer waits for the disk.
  connection.exec('PRAGMA cache_size = -65536'); // At most 64 MB, so that large transactions stay in memory.
  return new Database(connection, file !== ':memory:');
}
