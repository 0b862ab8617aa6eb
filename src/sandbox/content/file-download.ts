import { spaceById } from '../records/space.js';
import { type Download, openKey, sealKey } from '../server/downloads.js';
import type { Database } from '../store/database.js';
import { type FileRow, fileByVersion, nameOf } from './versions.js';

export const fileDownload: Download = {
  path: '/files/{key}/{name}',
  serve(db, { key = '' }) {
    const [spaceId = '', version] = openKey(db, 'file', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const file = fileByVersion(db, Number(version));
    const bytes = bytesOf(db, spaceId, Number(version));
    if (file === undefined || bytes === undefined) return undefined;
    const charset = file.content_type.startsWith('text/') ? '; charset=utf-8' : '';
    return { bytes, contentType: file.content_type + charset, name: nameOf(file.path) };
  },
};

/** The URL of the bytes of a file, at this sandbox. */
export function fileUrl(db: Database, spaceId: string, origin: string, { version, path }: FileRow): string {
  const key = sealKey(db, 'file', [spaceId, String(version)]);
  return `${origin}/files/${key}/${encoded(nameOf(path))}`;
}

/** Also of what ends an address in a text: quotes and brackets. */
function encoded(name: string): string {
  const code = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()]/g, code);
}

/** The bytes of a version of a file in a space. */
export function bytesOf(db: Database, spaceId: string, version: number): Uint8Array | undefined {
  const sql = 'SELECT base64 FROM file_versions WHERE id = ? AND space_id = ?';
  const row = db.get<{ base64: string }>(sql, version, spaceId);
  return row && Buffer.from(row.base64, 'base64');
}
