import type { Database, SqlValue } from '../store/database.js';
import { exportedTables } from '../store/store.js';
import { wholeOf } from './answer-parts.js';
import { isKept, type LoggedRequest } from './request-log.js';
import { changesIn, type RowChange, titleColumns } from './row-changes.js';

/** Which requests of the log are shown; each part leaves some out. */
export interface RequestFilter {
  /** A status, a class such as `4xx`, or `errors`: 400 and above, and connections that were cut. */
  status?: string | undefined;
  /** A method, or `changes`: all but GET and HEAD. */
  method?: string | undefined;
  /** A person, by id, email address or name. */
  actor?: string | undefined;
}

export interface ListedRequest extends LoggedRequest {
  /** Its place in the log. */
  seq: number;
  /** Name of the user, or null for an unknown token. */
  actor: string | null;
  email: string | null;
}

/** A condition on `local_requests r LEFT JOIN users u`. */
interface Condition {
  sql: string;
  values: readonly SqlValue[];
}

const isError = '(r.status = 0 OR r.status >= 400)';
const isChange = "r.method NOT IN ('GET', 'HEAD')";
const from = 'local_requests r LEFT JOIN users u ON u.id = r.caller';
const columns = `r.seq, r.id, r.method, r.path, r.status, r.time, r.caller, r.ms, r.fault,
  u.display_name AS actor, u.email`;

/** Whether a filter can be understood; of a status, `errors`, `4xx` and `404` are. */
export function isStatusFilter(text: string): boolean {
  return text === 'errors' || /^[1-5]xx$/i.test(text) || /^\d{1,3}$/.test(text);
}

function conditionOf({ status, method, actor }: RequestFilter): Condition {
  const parts: Condition[] = [{ sql: isKept.replaceAll(/^seq/g, 'r.seq'), values: [] }];
  if (status === 'errors') parts.push({ sql: isError, values: [] });
  else if (/^[1-5]xx$/i.test(status ?? ''))
    parts.push({ sql: 'r.status / 100 = ?', values: [Number(status?.[0])] });
  else if (status !== undefined) parts.push({ sql: 'r.status = ?', values: [Number(status)] });
  if (method?.toLowerCase() === 'changes') parts.push({ sql: isChange, values: [] });
  else if (method !== undefined) parts.push({ sql: 'r.method = ?', values: [method.toUpperCase()] });
  const isActor = '(r.caller = ? OR u.email = ? OR u.display_name = ? COLLATE NOCASE)';
  if (actor !== undefined) parts.push({ sql: isActor, values: [actor, actor, actor] });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Requests, the oldest first. @param part those after and before a place of the log, and only the last of them */
export function listRequests(
  db: Database,
  filter: RequestFilter = {},
  { after = 0, before, most = -1 }: { after?: number; before?: number; most?: number } = {},
): ListedRequest[] {
  const { sql, values } = conditionOf(filter);
  const isBefore = before === undefined ? '' : 'AND r.seq < ?';
  const found = db.all<ListedRequest>(
    `SELECT ${columns} FROM ${from} WHERE ${sql} AND r.seq > ? ${isBefore} ORDER BY r.seq DESC LIMIT ?`,
    ...[...values, after, ...(before === undefined ? [] : [before]), most],
  );
  return found.reverse();
}

/** 0 after the log was emptied, so that what comes then is not taken for old. */
export function lastRequest(db: Database): number {
  return db.get<{ last: number | null }>('SELECT max(seq) AS last FROM local_requests')?.last ?? 0;
}

export interface RequestCounts {
  all: number;
  changes: number;
  errors: number;
  /** Those who sent most, first. */
  actors: readonly { email: string; actor: string; count: number }[];
}

export function countRequests(db: Database, mostActors: number): RequestCounts {
  const { sql, values } = conditionOf({});
  const counts = db.get<Omit<RequestCounts, 'actors'>>(
    `SELECT count(*) AS "all", total(${isChange}) AS changes, total(${isError}) AS errors FROM ${from} WHERE ${sql}`,
    ...values,
  );
  const actors = db.all<RequestCounts['actors'][number]>(
    `SELECT u.email, u.display_name AS actor, count(*) AS count FROM ${from}
     WHERE ${sql} AND u.id IS NOT NULL GROUP BY u.id ORDER BY count DESC, u.email LIMIT ?`,
    ...[...values, mostActors],
  );
  return { all: 0, changes: 0, errors: 0, ...counts, actors };
}

/** Requests of a span of time. */
export interface RequestBar {
  /** When it begins, by the sandbox's clock. */
  time: number;
  count: number;
  errors: number;
  /** The last request in it. */
  last: number;
}

const secondMs = 1000;
const spansMs = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800, 31_536_000].map((s) => s * secondMs);

