import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { tableChangedBy } from './memory.js';

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
  /** The same without the number, which takes libsql some time to give. @throws SqliteError */
  change(values: readonly SqlValue[]): void;
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
export function bindable(values: readonly SqlValue[]): readonly SqlValue[] {
  return values.every(isStoredAsItIs) ? values : values.map(stored);
}

function isStoredAsItIs(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0');
  return typeof value === 'number' || value === null || value instanceof Uint8Array;
}

/** A value as every driver stores it. @throws TypeError for one that SQLite cannot store */
export function stored(value: SqlValue): SqlValue {
  if (isStoredAsItIs(value)) return value;
  if (typeof value === 'string') return value.slice(0, value.indexOf('\0'));
  throw new TypeError(`SQLite cannot store a ${typeof value}.`);
}

/** A connection and a statement as a driver has them; what they throw is its own. */
interface RawConnection extends Pick<Connection, 'exec' | 'close'> {
  readonly isTransaction: boolean;
  /** @param changes whether the statement changes rows */
  prepare(sql: string, changes: boolean): RawStatement;
}

interface RawStatement extends Omit<Statement, 'run'> {
  run(values: readonly SqlValue[]): number | bigint;
}

/** A connection of any driver, whose errors are `SqliteError`. */
class OpenConnection implements Connection {
  readonly #raw: RawConnection;
  #isOpen = true;

  constructor(open: () => RawConnection) {
    this.#raw = attempt(open);
  }

  get inTransaction(): boolean {
    return this.#raw.isTransaction;
  }

