import { redactStrings } from '../../base/redaction.js';
import type { Database, SqlValue } from '../store/database.js';
import { exportedTables } from '../store/store.js';

/** A row that a request wrote. */
export interface RowChange {
  table: string;
  kind: 'created' | 'changed' | 'deleted';
  /** What names the row: its key, its title, and what it belongs to, by column. */
  row: Readonly<Record<string, SqlValue>>;
  /** The columns that changed: the value before and after. */
  fields?: Readonly<Record<string, readonly [SqlValue, SqlValue]>>;
}

/** A row as a trigger notes it: its table, its kind, what names it, and by column the value before and after. */
type NotedRow = [
  table: string,
  kind: RowChange['kind'],
  named: readonly SqlValue[],
  fields: NonNullable<RowChange['fields']> | null,
];

/** Rows noted at most of one write; a seed writes more, and nobody asks for them. */
const mostNoted = 60;

/** SQL for the rows noted in the open write, as JSON; null for none. */
export const notedJson = "(SELECT '[' || group_concat(noted) || ']' FROM noted_rows)";

/** Columns in which people recognise a row, the best first. */
export const titleColumns = ['title', 'display_name', 'subject', 'label', 'name', 'slug', 'message'] as const;

/** Columns that follow from others, and those that only say when. */
const derived =
  /^(?:folded|cap|told|\w+_told|(?:\w+_)?updated_at|edited_at|comments_open|change_requests(?:_\w+)?)$/;

/** Columns of a table that a trigger notes. */
interface Noted {
  /** Of a row that comes or goes. */
  naming: readonly string[];
  /** Of a row that changes, the naming ones first. */
  all: readonly string[];
}

/**
 * Notes which rows a change writes. Triggers of this connection alone note them as SQLite writes them, so cascades and
 * the writes of other triggers are among them; a change that is rolled back leaves nothing.
 */
export class RowWatch {
  readonly #db: Database;
  #isOpen = false;
  /** `Database.changes` when the log had read what was noted last: no row is noted as long as it stays. */
  #emptyAt: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #undone = (): void => {
    this.#emptyAt = undefined;
  };

  /** Makes the triggers, before the first write that is watched. Not within a transaction. */
  open(): void {
    if (this.#isOpen) return;
    this.#db.exec(`PRAGMA temp_store = MEMORY; ${triggersOf(this.#db)}`);
    this.#isOpen = true;
  }

  /**
   * Runs a change, then reads the rows that it wrote.
   * @param read finds them noted, as the log does
   */
  during<T>(change: () => T, read: (result: T) => void): T {
    const db = this.#db;
    // Those of earlier writes, which nobody asks for.
    if (db.changes !== this.#emptyAt) db.note(() => db.change('DELETE FROM noted_rows'));
    db.ifUndone(this.#undone);
    const result = change();
    read(result);
    this.#emptyAt = db.changes;
    return result;
  }
}

function triggersOf(db: Database): string {
  // The log takes what was noted. Rows that it writes without it belong to requests before.
  const table = `CREATE TEMP TABLE noted_rows (id INTEGER PRIMARY KEY, noted TEXT);
CREATE TEMP TRIGGER noted_taken AFTER INSERT ON main.local_requests WHEN NEW.changes IS NOT NULL BEGIN
  DELETE FROM noted_rows;
END;`;
  const trigger = (name: string, verb: string, kind: RowChange['kind'], named: string, fields: string) => `
CREATE TEMP TRIGGER noted_${verb}_${name} AFTER ${verb} ON main.${name}
WHEN NOT EXISTS (SELECT 1 FROM noted_rows WHERE id = ${mostNoted}) BEGIN
  INSERT INTO noted_rows (noted) VALUES ('["${name}","${kind}",' || ${named} || ',' || ${fields} || ']');
END;`;
  const triggers = [...notedColumns(db)].flatMap(([name, { naming, all }]) => {
    const named = (row: 'OLD' | 'NEW') =>
      `json_array(${naming.map((column) => `${row}.${column}`).join(', ')})`;
    const pairs = all.map(
      (column) =>
        `iif(OLD.${column} IS NOT NEW.${column}, ',"${column}":' || json_array(OLD.${column}, NEW.${column}), '')`,
    );
    // Null if none of them changed, and so is what is noted.
    const fields = `'{' || substr(nullif(concat(${pairs.join(',\n    ')}), ''), 2) || '}'`;
    return [
      trigger(name, 'INSERT', 'created', named('NEW'), "'null'"),
      trigger(name, 'UPDATE', 'changed', named('NEW'), fields),
      trigger(name, 'DELETE', 'deleted', named('OLD'), "'null'"),
    ];
  });
  return [table, ...triggers].join('\n');
}

/** The tables of the organization with what is noted of each. */
function notedColumns(db: Database): ReadonlyMap<string, Noted> {
  const read = () => {
    const tables = exportedTables(db).filter((name) => name !== 'state');
    return new Map(tables.map((name) => [name, columnsOf(db, name)]));
  };
  return db.remember('noted columns', read, []);
}

function columnsOf(db: Database, table: string): Noted {
  const columns = db.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', table);
  const isNaming = ({ name, pk }: { name: string; pk: number }) =>
    pk > 0 || name.endsWith('_id') || titleColumns.some((title) => title === name);
  const naming = columns.filter(isNaming).map(({ name }) => name);
  const others = columns.map(({ name }) => name).filter((name) => !naming.includes(name));
  return { naming, all: [...naming, ...others.filter((name) => !derived.test(name))] };
}

/** Characters kept of a value. */
const longestValue = 200;

/** The rows that were noted of a request, of which secrets are left out. @param json as `notedJson` makes it */
export function changesIn(db: Database, json: string): RowChange[] {
  const tables = notedColumns(db);
  return (JSON.parse(json) as NotedRow[]).map(([table, kind, named, fields]) => {
    const columns = (tables.get(table)?.naming ?? []).map((name, at) => [name, named[at] ?? null]);
    const row = redactStrings(Object.fromEntries(columns) as RowChange['row']);
    if (fields === null) return { table, kind, row };
    const changed = Object.entries(fields).map(([name, [was, is]]) => [name, [short(was), short(is)]]);
    return { table, kind, row, fields: redactStrings(Object.fromEntries(changed)) };
  });
}

function short(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.length > longestValue
    ? `${value.slice(0, longestValue)}…`
    : value;
}
