import { createHmac } from 'node:crypto';
import type { OrgRow } from '../records/org.js';
import { apiUrl } from '../records/urls.js';
import type { Caller } from '../scope.js';
import type { Database } from '../store/database.js';

const lifetimeMs = 3_600_000;

/**
 * The JWT with which a member reads the sites and spaces of an organization that are open to authenticated
 * visitors (spec A, "Authentication", 2); undefined if it has none. No site of the sandbox checks it.
 */
export function visitorClaims(
  db: Database,
  org: OrgRow,
  { userId, email }: Caller,
  nowMs: number,
): string | undefined {
  const sql = `SELECT 1 FROM sites WHERE org_id = ?1 AND published AND visibility = 'visitor-auth'
    UNION SELECT 1 FROM spaces WHERE org_id = ?1 AND deleted_at IS NULL AND visibility = 'visitor-auth'`;
  if (db.get(sql, org.id) === undefined) return undefined;
  const seconds = Math.floor(nowMs / 1000);
  const claims = { iss: apiUrl(`/orgs/${org.id}`), sub: userId, email };
  const times = { iat: seconds, exp: seconds + lifetimeMs / 1000 };
  const text = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, ...times },
  ]
    .map(encoded)
    .join('.');
  return `${text}.${createHmac('sha256', org.id).update(text).digest('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
