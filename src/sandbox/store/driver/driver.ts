/** Values SQLite can store. Anything else would crash the process in a native module. */
export type SqlValue = string | number | null | Uint8Array;

/** A way to SQLite: what `database.ts` needs of it, and the same in every runtime. All calls are synchronous. */
export interface Driver {
  readonly name: 'node:sqlite' | 'libsql';
  /**
   * Opens a database file and creates it if missing; `:memory:` keeps it in memory.
   * @throws SqliteError
   */
  open(file: string): Connection;
}

export interface Connection {
  /** Whether a transaction is open. SQLite itself may have ended one, for example when the disk is full. */
  readonly inTransaction: boolean;
  /** Runs a script of statements without values. @throws SqliteError */
  exec(script: string): void;
  /** @throws SqliteError */
  prepare(sql: string): Statement;
  /** Closes it; a second time does nothing. */
  close(): void;
}

/**
 * A prepared statement. Numbers are bound as REAL, which a column of integers turns into integers; integers that a
 * JavaScript number cannot hold are rounded. A text ends at its first NUL, as libsql and Node 22 read it.
 */
export interface Statement {
  /** Names of the columns of its rows; empty if it returns none. */
  readonly columns: readonly string[];
  /** The first row, or undefined. @throws SqliteError */
  get(values: readonly SqlValue[]): unknown[] | undefined;
  /** @throws SqliteError */
  all(values: readonly SqlValue[]): unknown[][];
  /** The number of rows that an INSERT, UPDATE or DELETE changed; 0 for another statement. @throws SqliteError */
  run(values: readonly SqlValue[]): number;
}

/** SQLite's primary result codes from 1 on: https://www.sqlite.org/rescode.html. */
const names =
  'ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  );

/** What SQLite refuses. The message is SQLite's own. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  /** Name of the primary result code, such as `SQLITE_BUSY`. */
  readonly code: string;
  /** The extended result code, such as 517 (SQLITE_BUSY_SNAPSHOT). */
  readonly resultCode: number;

  constructor(message: string, resultCode: number, cause?: unknown) {
    super(message, { cause });
    this.resultCode = resultCode;
    this.code = `SQLITE_${names[(resultCode & 0xff) - 1] ?? 'ERROR'}`;
  }
}

/** The values as every driver stores them. @throws TypeError for one that SQLite cannot store */
export function bindable(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value: unknown) => {
    if (typeof value === 'string') return untilNul(value);
    if (typeof value === 'number' || value === null || value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite cannot store a ${typeof value}.`);
  });
}

function untilNul(text: string): string {
  const nul = text.indexOf('\0');
  return nul === -1 ? text : text.slice(0, nul);
}
