import type { Condition, Page, Pager } from './paging.js';
import { found, notFound } from './refusal.js';
import type { Caller, Org } from './scope.js';
import type { Database, SqlValue } from './store/database.js';
import { assignments, type Columns, insert } from './store/rows.js';

export interface InOrg {
  readonly db: Database;
  readonly org: Org;
  readonly caller: Caller;
}

interface Definition<Row, Item> {
  table: string;
  /** What messages call one of them. */
  what: string;
  /** Column that paths identify one by; default `id`. */
  key?: string;
  /** Columns of `<table> t`, with the values of their placeholders; default all. */
  columns?(caller: Caller): readonly [sql: string, ...values: SqlValue[]];
  /** Columns that lists are sorted by, the last one unique; default creation time and id. */
  by?: readonly [string, ...string[]];
  item(row: Row, call: InOrg): Item;
}

interface OrgTable<Item> {
  list(call: InOrg & { page: Pager }, ...filters: Condition[]): Page<Item>;
  /** Undefined if the organization has no such row. */
  find(call: InOrg, key: string): Item | undefined;
  /** @throws 404 */
  get(call: InOrg, key: string): Item;
  /** Adds a row with a new id; undefined leaves a column at its default. */
  create(call: InOrg & { newId(): string }, columns: Columns): Item;
  /** Leaves columns that are undefined as they are. @throws 404 */
  update(call: InOrg, key: string, changes: Columns): Item;
  /** @throws 404 */
  remove(call: InOrg, key: string): void;
}

/** Lists, reads and changes a table whose rows belong to one organization each. */
export function orgTable<Row, Item>(definition: Definition<Row, Item>): OrgTable<Item> {
  const { table, what, key: column = 'id', item, by = ['t.created_at', 't.id'] } = definition;
  const columnsFor = definition.columns ?? (() => ['t.*'] as const);
  const own = `org_id = ? AND ${column} = ?`;

  function find(call: InOrg, key: string): Item | undefined {
    const [columns, ...values] = columnsFor(call.caller);
    const sql = `SELECT ${columns} FROM ${table} t WHERE ${own}`;
    const row = call.db.get<Row>(sql, ...values, call.org.id, key);
    return row && item(row, call);
  }
  const get = (call: InOrg, key: string) => found(find(call, key), what, key);

  return {
    find,
    get,
    list: (call, ...filters) =>
      call.page({
        select: columnsFor(call.caller),
        from: `${table} t`,
        where: [['t.org_id = ?', call.org.id], ...filters],
        by,
        item: (row: Row) => item(row, call),
      }),
    create(call, columns) {
      const row: Columns = { id: call.newId(), org_id: call.org.id, ...columns };
      insert(call.db, table, row);
      return get(call, String(row[column]));
    },
    update(call, key, changes) {
      const [sql, ...values] = assignments(changes);
      if (values.length > 0)
        call.db.run(`UPDATE ${table} SET ${sql} WHERE ${own}`, ...values, call.org.id, key);
      return get(call, key);
    },
    remove(call, key) {
      if (call.db.run(`DELETE FROM ${table} WHERE ${own}`, call.org.id, key) === 0) throw notFound(what, key);
    },
  };
}
