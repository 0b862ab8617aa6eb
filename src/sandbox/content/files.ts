import { spaceById } from '../records/space.js';
import { type Download, openKey, sealKey } from '../server/downloads.js';
import type { Database } from '../store/database.js';
import { type FileRow, fileByVersion, nameOf } from './versions.js';

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

export function contentTypeOf(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? 'application/octet-stream';
}

/** Width and height in pixels of a PNG, GIF or JPEG; undefined for anything else. */
export function dimensionsOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length >= 24 && data.readUInt32BE(0) === 0x89504e47) {
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.length >= 10 && /^GIF8[79]a/.test(data.toString('latin1', 0, 6))) {
    return { width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
  }
  return data.length >= 4 && data.readUInt16BE(0) === 0xffd8 ? jpegDimensions(data) : undefined;
}

/** Skips segments until the start of a frame, which contains the dimensions. */
function jpegDimensions(data: Buffer): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] ?? 0;
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

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
function bytesOf(db: Database, spaceId: string, version: number): Uint8Array | undefined {
  const sql = 'SELECT base64 FROM file_versions WHERE id = ? AND space_id = ?';
  const row = db.get<{ base64: string }>(sql, version, spaceId);
  return row && Buffer.from(row.base64, 'base64');
}
