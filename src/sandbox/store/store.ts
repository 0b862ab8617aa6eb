import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DocsError } from '../../errors.js';
import type { Io } from '../../io.js';
import { assignTokens } from '../server/tokens.js';
import { type Clock, databaseClock, startClock } from './clock.js';
import { type Database, openDatabase } from './database.js';
import { migrate } from './migrate.js';

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
    if (file !== ':memory:') makePrivate(file);
    const db = await openDatabase(file);
    migrate(db);
    return { db, clock: databaseClock(db, () => io.now()) };
  } catch (error) {
    throw openingError(file, error);
  }
}

/** The tokens in it are for its owner alone; what SQLite puts beside it takes the same mode. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

/** Whether the database has been filled: by a seed, or from an export. */
export function isFilled(db: Database): boolean {
  return db.get("SELECT 1 FROM state WHERE key = 'seed'") !== undefined;
}

/** The seed that the database was last filled from: its name, or the path of the export. */
export function sourceOf(db: Database): string {
  return db.get<{ value: string }>("SELECT value FROM local_state WHERE key = 'source'")?.value ?? 'tiny';
}

/** How to fill a database. */
export interface Filling {
  /** What it is filled from, for the next reset. */
  source: string;
  /** The outside world's time, in milliseconds since the epoch. */
  nowMs: number;
  /** Leave a database alone that another program has filled meanwhile. */
  onlyNew?: boolean;
  fill(): void;
}

/**
 * Replaces all that the database holds, in one transaction: empties it, fills it, starts the clock and
 * gives the tokens to their members. Tokens, faults and logged requests stay.
 *
 * References are checked once at the end: that is what lets whole tables be emptied at once.
 * @throws DocsError `configuration` where something refers to what is not there
 */
export function refill(db: Database, { source, nowMs, onlyNew = false, fill }: Filling): void {
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    db.write(() => {
      if (onlyNew && isFilled(db)) return;
      for (const table of exportedTables(db)) db.run(`DELETE FROM ${table}`);
      fill();
      refuseDangling(db);
      db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('source', ?)", source);
      startClock(db, nowMs);
      assignTokens(db);
    });
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
  }
}

function refuseDangling(db: Database): void {
  const row = db.get<{ table: string; parent: string }>('PRAGMA foreign_key_check');
  if (row === undefined) return;
  const message = `A row of ${row.table} refers to one of ${row.parent} that is not there.`;
  throw new DocsError('configuration', 'bad_export', message);
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
