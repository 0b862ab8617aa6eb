import { roles } from '../../api/shapes.js';
import { nodeCrypto } from '../../base/hash.js';
import { defined } from '../../base/values.js';
import { refusal } from '../refusal.js';
import type { User } from '../scope.js';
import type { Database } from '../store/database.js';

/** Tickets: secrets in the addresses that `docs sandbox open` opens. Each works once, and only for minutes. */

/** For how long a ticket works. */
const ticketMinutes = 5;

/** As text in an address; nothing else of it is kept. */
const ticketBytes = 32;

/**
 * Makes a ticket, of which the database keeps the hash alone. Call within a write.
 * @param now milliseconds of the real clock: that of the sandbox is moved by its users
 */
export function makeTicket(db: Database, now: number): string {
  const ticket = nodeCrypto().randomBytes(ticketBytes).toString('base64url');
  db.run('DELETE FROM local_tickets WHERE expires_at <= ?', now);
  const sql = 'INSERT INTO local_tickets (hash, expires_at) VALUES (?, ?)';
  db.run(sql, hashOf(ticket), now + ticketMinutes * 60_000);
  return ticket;
}

/** Removes a ticket and says whether it was good: known, not used before, not expired. */
export function takeTicket(db: Database, ticket: string, now: number): boolean {
  const sql = 'DELETE FROM local_tickets WHERE hash = ? RETURNING expires_at';
  const row = db.note(() => db.get<{ expires_at: number }>(sql, hashOf(ticket)));
  return row !== undefined && row.expires_at > now;
}

function hashOf(ticket: string): string {
  return nodeCrypto().createHash('sha256').update(ticket).digest('hex');
}

const names: readonly string[] = [...roles, 'guest', 'other-org'];

/** A token of the sandbox and the member it acts as. */
export interface Token {
  /** A role, `guest` or `other-org`. */
  name: string;
  token: string;
  member: string;
  org: string;
}

/** The user of a request's Authorization header. @throws 401 */
export function authenticate(db: Database, authorization: string | undefined): User {
  if (authorization === undefined) throw refusal(401, 'missing token; send Authorization: Bearer <token>');
  const [scheme = '', token = '', ...more] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '' || more.length > 0) {
    throw refusal(401, 'the Authorization header must be: Bearer <token>');
  }
  if (!token.startsWith('sbx_')) {
    throw refusal(401, 'the sandbox accepts only its own tokens (sbx_…). Never send a real token to it.');
  }
  const user = holderOf(db, token);
  if (user === undefined) throw refusal(401, 'invalid token: it does not belong to this sandbox');
  return user;
}

/** The user of an Authorization header, if there is one. */
export function userOf(db: Database, authorization = ''): User | undefined {
  return holderOf(db, authorization.split(' ')[1] ?? '');
}

function holderOf(db: Database, token: string): User | undefined {
  const sql = `SELECT u.id AS userId, u.email
    FROM local_tokens t JOIN users u ON u.id = t.user_id WHERE t.token = ?`;
  return db.remember(`token ${token}`, () => db.get<User>(sql, token), ['local_tokens', 'users']);
}

