import { nodeCrypto } from '../../base/hash.js';
import { slug } from '../../base/name.js';
import type { Database, SqlValue } from './database.js';
import { stored } from './driver.js';

/** Folds case for searches, in any script; SQLite folds ASCII only. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const longest = 90;

/** The title as a path segment: lowercase Latin letters, digits and hyphens; `otherwise` if none is left. */
export function slugOf(title: string, otherwise: string): string {
  return slug(title, { most: longest }) || otherwise;
}

export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export const seedInstant = Date.parse('2026-01-05T09:00:00.000Z');

export interface Clock {
  now(): number;
}

/**
 * The clock of a database: `seedInstant` when it was seeded, plus the real time since, plus all shifts. A copy of an
 * organization has the real time instead, since the times in it are real, too.
 */
export function databaseClock(db: Database, realNow: () => number): Clock {
  const sql = "SELECT value FROM local_state WHERE key = 'clock'";
  const read = () => db.get<{ value: number }>(sql)?.value ?? 0;
  return { now: () => realNow() + db.remember('clock', read, ['local_state']) };
}

/** Starts the clock at an instant. Call within a write. */
export function startClock(db: Database, realNow: number, instant = seedInstant): void {
  db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('clock', ?)", instant - realNow);
}

/** Moves the clock by milliseconds, which may be negative. Call within a write. */
export function shiftClock(db: Database, byMs: number): void {
  db.run("UPDATE local_state SET value = value + ? WHERE key = 'clock'", byMs);
}

/** The two instants that were written last: a resource that changes shows when it was made, and now. */
let latest = { instant: Number.NaN, text: '' };
let other = latest;

/** The instant as the platform writes it: ISO 8601 with milliseconds, UTC. */
export function iso(instant: number): string {
  if (instant === latest.instant) return latest.text;
  const written = instant === other.instant ? other : { instant, text: new Date(instant).toISOString() };
  other = latest;
  latest = written;
  return written.text;
}

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
type Named<Names, Key, Value> =
  Names extends Record<Key & string, infer Text> ? Record<Words<Text> & string, Value> : unknown;

/** A row by the names of its columns, of each type those in one text. */
export type Row<Names> = Named<Names, 'text', string> &
  Named<Names, 'maybeText', string | null> &
  Named<Names, 'integer', number> &
  Named<Names, 'maybeInteger', number | null>;

/** Values by column; undefined leaves a column as it is, or at its default. */
export type Columns = Record<string, SqlValue | undefined>;

/** `createdAt` → `created_at`, `ssoURL` → `sso_url`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
}

/** The values of an object in the columns of their names; lists and objects as JSON. */
export function columnsOf(values: object): Columns {
  const columnOf = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue | undefined);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [snakeCase(name), columnOf(value)]),
  );
}

/** `a = ?, b = ?` with its values. Column names must never come from input. */
export function assignments(changes: Columns): [sql: string, ...values: SqlValue[]] {
  const [names, values] = given(changes);
  return [setting(names), ...values];
}

function setting(names: readonly string[]): string {
  return names.map((name) => `${name} = ?`).join(', ');
}

/**
 * Changes columns of the row with that id. Table and column names must never come from input. `OR FAIL`: one row needs
 * nothing put back if it is refused, so SQLite copies no pages before.
 */
export function update(db: Database, table: string, id: string, changes: Columns): void {
  const [names, values] = given(changes);
  if (values.length > 0) db.change(updateOf(table, names), ...values, id);
}

/** Statements by the columns that they set, below their table: a text that is made again is hashed and compared again. */
interface Updates {
  sql?: string;
  readonly by: Map<string, Updates>;
}
const updates: Updates = { by: new Map() };

function updateOf(table: string, names: readonly string[]): string {
  let found = below(updates, table);
  for (const name of names) found = below(found, name);
  found.sql ??= `UPDATE OR FAIL ${table} SET ${setting(names)} WHERE id = ?`;
  return found.sql;
}

function below({ by }: Updates, name: string): Updates {
  const found = by.get(name);
  if (found !== undefined) return found;
  const made = { by: new Map() };
  by.set(name, made);
  return made;
}

/** The same of a row that this write has read. @returns the row as it is now, which lacks only what triggers change */
export function updateRow<R extends { id: string }>(
  db: Database,
  table: string,
  row: R,
  changes: Columns,
): R {
  update(db, table, row.id, changes);
  const changed: R = { ...row };
  for (const name in changes) {
    const value = changes[name];
    if (value !== undefined) (changed as Columns)[name] = stored(value);
  }
  return changed;
}

/** Inserts a row. Table and column names must never come from input. */
export function insert(db: Database, table: string, row: Columns, verb = 'INSERT'): void {
  const [names, values] = given(row);
  db.change(
    `${verb} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...values,
  );
}

/** In one loop: each write to the database begins here. */
function given(columns: Columns): [names: string[], values: SqlValue[]] {
  const names: string[] = [];
  const values: SqlValue[] = [];
  for (const name in columns) {
    const value = columns[name];
    if (value === undefined) continue;
    names.push(name);
    values.push(value);
  }
  return [names, values];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An opaque id of 20 letters and digits: the same for the same text, on every machine. */
export function idFrom(text: string): string {
  const digest = nodeCrypto().hash('sha256', text, 'buffer').subarray(0, 20);
  return Array.from(digest, (byte) => alphabet[byte % alphabet.length]).join('');
}

/**
 * The next id, from the seed's name and a counter in the database, so that the same requests after the same
 * seed create the same ids. Call within a write.
 */
export function nextId(db: Database): string {
  const count = "UPDATE state SET value = value + 1 WHERE key = 'ids' RETURNING value";
  const number = db.get<{ value: number }>(count)?.value;
  const seed = db.get<{ value: string }>("SELECT value FROM state WHERE key = 'seed'")?.value ?? '';
  return idFrom(`${seed}#${number}`);
}
