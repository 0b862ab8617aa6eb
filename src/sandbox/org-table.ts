import type { Static, TObject } from '@sinclair/typebox';
import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { defined } from '../base/values.js';
import { type Handler, handle } from './handle.js';
import type { Condition, Page, Pager } from './paging.js';
import type { Layout } from './records/layout.js';
import { alreadyExists, found, notFound } from './refusal.js';
import type { Caller, Org } from './scope.js';
import type { Database, SqlValue } from './store/database.js';
import { assignments, type Clock, type Columns, fold, insert } from './store/rows.js';

export interface InOrg {
  readonly db: Database;
  readonly org: Org;
  readonly caller: Caller;
}

type Changing = InOrg & { readonly clock: Clock };
type Creating = Changing & { newId(): string };

/** A call of any operation on one row, or on the list of them. */
interface AnyCall extends Creating {
  readonly path: Readonly<Record<string, string>>;
  readonly body: object;
  readonly page: Pager;
}

interface Definition<Row, S extends TObject, Computed extends keyof S['properties'] & string> {
  table: string;
  /** What messages call one of them. */
  what: string;
  /** Column that paths identify one by; default `id`. */
  key?: string;
  /** Columns of `<table> t`, with the values of their placeholders; default all. */
  columns?(caller: Caller): readonly [sql: string, ...values: SqlValue[]];
  /** Columns that lists are sorted by, the last one unique; default creation time and id. */
  by?: readonly [string, ...string[]];
  layout: Layout<S, Computed>;
  /** Whether its column `folded` has the title for searches. */
  folds?: true;
  /** Columns of a new row that its body does not give. */
  made?(call: Creating): Columns;
  computed(row: Row, call: InOrg): Parameters<Layout<S, Computed>['item']>[1];
}

export interface OrgTable<Item> extends Pick<Layout<TObject>, 'columns' | 'changes'> {
  readonly table: string;
  list(call: InOrg & { page: Pager }, ...filters: Condition[]): Page<Item>;
  /** Undefined if the organization has no such row. */
  find(call: InOrg, key: string): Item | undefined;
  /** @throws 404 */
  get(call: InOrg, key: string): Item;
  /**
   * Adds a row with a new id, made now; undefined leaves a column at its default.
   * @throws 409 if its key is one that people choose, and there is one with it
   */
  create(call: Creating, columns: Columns): Item;
  /** Leaves columns that are undefined as they are. @throws 404 */
  update(call: Changing, key: string, changes: Columns): Item;
  /** @throws 404 */
  remove(call: InOrg, key: string): void;
  /**
   * Answers operations that list, get, create, update or delete rows.
   * @param columnsOf the columns that a body gives; default those of its fields
   */
  handlers(operations: readonly AnyOperation[], columnsOf?: (call: AnyCall) => Columns): TableHandler[];
}

/** Answers from a table; copies write into it what they read of the platform. */
export interface TableHandler extends Handler {
  readonly items: OrgTable<object>;
}

/** Lists, reads and changes a table whose rows belong to one organization each. */
export function orgTable<Row, S extends TObject, Computed extends keyof S['properties'] & string = never>(
  definition: Definition<Row, S, Computed>,
): OrgTable<Static<S>> {
  const { table, what, key: column = 'id', layout, folds, by = ['t.created_at', 't.id'] } = definition;
  const columnsFor = definition.columns ?? (() => ['t.*'] as const);
  const own = `org_id = ? AND ${column} = ?`;
  const foldedTitle = (title: unknown) => (folds && typeof title === 'string' ? { folded: fold(title) } : {});
  const item = (row: Row, call: InOrg) => layout.item(row as object, definition.computed(row, call));

  function find(call: InOrg, key: string): Static<S> | undefined {
    const [columns, ...values] = columnsFor(call.caller);
    const row = call.db.get<Row>(
      `SELECT ${columns} FROM ${table} t WHERE ${own}`,
      ...[...values, call.org.id, key],
    );
    return row && item(row, call);
  }
  const get = (call: InOrg, key: string) => found(find(call, key), what, key);

  const list: OrgTable<Static<S>>['list'] = (call, ...filters) =>
    call.page({
      select: columnsFor(call.caller),
      from: `${table} t`,
      where: [['t.org_id = ?', call.org.id], ...filters],
      by,
      item: (row: Row) => item(row, call),
    });

  function create(call: Creating, columns: Columns): Static<S> {
    const made = {
      ...layout.times(call.clock, 'created_at', 'updated_at'),
      ...definition.made?.(call),
      ...foldedTitle(columns.title),
    };
    const row: Columns = { id: call.newId(), org_id: call.org.id, ...made, ...defined(columns) };
    const key = String(row[column]);
    if (column !== 'id' && find(call, key) !== undefined) throw alreadyExists(what, key);
    insert(call.db, table, row);
    return get(call, key);
  }

  function update(call: Changing, key: string, columns: Columns): Static<S> {
    const made = { ...layout.times(call.clock, 'updated_at'), ...foldedTitle(columns.title) };
    const [sql, ...values] = assignments({ ...columns, ...made });
    if (values.length > 0)
      call.db.run(`UPDATE ${table} SET ${sql} WHERE ${own}`, ...values, call.org.id, key);
    return get(call, key);
  }

  function remove(call: InOrg, key: string): void {
    if (call.db.run(`DELETE FROM ${table} WHERE ${own}`, call.org.id, key) === 0) throw notFound(what, key);
  }

  const { changes } = layout;
  const columns = (item: object) => ({
    ...layout.columns(item),
    ...foldedTitle((item as { title?: unknown }).title),
  });
  const items: OrgTable<Static<S>> = {
    ...{ table, columns, changes, list, find, get, create, update, remove },
    handlers: (operations, columnsOf = (call) => changes(call.body)) =>
      operations.map((operation) => {
        const parameter = pathParameters(operation.path).at(-1) ?? '';
        const isOne = operation.path.endsWith('}');
        const answer = (call: AnyCall) => {
          const key = call.path[parameter] ?? '';
          if (operation.method === 'GET') return isOne ? get(call, key) : list(call);
          if (operation.method === 'DELETE') return remove(call, key);
          return isOne ? update(call, key, columnsOf(call)) : create(call, columnsOf(call));
        };
        return { ...handle(operation, answer as never), items };
      }),
  };
  return items;
}