/** The tokens assigned to members, the admin's first. */
export function listTokens(db: Database): Token[] {
  const tokens = db.all<Token>(
    'SELECT name, token, user_id AS member, org_id AS org FROM local_tokens WHERE user_id IS NOT NULL',
  );
  return tokens.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

export function adminToken(db: Database): string {
  return listTokens(db).find(({ name }) => name === 'admin')?.token ?? '';
}

/**
 * Assigns each token its member: the first with its role in the first organization, or for `other-org` the
 * first admin outside it. Tokens survive a reset, so that programs can keep using them. Call within a write.
 */
export function assignTokens(db: Database): void {
  const { org } = findDefaults(db);
  for (const name of names) {
    const holder = name === 'other-org' ? outsider(db, org) : firstWithRole(db, org, name);
    db.run(
      `INSERT INTO local_tokens (name, token, user_id, org_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET user_id = excluded.user_id, org_id = excluded.org_id`,
      ...[
        name,
        `sbx_${nodeCrypto().randomBytes(16).toString('hex')}`,
        holder?.user_id ?? null,
        holder?.org_id ?? null,
      ],
    );
  }
}

/** Who sees most in an organization: its first admin, else its first member; undefined without members. */
export function mostPowerful(db: Database, orgId: string): User | undefined {
  const sql = `SELECT u.id AS userId, u.email FROM members m JOIN users u ON u.id = m.user_id WHERE m.org_id = ?
    ORDER BY m.role = 'admin' DESC, m.disabled, m.joined_at, m.user_id LIMIT 1`;
  return db.remember(`most powerful ${orgId}`, () => db.get<User>(sql, orgId), ['members', 'users']);
}

/** A member of an organization; undefined for others. */
export function memberOf(db: Database, orgId: string, userId: string): User | undefined {
  const sql = `SELECT u.id AS userId, u.email FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = ? AND m.user_id = ?`;
  return db.get<User>(sql, orgId, userId);
}

interface Holder {
  user_id: string;
  org_id: string;
}

function firstWithRole(db: Database, orgId: string, role: string): Holder | undefined {
  const sql = `SELECT user_id, org_id FROM members
    WHERE org_id = ? AND coalesce(role, 'guest') = ? ORDER BY disabled, joined_at, user_id LIMIT 1`;
  return db.get<Holder>(sql, orgId, role);
}

function outsider(db: Database, orgId: string): Holder | undefined {
  const sql = `SELECT user_id, org_id FROM members WHERE role = 'admin'
    AND user_id NOT IN (SELECT user_id FROM members WHERE org_id = ?) ORDER BY joined_at, user_id LIMIT 1`;
  return db.get<Holder>(sql, orgId);
}

/** The resources that commands use by default. */
export interface Defaults {
  org: string;
  space?: string;
  site?: string;
}

/** The oldest organization, the first space at its top level, and its oldest site. */
export function findDefaults(db: Database): Defaults {
  const first = (table: string, by: string, ...values: string[]) =>
    db.get<{ id: string }>(`SELECT id FROM ${table} ORDER BY ${by}, id LIMIT 1`, ...values)?.id;
  const org = first('organizations', 'created_at') ?? '';
  const top = 'parent_id IS NOT NULL, position';
  const space = first('spaces WHERE org_id = ? AND deleted_at IS NULL', top, org);
  return defined({ org, space, site: first('sites WHERE org_id = ?', 'created_at', org) });
}

/** Bytes served without a token, at an address that cannot be guessed. */
export interface Download {
  /** Route, such as `/files/{key}/{name}`. */
  path: string;
  serve(db: Database, parameters: Readonly<Record<string, string>>): DownloadedFile | undefined;
}

interface DownloadedFile {
  bytes: Uint8Array;
  contentType: string;
  name: string;
}

/**
 * A key for an address: the ids, signed with a secret of this database, which exports do not contain. A key of
 * one kind does not open another. Ids consist of letters, digits, `_` and `-`.
 */
export function sealKey(db: Database, kind: string, ids: readonly string[]): string {
  return [...ids, sign(db, kind, ids)].join('.');
}

/** The ids of a key; undefined unless it is of this kind and database. */
export function openKey(db: Database, kind: string, key: string): string[] | undefined {
  const ids = key.split('.');
  const given = Buffer.from(ids.pop() ?? '');
  const right = Buffer.from(sign(db, kind, ids));
  return given.length === right.length && nodeCrypto().timingSafeEqual(given, right) ? ids : undefined;
}

/** Makes browsers save the file instead of opening it in this origin. */
export function downloadHeaders({ name, contentType }: DownloadedFile): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
}

function sign(db: Database, kind: string, ids: readonly string[]): string {
  const sql = "SELECT value FROM local_state WHERE key = 'download_secret'";
  const secret = db.remember('download secret', () => db.get<{ value: string }>(sql)?.value);
  if (secret === undefined) throw new Error('The database has no secret for downloads.');
  const message = JSON.stringify([kind, ...ids]);
  return nodeCrypto().createHmac('sha256', secret).update(message).digest('hex').slice(0, 40);
}

/** RFC 8187 also encodes characters that encodeURIComponent leaves alone. */
function encodeName(name: string): string {
  const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()*]/g, escaped);
}
