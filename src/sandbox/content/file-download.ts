import { spaceById } from '../records/space.js';
import { type Download, openKey } from '../server/downloads.js';
import { fileByVersion } from './versions.js';
import { nameOf } from './view.js';

export const fileDownload: Download = {
  url: '/files/:key/:name',
  serve(db, { key = '' }) {
    const [spaceId = '', version] = openKey(db, 'file', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const file = fileByVersion(db, Number(version));
    const sql = 'SELECT base64 FROM file_versions WHERE id = ? AND space_id = ?';
    const row = db.get<{ base64: string }>(sql, Number(version), spaceId);
    if (file === undefined || row === undefined) return undefined;
    const charset = file.content_type.startsWith('text/') ? '; charset=utf-8' : '';
    const bytes = Buffer.from(row.base64, 'base64');
    return { bytes, contentType: file.content_type + charset, name: nameOf(file.path) };
  },
};