  exec(script: string): void {
    attempt(() => this.#raw.exec(script));
  }

  prepare(sql: string): Statement {
    const changes = tableChangedBy(sql) !== undefined;
    const raw = attempt(() => this.#raw.prepare(sql, changes));
    return {
      columns: raw.columns,
      get: (values) => attempt(() => raw.get(values)),
      all: (values) => attempt(() => raw.all(values)),
      run(values) {
        const count = attempt(() => raw.run(values));
        return changes ? Number(count) : 0;
      },
      change: (values) => attempt(() => raw.change(values)),
    };
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#raw.close();
  }
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw sqliteError(error as DriverError);
  }
}

/** With the result code as Node has it, or as libsql has it. */
type DriverError = Error & { errcode?: number; rawCode?: number };

function sqliteError(error: DriverError): Error {
  const known = error.errcode ?? error.rawCode;
  if (known !== undefined) return new SqliteError(error.message, known, error);
  // That a file cannot be opened comes from libsql as the name of a Rust error, with SQLite's code at its end.
  const code = /^ConnectionFailed\(.*: (\d+)"\)/s.exec(error.message)?.[1];
  return code === undefined ? error : new SqliteError('unable to open database file', Number(code), error);
}

/**
 * The functions of libsql's native module that its own JavaScript calls, each on what they name `this`. That
 * JavaScript is not loaded: it looks for the C library by a report of the process and by `ldd`, which takes
 * 12 ms. The version is pinned, and `test/sandbox/store/drivers.test.ts` runs all of this.
 */
interface Native {
  databaseOpen(
    file: string,
    token: string,
    cipher: string,
    key: string,
    timeout: number,
    remote: string,
  ): Handle;
  databaseClose(this: Handle): void;
  databaseExecSync(this: Handle, script: string): void;
  databasePrepareSync(this: Handle, sql: string): Handle;
  databaseInTransaction(connection: Handle): boolean;
  statementIsReader(this: Handle): boolean;
  statementRaw(this: Handle, enabled: boolean): void;
  statementColumns(this: Handle): { name: string }[];
  statementGet(this: Handle, values: readonly SqlValue[]): unknown[] | undefined;
  statementRun(this: Handle, values: readonly SqlValue[]): { changes: number };
  statementRowsSync(this: Handle, values: readonly SqlValue[]): Handle;
  /** Fills the array with the next rows; after the last one it leaves `undefined`. */
  rowsNext(this: Handle, rows: unknown[]): void;
}

interface Handle {
  readonly native: unique symbol;
}

/** Where the program runs. */
interface Platform {
  platform: string;
  arch: string;
  /** The file of the runtime. */
  execPath: string;
}

/**
 * SQLite of the optional package libsql, for Node before 22.16.
 * @param requires loads a module from where the program is
 * @returns undefined where the package is missing or has no build for the platform
 */
export function libsqlDriver(
  requires: NodeJS.Require = createRequire(import.meta.filename),
  platform: Platform = process,
): Driver | undefined {
  const native = loadNative(requires, platform);
  return native && { name: 'libsql', open: (file) => new OpenConnection(() => openLibsql(native, file)) };
}

function loadNative(requires: NodeJS.Require, platform: Platform): Native | undefined {
  try {
    // The builds are dependencies of libsql: with some package managers only libsql finds them.
    return createRequire(libsqlIn(requires))(`@libsql/${targetOf(platform)}`) as Native;
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A file of libsql. Where folders hold packages it is found in them: Node would load its resolver for the exports of libsql. */
function libsqlIn(requires: NodeJS.Require): string {
  const files = requires.resolve.paths('libsql')?.map((folder) => join(folder, 'libsql', 'package.json'));
  return files?.find((file) => existsSync(file)) ?? requires.resolve('libsql');
}

/** The name libsql gives its build for a platform. */
export function targetOf({ platform, arch, execPath }: Platform): string {
  if (platform === 'win32') return `win32-${arch}-msvc`;
  if (platform !== 'linux') return `${platform}-${arch}`;
  const libc = usesMusl(execPath) ? 'musl' : 'gnu';
  return `linux-${arch}-${arch === 'arm' ? `${libc}eabihf` : libc}`;
}

/** Whether the runtime was built for musl: its file names the loader of its C library near its start. */
function usesMusl(execPath: string): boolean {
  const file = openSync(execPath, 'r');
  try {
    const start = Buffer.alloc(4096);
    readSync(file, start);
    return start.includes('/ld-musl-');
  } finally {
    closeSync(file);
  }
}

function openLibsql(native: Native, file: string): RawConnection {
  const handle = native.databaseOpen(file, '', 'aes256cbc', '', 0, '');
  return {
    get isTransaction() {
      return native.databaseInTransaction(handle);
    },
    exec: (script) => native.databaseExecSync.call(handle, script),
    prepare: (sql) => libsqlStatement(native, () => native.databasePrepareSync.call(handle, sql)),
    close: () => native.databaseClose.call(handle),
  };
}

const rowsAtATime = 100;

function libsqlStatement(native: Native, prepare: () => Handle): RawStatement {
  const prepared = () => {
    const made = prepare();
    // Rows as arrays: as objects they carry the driver's timing and take half as long again.
    if (native.statementIsReader.call(made)) native.statementRaw.call(made, true);
    return made;
  };
  let handle = prepared();
  const reads = native.statementIsReader.call(handle);
  /**
   * Whether `statementGet` may run it. After a failure, or one of the others, which reset a statement before they run and not
   * after, it would bind nothing, and run with the values of before.
   */
  let isReset = true;
  const run = (values: readonly SqlValue[]) => {
    isReset = false;
    return native.statementRun.call(handle, values).changes;
  };
  const get = (values: readonly SqlValue[]) => {
    if (!isReset) handle = prepared();
    isReset = false;
    const row = native.statementGet.call(handle, values);
    isReset = true;
    return row;
  };
  return {
    columns: reads ? native.statementColumns.call(handle).map(({ name }) => name) : [],
    get,
    all(values) {
      isReset = false;
      return rowsOf(native, native.statementRowsSync.call(handle, values));
    },
    run,
    /** By asking for a row, of which there is none. */
    change: (values) => void (isReset && !reads ? get(values) : run(values)),
  };
}

function rowsOf(native: Native, rows: Handle): unknown[][] {
  const all: unknown[][] = [];
  for (;;) {
    const next = new Array<unknown[] | undefined>(rowsAtATime);
    native.rowsNext.call(rows, next);
    for (const row of next) {
      if (row === undefined) return all;
      all.push(row);
    }
  }
}

let loaded: Driver | undefined;

/**
 * The driver of the runtime, or else that of libsql, found once.
 * @throws DocsError `configuration` if there is neither
 */
export function loadDriver(): Driver {
  loaded ??= firstDriver([nodeDriver, libsqlDriver]);
  return loaded;
}

/** The first driver that is there. @throws DocsError `configuration` if none is */
export function firstDriver(ways: readonly (() => Driver | undefined)[]): Driver {
  for (const find of ways) {
    const driver = find();
    if (driver !== undefined) return driver;
  }
  const message =
    `the sandbox needs SQLite, which Node ${process.versions.node} does not have, and the optional package libsql ` +
    `is not installed for ${process.platform} ${process.arch}; nothing was changed. Use Node 22.16 or newer, or ` +
    'install docs with its optional packages.';
  throw new DocsError('configuration', 'no_sqlite', message, { hint: 'docs doctor' });
}

/** What is used of `node:sqlite`, which the types of Node 20 lack. */
interface NodeSqlite {
  DatabaseSync: new (file: string) => NodeConnection;
}

interface NodeConnection {
  readonly isTransaction: boolean;
  exec(script: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeStatement {
  columns(): { name: string }[];
  get(...values: SqlValue[]): unknown[] | undefined;
  all(...values: SqlValue[]): unknown[][];
  run(...values: SqlValue[]): { changes: number | bigint };
  setReturnArrays(enabled: boolean): void;
  setReadBigInts(enabled: boolean): void;
}

/** The part of `process` that finds the module. */
export type BuiltinModules = Pick<NodeJS.Process, 'emitWarning'> & {
  getBuiltinModule?(id: string): object | undefined;
};

/**
 * SQLite as the runtime brings it: Node from 22.16 on, Bun.
 * @returns undefined where the runtime has none, or one that lacks what is used (full-text search in Node 22.5)
 */
export function nodeDriver(runtime: BuiltinModules = process): Driver | undefined {
  const sqlite = withoutWarning(runtime) as NodeSqlite | undefined;
  if (sqlite === undefined || !hasAll(sqlite)) return undefined;
  return { name: 'node:sqlite', open: (file) => new OpenConnection(() => openNode(sqlite, file)) };
}

/** Loads the module without the warning of Node 22 that it is experimental; other warnings go on. */
function withoutWarning(runtime: BuiltinModules): object | undefined {
  const { emitWarning } = runtime;
  runtime.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    const ofSqlite = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!ofSqlite) Reflect.apply(emitWarning, runtime, [warning, ...rest]);
  }) as typeof emitWarning;
  try {
    return runtime.getBuiltinModule?.('node:sqlite');
  } finally {
    runtime.emitWarning = emitWarning;
  }
}

function hasAll({ DatabaseSync }: NodeSqlite): boolean {
  const memory = new DatabaseSync(':memory:');
  try {
    memory.exec('CREATE VIRTUAL TABLE probe USING fts5(text)');
    const statement = memory.prepare('SELECT 1');
    const { columns, setReturnArrays } = statement as Partial<NodeStatement>;
    return memory.isTransaction === false && columns !== undefined && setReturnArrays !== undefined;
  } catch {
    return false;
  } finally {
    memory.close();
  }
}

function openNode({ DatabaseSync }: NodeSqlite, file: string): RawConnection {
  const connection = new DatabaseSync(file);
  return {
    get isTransaction() {
      return connection.isTransaction;
    },
    exec: (script) => connection.exec(script),
    prepare: (sql, changes) => nodeStatement(connection.prepare(sql), changes),
    close: () => connection.close(),
  };
}

function nodeStatement(statement: NodeStatement, changes: boolean): RawStatement {
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length > 0) {
    statement.setReturnArrays(true);
    // A change cannot be run again for an integer that did not fit.
    if (changes) statement.setReadBigInts(true);
  }
  /** Reads rows with integers as numbers; Node refuses those from 2^53 on, so these rows are read as BigInt. */
  const read = (rows: () => unknown[][]): unknown[][] => {
    if (changes) return rounded(rows());
    try {
      return rows();
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error;
      statement.setReadBigInts(true);
      try {
        return rounded(rows());
      } finally {
        statement.setReadBigInts(false);
      }
    }
  };
  const first = (values: readonly SqlValue[]) => {
    const row = statement.get(...values);
    return row === undefined ? [] : [row];
  };
  return {
    columns,
    get: (values) => read(() => first(values))[0],
    all: (values) => read(() => statement.all(...values)),
    run: (values) => statement.run(...values).changes,
    change: (values) => void statement.run(...values),
  };
}

function rounded(rows: unknown[][]): unknown[][] {
  return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
}
