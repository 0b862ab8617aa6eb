import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DocsError, systemCode } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { makeFolders, refuseUnsafeFile } from '../../base/own-files.js';
import { assignTokens } from '../server/tokens.js';
import { type Database, openDatabase } from './database.js';
import { loadDriver } from './driver.js';
import { damaged, openingError } from './opening-errors.js';
import { type Clock, databaseClock, seedInstant, startClock } from './rows.js';
import { schemaVersion, versionOf } from './schema-version.js';

export interface Store {
  db: Database;
  clock: Clock;
}

/**
 * Opens a sandbox's database, a file or `:memory:`; creates the file and its folder if missing.
 * @throws DocsError `local-io` if it cannot be opened; `configuration` if it is not a sandbox
 *   database or a damaged one, another version of docs created it, or nothing here reads SQLite
 */
export async function openStore(file: string, io: Pick<Io, 'now'>): Promise<Store> {
  let db: Database | undefined;
  try {
    loadDriver(); // Without one, no file is made.
    if (file !== ':memory:') makePrivate(file);
    db = openDatabase(file);
    if (file !== ':memory:') refuseShort(file, db);
    if (versionOf(db) !== schemaVersion) (await import('./tables.js')).prepareTables(db, file);
    return { db, clock: databaseClock(db, () => io.now()) };
  } catch (error) {
    db?.close();
    throw openingError(file, error);
  }
}

/** Only the owner may read its tokens; SQLite gives the files beside it the same mode. */
function makePrivate(file: string): void {
  makeFolders(dirname(file), 0o700);
  refuseUnsafeFile(file);
  try {
    // One that is there is not opened: closing it would drop the locks of other connections of this process.
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    accessSync(file, constants.R_OK | constants.W_OK);
  }
}

const mostCheckedBytes = 32 << 20;

/**
 * Refuses a file that was cut short, of which SQLite reads the missing pages as empty ones while the log beside it has
 * others. That the file lacks pages is usual as long as the log has them. Where it does not have each of them, only a check
 * of all pages tells, which takes too long for a large database.
 */
function refuseShort(file: string, db: Database): void {
  const { page_count: pages = 0 } = db.get<{ page_count: number }>('PRAGMA page_count') ?? {};
  const { page_size: pageBytes = 0 } = db.get<{ page_size: number }>('PRAGMA page_size') ?? {};
  const kept = bytesOf(file) / pageBytes;
  const missing = pages - kept;
  if (missing <= 0 || areLogged(`${file}-wal`, kept, pages, pageBytes)) return;
  const logged = bytesOf(`${file}-wal`) / (pageBytes + frameHead);
  const mayBeLogged = missing <= logged;
  if (mayBeLogged && pages * pageBytes > mostCheckedBytes) return;
  if (mayBeLogged && db.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check === 'ok') return;
  throw damaged(file);
}

/** Bytes before the first frame of a log, and before the page of each (https://www.sqlite.org/fileformat2.html#walformat). */
const logHead = 32;
const frameHead = 24;

/** Whether a log has each page from after `kept` to `pages`. Frames of an earlier log have another salt than its head. */
function areLogged(log: string, kept: number, pages: number, pageBytes: number): boolean {
  if (bytesOf(log) < logHead) return false;
  const missing = new Set(Array.from({ length: pages - Math.floor(kept) }, (_, index) => pages - index));
  const descriptor = openSync(log, 'r');
  try {
    const head = Buffer.alloc(logHead);
    readSync(descriptor, head, 0, logHead, 0);
    const frame = Buffer.alloc(frameHead);
    const isFrame = (at: number) =>
      readSync(descriptor, frame, 0, frameHead, at) === frameHead && frame.compare(head, 16, 24, 8, 16) === 0;
    for (let at = logHead; missing.size > 0 && isFrame(at); at += frameHead + pageBytes)
      missing.delete(frame.readUInt32BE(0));
    return missing.size === 0;
  } finally {
    closeSync(descriptor);
  }
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

export function isFilled(db: Database): boolean {
  return db.get("SELECT 1 FROM state WHERE key = 'seed'") !== undefined;
}

/** The seed that the database was last filled from: its name, or the path of the export. */
export function sourceOf(db: Database): string {
  return db.get<{ value: string }>("SELECT value FROM local_state WHERE key = 'source'")?.value ?? 'tiny';
}

/** Who opens a database reads all of the log beside it, which the next write then begins anew. */
const afterFilling = 'PRAGMA foreign_keys = ON; PRAGMA wal_checkpoint(PASSIVE)';

interface Filling<Done> {
  /** The source, recorded for the next reset. */
  source: string;
  nowMs: number;
  /** Skip a database that another program has filled in the meantime. */
  onlyNew?: boolean;
  fill(): Done;
}

/**
 * Replaces all data in one transaction, starts the clock, and assigns the tokens to members. Keeps tokens,
 * faults and logged requests. Checks references once at the end, so that tables can be emptied in any order.
 * @throws DocsError `configuration` if a row refers to a missing one
 */
export function refill(db: Database, { source, nowMs, onlyNew = false, fill }: Filling<void>): void {
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    db.write(() => {
      if (onlyNew && isFilled(db)) return;
      empty(db);
      fill();
      settle(db, source, nowMs, seedInstant);
    });
  } finally {
    db.exec(afterFilling);
  }
}

/**
 * Like `refill`, for data that is read on the way and has real times: the clock shows the real time, or the latest
 * time in the data if that is later. Nobody else may use the connection meanwhile; other processes read the data as
 * it was, and wait to write.
 * @returns whether it was filled
 */
export async function refillSlowly(db: Database, filling: Filling<Promise<void>>): Promise<boolean> {
  const { source, nowMs, onlyNew = false, fill } = filling;
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    return await db.writeSlowly(async () => {
      if (onlyNew && isFilled(db)) return false;
      empty(db);
      await fill();
      settle(db, source, nowMs, Math.max(nowMs, latestTime(db)));
      return true;
    });
  } finally {
    db.exec(afterFilling);
  }
}

function empty(db: Database): void {
  for (const table of exportedTables(db)) db.run(`DELETE FROM ${table}`);
}

function settle(db: Database, source: string, nowMs: number, startsAt: number): void {
  refuseDangling(db);
  db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('source', ?)", source);
  startClock(db, nowMs, startsAt);
  assignTokens(db);
}

/** The latest time in all columns of times. */
function latestTime(db: Database): number {
  const columns = db.all<{ table: string; column: string }>(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND substr(t.name, 1, 6) <> 'local_' AND substr(c.name, -3) = '_at'
       AND c.type = 'INTEGER'`,
  );
  const times = columns.map(({ table, column }) => {
    const sql = `SELECT max(${column}) AS latest FROM ${table}`;
    return db.get<{ latest: number | null }>(sql)?.latest ?? 0;
  });
  return Math.max(0, ...times);
}

function refuseDangling(db: Database): void {
  const row = db.get<{ table: string; parent: string }>('PRAGMA foreign_key_check');
  if (row === undefined) return;
  const message = `a row of ${row.table} refers to a missing row of ${row.parent}`;
  throw new DocsError('configuration', 'bad_export', message);
}

/**
 * The tables of the state, in the order of their creation. Excludes `local_…`, and full-text indexes with
 * their shadow tables, which triggers maintain.
 */
export function exportedTables(db: Database): string[] {
  const tables = db.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  const indexes = tables.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  const isIndex = (name: string) => indexes.some((index) => name === index || name.startsWith(`${index}_`));
  return tables.map(({ name }) => name).filter((name) => !name.startsWith('local_') && !isIndex(name));
}
