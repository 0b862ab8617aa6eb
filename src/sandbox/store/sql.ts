import type { Database, SqlValue } from './database.js';

/**
 * `a = ?, b = ?` with the values, for the columns to change; skips those that are undefined.
 * Column names must never come from input.
 */
export function assignments(
  changes: Record<string, SqlValue | undefined>,
): [sql: string, ...values: SqlValue[]] {
  const given = Object.entries(changes).filter(
    (change): change is [string, SqlValue] => change[1] !== undefined,
  );
  return [given.map(([column]) => `${column} = ?`).join(', '), ...given.map(([, value]) => value)];
}

/** Inserts a row. Table and column names must never come from input. */
export function insert(db: Database, table: string, row: Record<string, SqlValue>): void {
  const names = Object.keys(row);
  const holes = names.map(() => '?').join(', ');
  db.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${holes})`, ...Object.values(row));
}
