import { createHmac } from 'node:crypto';
import type { VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import { apiUrl } from '../records/fields.js';
import type { OrgRow } from '../records/org.js';
import { refusal } from '../refusal.js';
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

const text = { must: 'a string', holds: (value: unknown) => typeof value === 'string' };
const flag = { must: 'a boolean', holds: (value: unknown) => typeof value === 'boolean' };

/** Draft-07 schemas of the keywords that only annotate; any other keyword would constrain values. */
const annotations: Readonly<Record<string, { must: string; holds(value: unknown): boolean }>> = {
  title: text,
  description: text,
  $comment: text,
  default: { must: 'anything', holds: () => true },
  examples: { must: 'an array', holds: Array.isArray },
  readOnly: flag,
  writeOnly: flag,
};

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** A URI or relative reference: the characters of RFC 3986, with complete escapes. */
const uriReference = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-fA-F]{2})*$/;

/**
 * Checks a visitor schema beyond its declaration (spec C, "Adaptive schema"): JSON Schema draft-07 with
 * boolean claims only. The declaration has checked types and `additionalProperties`.
 * @throws 400 with the path of the error
 */
export function requireVisitorSchema(schema: VisitorSchema): void {
  const { $schema, $id, properties } = schema;
  if ($schema !== undefined && !draft07.test($schema)) {
    throw wrong(['$schema'], 'must be http://json-schema.org/draft-07/schema#');
  }
  if ($id !== undefined && !uriReference.test($id)) throw wrong(['$id'], 'must be a URI reference');
  requireKeywords([], schema, ['$schema', '$id', 'type', 'properties', 'additionalProperties']);
  const { unsigned, ...claims } = properties;
  requireClaims(['properties'], claims);
  if (unsigned === undefined) return;
  const path = ['properties', 'unsigned'];
  requireKeywords(path, unsigned, ['type', 'properties', 'additionalProperties']);
  requireClaims([...path, 'properties'], unsigned.properties);
}

function requireClaims(path: readonly string[], claims: Readonly<Record<string, object>>): void {
  for (const [name, claim] of Object.entries(claims)) requireKeywords([...path, name], claim, ['type']);
}

function requireKeywords(path: readonly string[], schema: object, known: readonly string[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (known.includes(keyword)) continue;
    const annotation = Object.hasOwn(annotations, keyword) ? annotations[keyword] : undefined;
    if (annotation === undefined) {
      const all = [...known, ...Object.keys(annotations)].join(', ');
      throw wrong([...path, keyword], `is not known; known: ${all}`);
    }
    if (!annotation.holds(value)) throw wrong([...path, keyword], `must be ${annotation.must}`);
  }
}

function wrong(path: readonly string[], message: string) {
  return refusal(400, `body ${['jsonSchema', ...path].join('.')} ${message}`);
}
