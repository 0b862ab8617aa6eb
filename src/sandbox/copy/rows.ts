import type { InOrg } from '../org-table.js';
import { orgById } from '../records/org.js';
import { toldJson } from '../records/told.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Columns } from '../store/sql.js';

/**
 * Inserts a row, or changes the one with the same key; undefined leaves a column as it is, or at its default.
 * Table and column names must never come from input.
 */
export function upsert(db: Database, table: string, keys: readonly string[], row: Columns): void {
  const names = Object.keys(row).filter((name) => row[name] !== undefined);
  const values = names.map((name) => row[name] ?? null);
  const others = names.filter((name) => !keys.includes(name));
  const changes = others.map((name) => `${name} = excluded.${name}`).join(', ');
  db.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${keys.join(', ')}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${changes}`}`,
    ...values,
  );
}

interface Tellable {
  table: string;
  /** Values by key column. */
  key: Readonly<Record<string, string>>;
  /** Default `told`. */
  column?: string;
}

/**
 * Records what the platform told of a resource and its row does not give (records/told.ts).
 * @param own what the sandbox answers now; called without what was told before
 */
export function tell(
  db: Database,
  { table, key, column = 'told' }: Tellable,
  told: object,
  own: () => object,
  except: readonly string[] = [],
): void {
  const where = Object.keys(key)
    .map((name) => `${name} = ?`)
    .join(' AND ');
  const ids = Object.values(key);
  // Of most rows, nothing was told before: then this changes nothing, which is quick.
  db.run(`UPDATE ${table} SET ${column} = NULL WHERE ${where} AND ${column} IS NOT NULL`, ...ids);
  const json = toldJson(own(), told, except);
  if (json !== null) db.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, json, ...ids);
}

/** Milliseconds of a time as the platform writes it; 0 for what is not one. */
export function msOf(time: string | undefined): number {
  return msOrNull(time) ?? 0;
}

export function msOrNull(time: string | undefined): number | null {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** A flag as a column holds it. */
export function bit(flag: boolean | undefined): number {
  return flag === true ? 1 : 0;
}

/** An organization as an administrator sees it, as a backup is read. @throws 404 if it is not there */
export function asAdmin(db: Database, orgId: string): InOrg {
  const org = found(orgById(db, orgId), 'organization', orgId);
  return { db, org, caller: { userId: '', email: '', role: 'admin', level: 'admin' } };
}
