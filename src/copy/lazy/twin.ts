import type { Handler } from '../../sandbox/handle.js';
import { type Request, Responder, type ResponderParts } from '../../sandbox/server/respond.js';
import type { Database } from '../../sandbox/store/database.js';
import { askAll, type Told } from '../side.js';
import { noteRows, takeNotes, takeOver } from './rows.js';

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
  async both(handler: Handler, request: Request): Promise<{ before: Told; after: Told }> {
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
