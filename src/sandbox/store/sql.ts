import type { Database, SqlValue } from './database.js';

/** Values by column; undefined leaves a column as it is, or at its default. */
export type Columns = Record<string, SqlValue | undefined>;

/** `a = ?, b = ?` with its values. Column names must never come from input. */
export function assignments(changes: Columns): [sql: string, ...values: SqlValue[]] {
  const [names, values] = given(changes);
  return [names.map((name) => `${name} = ?`).join(', '), ...values];
}

/** Changes columns of the row with that id. Table and column names must never come from input. */
export function update(db: Database, table: string, id: string, changes: Columns): void {
  const [sql, ...values] = assignments(changes);
  if (values.length > 0) db.run(`UPDATE ${table} SET ${sql} WHERE id = ?`, ...values, id);
}

/** Inserts a row. Table and column names must never come from input. */
export function insert(db: Database, table: string, row: Columns): void {
  const [names, values] = given(row);
  db.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, ...values);
}

function given(columns: Columns): [names: string[], values: SqlValue[]] {
  const names = Object.keys(columns).filter((name) => columns[name] !== undefined);
  return [names, names.map((name) => columns[name] ?? null)];
}
