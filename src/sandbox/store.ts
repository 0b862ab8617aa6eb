import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { type Clock, databaseClock, startClock } from './clock.js';
import { type Database, openDatabase } from './database.js';
import { migrate } from './migrate.js';
import { assignTokens } from './tokens.js';

/** An open database of the sandbox, its structure up to date. */
export interface Store {
  db: Database;
  clock: Clock;
}

/**
 * Opens a sandbox's database, making the file and its folder where there are none.
 * @param file path, or `:memory:`
 * @throws DocsError `local-io` where it cannot be opened; `configuration` where it is no database of
 *   this program, or of a newer one
 */
export async function openStore(file: string, io: Pick<Io, 'now'>): Promise<Store> {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const db = await openDatabase(file);
    migrate(db);
    return { db, clock: databaseClock(db, () => io.now()) };
  } catch (error) {
    throw openingError(file, error);
  }
}

/** Whether the database has been filled: by a seed, or from an export. */
export function isFilled(db: Database): boolean {
  return db.get("SELECT 1 FROM state WHERE key = 'seed'") !== undefined;
}

/**
 * Replaces all that the database holds, in one transaction: empties it, lets `fill` work, starts the
 * clock and gives the tokens to their members. Tokens, faults and logged requests stay.
 * @param nowMs the outside world's time, milliseconds since the epoch
 */
export function refill(db: Database, nowMs: number, fill: () => void): void {
  db.write(() => {
    db.exec('PRAGMA defer_foreign_keys = ON');
    for (const table of exportedTables(db)) db.run(`DELETE FROM ${table}`);
    fill();
    startClock(db, nowMs);
    assignTokens(db);
  });
}

/**
 * The tables that make up the state, in the order they were made. Left out are those of one database
 * alone, and full-text indexes with their shadows, which triggers keep up.
 */
export function exportedTables(db: Database): string[] {
  const tables = db.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  const indexes = tables.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  const isIndex = (name: string) => indexes.some((index) => name === index || name.startsWith(`${index}_`));
  return tables.map(({ name }) => name).filter((name) => !name.startsWith('local_') && !isIndex(name));
}

function openingError(file: string, error: unknown): unknown {
  if (error instanceof DocsError) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return new DocsError('configuration', 'bad_database', `${file} is not a database of the sandbox.`, {
      cause: error,
    });
  }
  return new DocsError('local-io', 'cannot_open', `Cannot open ${file}: ${message}.`, { cause: error });
}
