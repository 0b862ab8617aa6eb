import { defined } from '../../defined.js';
import type { Database, SqlValue } from './database.js';

/** Columns with their values; undefined leaves one as it is. */
export type Changes = Record<string, SqlValue | undefined>;

/**
 * `a = ?, b = ?` with the values, for the columns to change; skips those that are undefined.
 * Column names must never come from input.
 */
export function assignments(changes: Changes): [sql: string, ...values: SqlValue[]] {
  const given = defined(changes) as Record<string, SqlValue>;
  const columns = Object.keys(given).map((column) => `${column} = ?`);
  return [columns.join(', '), ...Object.values(given)];
}

/** Changes columns of the row with that id. Table and column names must never come from input. */
export function update(db: Database, table: string, id: string, changes: Changes): void {
  const [sql, ...values] = assignments(changes);
  if (values.length > 0) db.run(`UPDATE ${table} SET ${sql} WHERE id = ?`, ...values, id);
}

/** Inserts a row; undefined leaves a column at its default. Names must never come from input. */
export function insert(db: Database, table: string, row: Changes): void {
  const given = defined(row) as Record<string, SqlValue>;
  const holes = Object.keys(given).map(() => '?');
  const sql = `INSERT INTO ${table} (${Object.keys(given).join(', ')}) VALUES (${holes.join(', ')})`;
  db.run(sql, ...Object.values(given));
}
