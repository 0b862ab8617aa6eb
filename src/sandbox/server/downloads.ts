import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../store/database.js';

/** Bytes served without a token, at an address that cannot be guessed. */
export interface Download {
  /** Route, such as `/files/:key/:name`. */
  url: string;
  /** The file at that address, or undefined. */
  serve(db: Database, parameters: Readonly<Record<string, string>>): DownloadedFile | undefined;
}

export interface DownloadedFile {
  bytes: Uint8Array;
  contentType: string;
  name: string;
}

/**
 * A key for an address: the ids, signed with a secret of this database, which exports do not contain.
 * @param kind what the key opens; a key of one kind does not open another
 * @param ids as the platform's are: letters, digits, `_` and `-`
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

/** Headers that make browsers save the file instead of running it in this origin. */
export function downloadHeaders({ name, contentType }: DownloadedFile): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
}

function sign(db: Database, kind: string, ids: readonly string[]): string {
  const secret = db.remember('download secret', () => {
    const row = db.get<{ value: string }>("SELECT value FROM local_state WHERE key = 'download_secret'");
    if (row === undefined) throw new Error('The database has no secret for downloads.');
    return row.value;
  });
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, ...ids]))
    .digest('hex')
    .slice(0, 40);
}

/** RFC 8187 also encodes characters that encodeURIComponent leaves alone. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
