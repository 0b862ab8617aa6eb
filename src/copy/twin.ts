import type { Handler } from '../sandbox/handle.js';
import { type Request, Responder, type ResponderParts } from '../sandbox/server/respond.js';
import type { Database, SqlValue } from '../sandbox/store/database.js';
import { exportedTables } from '../sandbox/store/store.js';
import { askAll, type CopyAnswer } from './watch.js';

/** Where rowids of the copy's own rows begin, so that those of rows that are read later never meet them. */
const ownRowids = 2 ** 40;

/**
 * The two databases of a copy that is read as it is asked for. Both hold the same part of the organization: `before`
 * as the platform told it, `after` with what was changed in the copy.
 */
export class Twin {
  readonly after: Database;
  readonly respond: Responder;
  readonly #before: Database;
  readonly #pristine: Responder;
  #changedAt = -1;
  #changed: ReadonlySet<string> = new Set();

  constructor(before: Database, parts: ResponderParts) {
    this.#before = before;
    this.after = parts.db;
    this.#pristine = new Responder({ ...parts, db: before });
    this.respond = new Responder(parts);
    for (const db of [before, parts.db]) noteRows(db);
    leaveRowids(parts.db);
  }

  /** Writes what the platform told into both. */
  put(work: (db: Database) => void): void {
    const rows = this.#before.write(() => {
      work(this.#before);
      return takeNotes(this.#before);
    });
    if (rows.length > 0) takeOver(this.#before, this.after, rows);
  }

  /** Reads what is held of the platform. */
  read<Row>(sql: string, ...values: string[]): Row | undefined {
    return this.#before.get<Row>(sql, ...values);
  }

  /** Tables with rows that the copy changed. */
  get changed(): ReadonlySet<string> {
    if (this.#changedAt !== this.after.generation) {
      const rows = this.after.all<{ name: string }>('SELECT DISTINCT name FROM local_touched');
      this.#changed = new Set(rows.map(({ name }) => name));
      this.#changedAt = this.after.generation;
    }
    return this.#changed;
  }

  /** Whether a thing was made in the copy, so that the platform does not know it. */
  made(id: string): boolean {
    const sql = 'SELECT 1 FROM local_touched WHERE made = 1 AND key = json_array(?)';
    return this.after.get(sql, id) !== undefined;
  }

  /** What both tell; lists as a whole. */
  async both(handler: Handler, request: Request): Promise<{ before: CopyAnswer; after: CopyAnswer }> {
    const asked = { ...request };
    const before = await askAll((one, its) => this.#pristine.respond(one, its), handler, asked);
    const after = await askAll((one, its) => this.respond.respond(one, its), handler, asked);
    return { before, after };
  }

  close(): void {
    this.#before.close();
  }
}

/** SQLite numbers rows from the highest one. The rows that hold the place belong to no space, so nobody sees them. */
function leaveRowids(db: Database): void {
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    db.write(() => {
      for (const table of ['page_versions', 'file_versions', 'reusable_versions']) placeRow(db, table);
      db.run('DELETE FROM local_touched');
    });
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
  }
}

function placeRow(db: Database, table: string): void {
  interface Column {
    name: string;
    type: string;
    pk: number;
    needed: number;
  }
  const sql = 'SELECT name, type, pk, "notnull" AS needed FROM pragma_table_info(?)';
  const columns = db.all<Column>(sql, table).filter(({ pk, needed }) => pk > 0 || needed === 1);
  const values = columns.map(({ pk, type }) => (pk > 0 ? ownRowids : type === 'INTEGER' ? 0 : ''));
  const holes = columns.map(() => '?').join(', ');
  db.run(`INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${holes})`, ...values);
}

/*
 * Rows of the two databases of a copy: one as the platform is, one with what was changed. What is loaded goes into
 * the first and from there into the second, but for rows that were changed there, or whose owner was deleted.
 */

/** A row by its table and primary key. */
interface RowKey {
  table: string;
  key: string;
}

interface Reference {
  parent: string;
  columns: readonly { from: string; to: string }[];
  deleted: string;
}

interface Table {
  name: string;
  columns: readonly string[];
  primary: readonly string[];
  references: readonly Reference[];
}

/** Makes a database note each row that is inserted, changed or deleted from now on. */
function noteRows(db: Database): void {
  const script = [
    'CREATE TABLE local_touched (seq INTEGER PRIMARY KEY, name TEXT, key TEXT, made INTEGER) STRICT;',
  ];
  for (const { name, primary } of tablesOf(db)) {
    const note = (row: string, made = 0) => {
      const key = `json_array(${primary.map((column) => `${row}.${column}`).join(', ')})`;
      return `INSERT INTO local_touched (name, key, made) VALUES ('${name}', ${key}, ${made});`;
    };
    for (const [event, notes] of [
      ['INSERT', note('NEW', 1)],
      ['UPDATE', note('OLD') + note('NEW')],
      ['DELETE', note('OLD')],
    ]) {
      script.push(`CREATE TRIGGER local_${event}_${name} AFTER ${event} ON ${name} BEGIN ${notes} END;`);
    }
  }
  db.exec(script.join('\n'));
}

/** The rows noted since the last call, each once, in order; forgets them. Call within a write. */
function takeNotes(db: Database): RowKey[] {
  const sql = 'SELECT name AS "table", key FROM local_touched GROUP BY name, key ORDER BY min(seq)';
  const rows = db.all<RowKey>(sql);
  db.run('DELETE FROM local_touched');
  return rows;
}

/**
 * Takes rows over into the changed database: as they are in `from`, and without the notes that this makes. Leaves
 * rows as they are that were changed in `to`; those whose owner was deleted there are as if deleted with it.
 */
function takeOver(from: Database, to: Database, rows: readonly RowKey[]): void {
  const tables = tablesOf(from);
  to.write(() => {
    const mark = to.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM local_touched')?.seq ?? 0;
    const touched = 'SELECT 1 FROM local_touched WHERE name = ? AND key = ? AND seq <= ?';
    for (const table of tables) {
      for (const row of rows) {
        if (row.table !== table.name) continue;
        const isTouched = to.get(touched, row.table, row.key, mark) !== undefined;
        (isTouched ? takeTold : takeRow)(from, to, table, row.key);
      }
    }
    to.run('DELETE FROM local_touched WHERE seq > ?', mark);
  });
}

function takeRow(from: Database, to: Database, table: Table, key: string): void {
  const values = JSON.parse(key) as SqlValue[];
  const where = table.primary.map((column) => `${column} = ?`).join(' AND ');
  const row = from.get<Record<string, SqlValue>>(`SELECT * FROM ${table.name} WHERE ${where}`, ...values);
  if (row === undefined) {
    to.run(`DELETE FROM ${table.name} WHERE ${where}`, ...values);
    return;
  }
  for (const reference of table.references) if (!settleReference(to, reference, row)) return;
  const set = table.columns.filter((column) => !table.primary.includes(column));
  const update = set.map((column) => `${column} = excluded.${column}`).join(', ');
  to.run(
    `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES (${table.columns.map(() => '?').join(', ')})
     ON CONFLICT (${table.primary.join(', ')}) DO ${update === '' ? 'NOTHING' : `UPDATE SET ${update}`}`,
    ...table.columns.map((column) => row[column] ?? null),
  );
}

/** Of a row that was changed, what the platform told of it besides: by how much it counts more than is held. */
function takeTold(from: Database, to: Database, table: Table, key: string): void {
  const told = table.columns.filter((column) => column === 'told' || column.endsWith('_told'));
  if (told.length === 0) return;
  const values = JSON.parse(key) as SqlValue[];
  const where = table.primary.map((column) => `${column} = ?`).join(' AND ');
  const row = from.get<Record<string, SqlValue>>(`SELECT * FROM ${table.name} WHERE ${where}`, ...values);
  if (row === undefined) return;
  const set = told.map((column) => `${column} = ?`).join(', ');
  const now = told.map((column) => row[column] ?? null);
  to.run(`UPDATE ${table.name} SET ${set} WHERE ${where}`, ...now, ...values);
}

/** Whether a row can stay: false where what owns it was deleted. Empties a reference that a deletion empties. */
function settleReference(to: Database, reference: Reference, row: Record<string, SqlValue>): boolean {
  const { parent, columns, deleted } = reference;
  const values = columns.map(({ from }) => row[from] ?? null);
  if (values.includes(null)) return true;
  const where = columns.map((column) => `${column.to} = ?`).join(' AND ');
  if (to.get(`SELECT 1 FROM ${parent} WHERE ${where}`, ...values) !== undefined) return true;
  if (deleted === 'CASCADE') return false;
  for (const { from } of columns) row[from] = null;
  return true;
}

function tablesOf(db: Database): Table[] {
  return db.remember('tables of rows', () => readTables(db), []);
}

function readTables(db: Database): Table[] {
  const names = exportedTables(db).filter((name) => name !== 'state');
  return names.map((name) => {
    const columns = db.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name);
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return {
      name,
      columns: columns.map((column) => column.name),
      primary: primary.map((column) => column.name),
      references: readReferences(db, name),
    };
  });
}

function readReferences(db: Database, table: string): Reference[] {
  interface KeyColumn {
    id: number;
    table: string;
    from: string;
    to: string;
    on_delete: string;
  }
  const parts = db.all<KeyColumn>('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq', table);
  const ids = [...new Set(parts.map(({ id }) => id))];
  return ids.map((id) => {
    const own = parts.filter((part) => part.id === id);
    const columns = own.map(({ from, to }) => ({ from, to: to ?? 'id' }));
    return { parent: own[0]?.table ?? '', columns, deleted: own[0]?.on_delete ?? '' };
  });
}
