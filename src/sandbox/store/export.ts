import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { Database, SqlValue } from './database.js';
import { insert } from './rows.js';
import { exportedTables } from './store.js';

const format = 'docs-sandbox/1';

type Row = Record<string, SqlValue>;

interface State {
  format: string;
  /** Rows by table. */
  tables: Record<string, Row[]>;
}

/**
 * The whole state as canonical JSON: sorted keys, rows in the order of their primary keys. Equal states give
 * equal texts. Excludes tokens, clock, faults and logged requests, which belong to one database.
 */
export function exportState(db: Database): string {
  return db.read(() => {
    const tables = exportedTables(db).sort();
    const rows = tables.map((table) => [table, sortedRows(db, table)] as const);
    return `${JSON.stringify({ format, tables: Object.fromEntries(rows) }, null, 2)}\n`;
  });
}

/** Parses an export. @throws DocsError `configuration` if it is not one */
export function parseExport(text: string): State {
  const state = parseJson(text) as Partial<State> | null;
  if (state?.format !== format || !isObject(state.tables)) {
    throw badExport(`"format": "${format}" is missing`);
  }
  return state as State;
}

/** Fills the empty tables. Call within `refill`. @throws DocsError `configuration` for a row that does not fit */
export function importState(db: Database, { tables }: State): void {
  const known = new Set(exportedTables(db));
  for (const [table, rows] of Object.entries(tables)) {
    if (!known.has(table)) throw badExport(`unknown table ${table}`);
    if (!Array.isArray(rows) || !rows.every(isObject))
      throw badExport(`table ${table} is not a list of rows`);
    const columns = new Set(columnsOf(db, table));
    for (const row of rows) insertRow(db, table, row, columns);
  }
  db.run("INSERT OR IGNORE INTO state (key, value) VALUES ('seed', 'export'), ('ids', 0)");
}

function insertRow(db: Database, table: string, row: Row, columns: ReadonlySet<string>): void {
  const names = Object.keys(row);
  const foreign = names.find((name) => !columns.has(name)); // Also keeps SQL out of the names.
  if (foreign !== undefined) throw badExport(`table ${table} has no column ${foreign}`);
  try {
    insert(db, table, row);
  } catch (error) {
    throw badExport(`a row of ${table} does not fit: ${(error as Error).message}`);
  }
}

function sortedRows(db: Database, table: string): Row[] {
  const columns = columnsOf(db, table).sort();
  const keys = columnsOf(db, table, 'WHERE pk > 0 ORDER BY pk');
  return db.all<Row>(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${keys.join(', ')}`);
}

function columnsOf(db: Database, table: string, which = ''): string[] {
  const sql = `SELECT name FROM pragma_table_info(?) ${which}`;
  return db.all<{ name: string }>(sql, table).map(({ name }) => name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badExport('it is not JSON', cause);
  }
}

function badExport(why: string, cause?: unknown): DocsError {
  return new DocsError('configuration', 'bad_export', `this is not a sandbox export: ${why}`, { cause });
}
