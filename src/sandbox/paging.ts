import { nodeCrypto } from '../base/hash.js';
import { jsonIn } from '../base/values.js';
import { refusal } from './refusal.js';
import type { Database, SqlValue } from './store/database.js';
import { fold } from './store/rows.js';

/** A condition of a list: SQL with its values; undefined for a filter that is not set. */
export type Condition = readonly [sql: string, ...values: SqlValue[]] | undefined;

/** A condition on a value that may not be given. */
export function filter(sql: string, value: SqlValue | undefined): Condition {
  return value === undefined ? undefined : [sql, value];
}

/** The rows of `t` with a text in the title, in any case. */
export function titleFilter(title: string | undefined): Condition {
  return filter('instr(t.folded, ?) > 0', title === undefined ? undefined : fold(title));
}

export interface Listing<Row, Item> {
  /** Columns, followed by the values of their placeholders. */
  select: string | readonly [sql: string, ...values: SqlValue[]];
  /** Tables that determine which rows are listed. */
  from: string;
  /** Tables that only the columns need, by LEFT JOIN on a key; the count omits them. */
  join?: string;
  where: readonly Condition[];
  /** Columns the list is sorted by: never null, the last one unique. */
  by: readonly [string, ...string[]];
  /** Of all columns; default `asc`. */
  order?: string | undefined;
  item(row: Row): Item;
}

/** A list in memory, in ascending order of its keys. */
interface ItemList<Entry, Item> {
  entries: readonly Entry[];
  /** Sort key of an entry, unique. */
  key(entry: Entry): string | number;
  item(entry: Entry): Item;
}

/** The list envelope (spec A, "Shared shapes"): `next` is absent on the last page. */
export interface Page<Item> {
  items: Item[];
  next?: { page: string };
  count: number;
}

/** Cuts lists into pages of `limit` items, 50 by default. */
export interface Pager {
  <Row, Item>(listing: Listing<Row, Item>): Page<Item>;
  of<Entry, Item>(list: ItemList<Entry, Item>): Page<Item>;
}

type Keys = readonly (string | number)[];

/**
 * Creates the pager of one request. A cursor holds the sort keys of the last item, so that inserts and
 * removals between pages shift nothing, and a digest of the keys and the list: a cursor of another list or
 * other filters, or one edited by hand, is refused with 400.
 * @param list identifies the list: operation, path and filters
 */
export function createPager(db: Database, list: string, query: { page?: unknown; limit?: unknown }): Pager {
  const limit = typeof query.limit === 'number' ? query.limit : 50;
  const after = typeof query.page === 'string' ? openCursor(list, query.page) : undefined;
  const envelope = <Item>(items: Item[], count: number, last: Keys | undefined): Page<Item> => ({
    items,
    ...(last && { next: { page: sealCursor(list, last) } }),
    count,
  });
  const pager = <Row, Item>(listing: Listing<Row, Item>) => {
    const rows = fetchRows<Row>(db, listing, after, limit + 1);
    const more = rows.length > limit;
    if (more) rows.pop();
    const last = more ? keysOf(rows[limit - 1], listing.by.length) : undefined;
    return envelope(rows.map(listing.item), countRows(db, listing), last);
  };
  const of = <Entry, Item>({ entries, key, item }: ItemList<Entry, Item>) => {
    const [previous] = after ?? [];
    const rest = previous === undefined ? entries : entries.filter((entry) => key(entry) > previous);
    const shown = rest.slice(0, limit);
    const last = rest.length > limit ? shown.slice(-1).map(key) : undefined;
    return envelope(shown.map(item), entries.length, last);
  };
  return Object.assign(pager, { of });
}

function fetchRows<Row>(
  db: Database,
  { select, from, join = '', where, by, order }: Listing<Row, unknown>,
  after: Keys | undefined,
  most: number,
): Row[] {
  const [columns, ...columnValues] = typeof select === 'string' ? [select] : select;
  const compare = order === 'desc' ? '<' : '>';
  const holes = by.map(() => '?').join(', ');
  const conditions = [...where, after && ([`(${by.join(', ')}) ${compare} (${holes})`, ...after] as const)];
  const [filter, values] = conjunction(conditions);
  const keys = by.map((key, index) => `${key} AS key${index}`).join(', ');
  const sorted = by.map((key) => `${key} ${order === 'desc' ? 'DESC' : 'ASC'}`).join(', ');
  const sql = `SELECT ${columns}, ${keys} FROM ${from} ${join} WHERE ${filter} ORDER BY ${sorted} LIMIT ?`;
  return db.all<Row>(sql, ...columnValues, ...values, most);
}

function countRows(db: Database, { from, where }: Listing<never, unknown>): number {
  const [filter, values] = conjunction(where);
  const sql = `SELECT count(*) AS count FROM ${from} WHERE ${filter}`;
  const read = () => db.get<{ count: number }>(sql, ...values)?.count ?? 0;
  return db.remember(JSON.stringify([sql, values]), read);
}

function conjunction(conditions: readonly Condition[]): [string, SqlValue[]] {
  const given = conditions.filter((condition) => condition !== undefined);
  const sql = given.map(([text]) => `(${text})`).join(' AND ');
  return [sql === '' ? 'TRUE' : sql, given.flatMap(([, ...values]) => values)];
}

function keysOf(row: unknown, count: number): Keys {
  const columns = row as Record<string, string | number>;
  return Array.from({ length: count }, (_, index) => columns[`key${index}`] ?? '');
}

function sealCursor(list: string, keys: Keys): string {
  return Buffer.from(JSON.stringify([digest(list, keys), ...keys])).toString('base64url');
}

function openCursor(list: string, cursor: string): Keys {
  const [seal, ...keys] = parseCursor(cursor);
  if (seal !== digest(list, keys)) throw badCursor();
  return keys;
}

function parseCursor(cursor: string): Keys {
  const parts = jsonIn(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts)) return parts as Keys;
  throw badCursor();
}

function digest(list: string, keys: Keys): string {
  return nodeCrypto()
    .hash('sha256', JSON.stringify([list, keys]), 'base64url')
    .slice(0, 16);
}

function badCursor() {
  return refusal(400, 'query parameter "page" is not a cursor of this list');
}
