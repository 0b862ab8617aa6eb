import { DocsError } from '../../../base/errors.js';
import { tableChangedBy } from '../memory.js';
import { type Connection, type Driver, SqliteError, type SqlValue, type Statement } from './driver.js';
import { libsqlDriver } from './libsql-driver.js';

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
    `The sandbox needs SQLite, which Node ${process.versions.node} does not have, and the optional package libsql ` +
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
  return { name: 'node:sqlite', open: (file) => new OpenConnection(sqlite, file) };
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

class OpenConnection implements Connection {
  readonly #connection: NodeConnection;
  #isOpen = true;

  constructor({ DatabaseSync }: NodeSqlite, file: string) {
    this.#connection = attempt(() => new DatabaseSync(file));
  }

  get inTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  exec(script: string): void {
    attempt(() => this.#connection.exec(script));
  }

  prepare(sql: string): Statement {
    return new PreparedStatement(
      attempt(() => this.#connection.prepare(sql)),
      tableChangedBy(sql) !== undefined,
    );
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#connection.close();
  }
}

class PreparedStatement implements Statement {
  readonly columns: readonly string[];
  readonly #statement: NodeStatement;
  readonly #changes: boolean;

  constructor(statement: NodeStatement, changes: boolean) {
    this.#statement = statement;
    this.#changes = changes;
    this.columns = statement.columns().map(({ name }) => name);
    if (this.columns.length === 0) return;
    statement.setReturnArrays(true);
    // A change cannot be run again for an integer that did not fit (see `#read`).
    if (changes) statement.setReadBigInts(true);
  }

  get(values: readonly SqlValue[]): unknown[] | undefined {
    return this.#read(() => {
      const row = this.#statement.get(...values);
      return row && [row];
    })?.[0];
  }

  all(values: readonly SqlValue[]): unknown[][] {
    return this.#read(() => this.#statement.all(...values)) ?? [];
  }

  run(values: readonly SqlValue[]): number {
    const { changes } = attempt(() => this.#statement.run(...values));
    return this.#changes ? Number(changes) : 0;
  }

  /** Reads rows with integers as numbers; Node refuses those from 2^53 on, so these rows are read as BigInt. */
  #read(read: () => unknown[][] | undefined): unknown[][] | undefined {
    if (this.#changes) return rounded(attempt(read));
    try {
      return attempt(read);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error;
      this.#statement.setReadBigInts(true);
      try {
        return rounded(attempt(read));
      } finally {
        this.#statement.setReadBigInts(false);
      }
    }
  }
}

function rounded(rows: unknown[][] | undefined): unknown[][] | undefined {
  return rows?.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    throw errcode === undefined ? error : new SqliteError(message, errcode, error);
  }
}