/**
 * Requests over time, in the shortest spans of which no more than `most` have any. Spans without a request are left
 * out: the clock of a sandbox is moved by days.
 */
export function requestBars(db: Database, filter: RequestFilter, most: number): RequestBar[] {
  const { sql, values } = conditionOf(filter);
  for (const spanMs of spansMs) {
    const bars = db.all<RequestBar>(
      `SELECT CAST(r.time / ${spanMs} AS INTEGER) * ${spanMs} AS time, count(*) AS count, total(${isError}) AS errors,
         max(r.seq) AS last
       FROM ${from} WHERE ${sql} GROUP BY 1 ORDER BY 1 LIMIT ?`,
      ...[...values, most + 1],
    );
    if (bars.length <= most) return bars;
  }
  return [];
}

/** A request with what was kept of it. */
export interface KeptRequest extends ListedRequest {
  body: string | undefined;
  /** Whether the body is there as it was sent. */
  whole: boolean;
  answer: string | undefined;
  changes: readonly RowChange[];
}

export function requestAt(db: Database, seq: number): KeptRequest | undefined {
  const { sql, values } = conditionOf({});
  const row = db.get<ListedRequest & Record<'body' | 'changes', string | null> & Kept>(
    `SELECT ${columns}, r.body, r.whole, r.changes, r.answer, r.answer_of, a.answer AS other FROM ${from}
     LEFT JOIN local_requests a ON a.seq = r.answer_of AND a.path = r.path AND a.caller IS r.caller
     WHERE ${sql} AND r.seq = ?`,
    ...[...values, seq],
  );
  if (row === undefined) return undefined;
  const { body, whole, changes, answer, answer_of, other, ...request } = row;
  return {
    ...request,
    body: body ?? undefined,
    whole: whole === 1,
    answer: keptAnswer({ answer, answer_of, other }),
    changes: changes === null ? [] : changesIn(db, changes),
  };
}

interface Kept extends KeptAnswer {
  whole: number | null;
}

interface KeptAnswer {
  /** The answer, or with `answer_of` the part that is its own. */
  answer: string | Uint8Array | null;
  answer_of: number | null;
  /** That of the other request. */
  other: string | Uint8Array | null;
}

function keptAnswer({ answer, answer_of, other }: KeptAnswer): string | undefined {
  if (answer === null) return textOf(other);
  if (answer_of === null || typeof answer === 'string') return textOf(answer);
  return other instanceof Uint8Array ? textOf(wholeOf(answer, other)) : undefined;
}

function textOf(answer: string | Uint8Array | null): string | undefined {
  return answer instanceof Uint8Array ? Buffer.from(answer).toString('utf8') : (answer ?? undefined);
}

/** What a changed row is called, in words. */
export interface NamedRow {
  /** What it is: `team member`. */
  what: string;
  title: string;
}

/** Names a row by its own title, or by those of what it joins, as far as they are still there. */
export function nameOfRow(db: Database, { table, row }: RowChange): NamedRow {
  const what = singular(table).replaceAll('_', ' ');
  const own = titleOf(row);
  if (own !== undefined) return { what, title: own };
  const joined = Object.entries(row).flatMap(([column, id]) => {
    if (column === 'org_id' || !column.endsWith('_id') || typeof id !== 'string') return [];
    const title = titleIn(db, column === 'author_id' ? 'users' : `${column.slice(0, -3)}s`, id);
    return title === undefined ? [] : [title];
  });
  const id = Object.values(row).find((value) => typeof value === 'string');
  return { what, title: joined.length > 0 ? joined.join(', ') : String(id ?? '') };
}

function titleIn(db: Database, table: string, id: string): string | undefined {
  if (!db.remember('tables', () => new Set(exportedTables(db)), []).has(table)) return undefined;
  return titleOf(db.get<Record<string, SqlValue>>(`SELECT * FROM ${table} WHERE id = ?`, id) ?? {});
}

function titleOf(row: Readonly<Record<string, SqlValue>>): string | undefined {
  const titles = titleColumns.map((column) => row[column]);
  return titles.find((title): title is string => typeof title === 'string' && title !== '');
}

function singular(table: string): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '');
}
