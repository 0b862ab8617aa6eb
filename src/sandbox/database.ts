import type { Database as Connection, Statement } from 'libsql';

/** What SQLite can hold. Anything else would end the process inside the native module. */
export type SqlValue = string | number | null | Uint8Array;

const mostRemembered = 10_000;

/** A connection to a sandbox's database, with its statements prepared once. All calls are synchronous. */
export class Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement<unknown[]>>();
  readonly #remembered = new Map<string, unknown>();
  #depth: 'none' | 'read' | 'write' = 'none';
  #dataVersion: unknown;
  #generation = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The first row, or undefined. The caller names the row's type, as its SQL decides it. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    const row = this.#prepare(sql).get(bindable(values)) as (Row & { _metadata?: unknown }) | undefined;
    if (row !== undefined) delete row._metadata; // The driver's timing, not a column.
    return row;
  }

  /** All rows. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(bindable(values)) as Row[];
  }

  /** Runs one statement and returns how many rows it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(bindable(values)).changes;
  }

  /** Runs a script of many statements without values. */
  exec(script: string): void {
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
    const result = this.#transaction('write', 'BEGIN IMMEDIATE', work);
    this.#forget();
    return result;
  }

  /** Like `write`, for what no answer depends on: what is remembered stays. */
  note<T>(work: () => T): T {
    return this.#transaction('write', 'BEGIN IMMEDIATE', work);
  }

  /** Changes with every change of the database, by this program or another. */
  get generation(): number {
    return this.#generation;
  }

  /** Forgets what was remembered if another program has changed the database. */
  refresh(): void {
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version !== this.#dataVersion) this.#forget();
    this.#dataVersion = version;
  }

  /** The value computed before under this key, until the database changes. Within a write: always anew. */
  remember<T>(key: string, compute: () => T): T {
    if (this.#depth === 'write') return compute();
    if (this.#remembered.has(key)) return this.#remembered.get(key) as T;
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    const value = compute();
    this.#remembered.set(key, value);
    return value;
  }

  close(): void {
    this.#connection.close();
  }

  #forget(): void {
    this.#remembered.clear();
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

  #prepare(sql: string): Statement<unknown[]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
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
  connection.exec('PRAGMA cache_size = -65536'); // At most 64 MB, so that a large change spills nothing.
  return new Database(connection);
}
