import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tableChangedBy } from '../memory.js';
import { type Connection, type Driver, SqliteError, type SqlValue, type Statement } from './driver.js';

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
export interface Platform {
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
  return native && { name: 'libsql', open: (file) => new OpenConnection(native, file) };
}

function loadNative(requires: NodeJS.Require, platform: Platform): Native | undefined {
  try {
    // The builds are dependencies of libsql: with some package managers only libsql finds them.
    return createRequire(requires.resolve('libsql'))(`@libsql/${targetOf(platform)}`) as Native;
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
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

class OpenConnection implements Connection {
  readonly #native: Native;
  readonly #handle: Handle;
  #isOpen = true;

  constructor(native: Native, file: string) {
    this.#native = native;
    this.#handle = attempt(() => native.databaseOpen(file, '', 'aes256cbc', '', 0, ''));
  }

  get inTransaction(): boolean {
    return this.#native.databaseInTransaction(this.#handle);
  }

  exec(script: string): void {
    attempt(() => this.#native.databaseExecSync.call(this.#handle, script));
  }

  prepare(sql: string): Statement {
    const handle = attempt(() => this.#native.databasePrepareSync.call(this.#handle, sql));
    return new PreparedStatement(this.#native, handle, tableChangedBy(sql) !== undefined);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#native.databaseClose.call(this.#handle);
  }
}

const rowsAtATime = 100;

class PreparedStatement implements Statement {
  readonly columns: readonly string[];
  readonly #native: Native;
  readonly #handle: Handle;
  readonly #changes: boolean;

  constructor(native: Native, handle: Handle, changes: boolean) {
    this.#native = native;
    this.#handle = handle;
    this.#changes = changes;
    const reads = native.statementIsReader.call(handle);
    // Rows as arrays: as objects they carry the driver's timing and take half as long again.
    if (reads) native.statementRaw.call(handle, true);
    this.columns = reads ? native.statementColumns.call(handle).map(({ name }) => name) : [];
  }

  get(values: readonly SqlValue[]): unknown[] | undefined {
    return attempt(() => this.#native.statementGet.call(this.#handle, values));
  }

  all(values: readonly SqlValue[]): unknown[][] {
    const all: unknown[][] = [];
    attempt(() => {
      const rows = this.#native.statementRowsSync.call(this.#handle, values);
      for (;;) {
        const next = new Array<unknown[] | undefined>(rowsAtATime);
        this.#native.rowsNext.call(rows, next);
        for (const row of next) {
          if (row === undefined) return;
          all.push(row);
        }
      }
    });
    return all;
  }

  run(values: readonly SqlValue[]): number {
    const { changes } = attempt(() => this.#native.statementRun.call(this.#handle, values));
    return this.#changes ? changes : 0;
  }
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw sqliteError(error as Error & { rawCode?: number });
  }
}

function sqliteError(error: Error & { rawCode?: number }): unknown {
  if (error.rawCode !== undefined) return new SqliteError(error.message, error.rawCode, error);
  // That a file cannot be opened comes as the name of a Rust error, with SQLite's code at its end.
  const code = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message)?.[1];
  return code === undefined ? error : new SqliteError('unable to open database file', Number(code), error);
}
