import { nodeCrypto } from '../../base/hash.js';
import { literal } from '../../base/values.js';
import type { Database } from '../store/database.js';
import { insert } from '../store/rows.js';

export interface Fault {
  id: number;
  /** `*` matches any text, in the path too. */
  method: string;
  path: string;
  /** Respond with this status instead of running the request. */
  status: number | null;
  headers: Record<string, string>;
  /** Milliseconds to wait before anything else. */
  delayMs: number;
  /** Cut the connection: before running the request, or after its commit. */
  reset: 'before' | 'after' | null;
  /** Remaining number of times; null for no limit. */
  times: number | null;
  /** Share of the matching requests it applies to, 0 to 1. */
  rate: number;
}

export interface FaultRule {
  /** `PATCH /v1/spaces/*`; a path alone matches every method. */
  match: string;
  status?: number;
  /** By names in lower case. */
  headers?: Record<string, string>;
  delayMs?: number;
  reset?: 'before' | 'after';
  times?: number;
  rate?: number;
}

type FaultRow = Omit<Fault, 'headers'> & { headers: string; seen: number };

/** Adds a rule; the newest one that matches a request wins. Call within a write. */
export function addFault(db: Database, rule: FaultRule): Fault {
  const { match, status, headers = {}, delayMs, reset, times, rate } = rule;
  const [path = '*', method = '*'] = match.trim().split(/\s+/).reverse();
  insert(db, 'local_faults', {
    method: method.toUpperCase(),
    path,
    status,
    headers: JSON.stringify(headers),
    delay_ms: delayMs,
    reset,
    times,
    rate,
  });
  const [added] = listFaults(db);
  if (added === undefined) throw new Error('The fault was not added.');
  return added;
}

export function listFaults(db: Database): Fault[] {
  return faultRows(db).map(toFault);
}

/** Removes all rules and returns how many there were. Call within a write. */
export function clearFaults(db: Database): number {
  return db.run('DELETE FROM local_faults');
}

/** Removes a rule. Call within a write. @returns whether it was there */
export function removeFault(db: Database, id: number): boolean {
  return db.run('DELETE FROM local_faults WHERE id = ?', id) > 0;
}

/** The fault that applies to this request, counted; undefined for none. */
export function strike(db: Database, method: string, path: string): Fault | undefined {
  const row = faultRows(db).find((fault) => matches(fault, method, path));
  return row && db.write(() => count(db, row));
}

function count(db: Database, row: FaultRow): Fault | undefined {
  db.run('UPDATE local_faults SET seen = seen + 1 WHERE id = ?', row.id);
  if (chance(row) >= row.rate) return undefined;
  if (row.times !== null) db.run('UPDATE local_faults SET times = times - 1 WHERE id = ?', row.id);
  db.run('DELETE FROM local_faults WHERE times <= 0');
  return toFault(row);
}

/** A number in [0, 1), the same for the same request of the same rule, so that runs are repeatable. */
function chance({ id, seen }: FaultRow): number {
  return nodeCrypto().createHash('sha256').update(`${id}:${seen}`).digest().readUInt32BE() / 2 ** 32;
}

function faultRows(db: Database): FaultRow[] {
  const sql = `SELECT id, method, path, status, headers, delay_ms AS delayMs, reset, times, rate, seen
    FROM local_faults ORDER BY id DESC`;
  return db.remember('faults', () => db.all<FaultRow>(sql), ['local_faults']);
}

function matches(fault: FaultRow, method: string, path: string): boolean {
  return likeness(fault.method).test(method) && likeness(fault.path).test(path);
}

/** @param pattern where `*` matches any text */
function likeness(pattern: string): RegExp {
  const parts = pattern.split('*').map(literal);
  return new RegExp(`^${parts.join('.*')}$`);
}

function toFault({ seen: _, ...row }: FaultRow): Fault {
  return { ...row, headers: JSON.parse(row.headers) };
}
