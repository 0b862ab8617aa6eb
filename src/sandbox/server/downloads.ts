import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../store/database.js';

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
  return given.length === right.length && timingSafeEqual(given, right) ? ids : undefined;
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
  return createHmac('sha256', secret).update(message).digest('hex').slice(0, 40);
}

/** RFC 8187 also encodes characters that encodeURIComponent leaves alone. */
function encodeName(name: string): string {
  const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()*]/g, escaped);
}
