import { crc32, inflateRawSync } from 'node:zlib';
import { refusal } from '../../refusal.js';

/** A file of an archive. */
export interface ZipEntry {
  /** Parts of its path. */
  path: string[];
  bytes: Uint8Array;
}

/** Largest that an archive may become, all in all and for one file, and how much it may hold. */
export const zipLimits = { allBytes: 50 * 1024 * 1024, fileBytes: 10 * 1024 * 1024, files: 5000, depth: 20 };

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const fileMark = 0x04034b50;
const endLength = 22;

/** One line of the archive's directory. */
interface DirectoryEntry {
  name: string;
  flags: number;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  unixMode: number;
  offset: number;
}

/**
 * The files of a ZIP archive, in the order of its directory; folders and what systems put beside
 * them (`__MACOSX`, names that begin with a dot) are left out.
 * @throws 400 where it is no archive, is broken, encrypted, in a form other than stored or deflated,
 *   or larger than `zipLimits`; where a path leads out of it, or an entry is a link
 */
export function zipEntries(archive: Uint8Array): ZipEntry[] {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  let left = zipLimits.allBytes;
  const entries: ZipEntry[] = [];
  const seen = new Set<string>();
  for (const entry of directory(data)) {
    const path = safePath(entry);
    if (/[/\\]$/.test(entry.name) || isDebris(path)) continue;
    const name = path.join('/');
    if (seen.has(name)) throw broken(`${JSON.stringify(name)} is in it twice`);
    seen.add(name);
    const bytes = unpack(data, entry, Math.min(left, zipLimits.fileBytes));
    left -= bytes.length;
    entries.push({ path, bytes });
  }
  return entries;
}

function directory(data: Buffer): DirectoryEntry[] {
  const end = findEnd(data);
  const count = data.readUInt16LE(end + 10);
  if (count > zipLimits.files) throw broken(`it holds ${count} files; ${zipLimits.files} are the most`);
  let at = data.readUInt32LE(end + 16);
  const entries: DirectoryEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    need(data, at, 46);
    if (data.readUInt32LE(at) !== entryMark) throw broken('its directory is broken');
    const nameLength = data.readUInt16LE(at + 28);
    need(data, at + 46, nameLength);
    const flags = data.readUInt16LE(at + 8);
    entries.push({
      name: data.toString((flags & 0x800) === 0 ? 'latin1' : 'utf8', at + 46, at + 46 + nameLength),
      flags,
      method: data.readUInt16LE(at + 10),
      checksum: data.readUInt32LE(at + 16),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      unixMode: data.readUInt32LE(at + 38) >>> 16,
      offset: data.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return entries;
}

/** The end of the directory stands at the end of the archive, before a comment of at most 64 KB. */
function findEnd(data: Buffer): number {
  const first = Math.max(0, data.length - endLength - 0xffff);
  for (let at = data.length - endLength; at >= first; at -= 1) {
    if (data.readUInt32LE(at) === endMark) return at;
  }
  throw broken('it is no ZIP archive');
}

/** The parts of a path that stays within the archive. */
function safePath({ name, unixMode }: DirectoryEntry): string[] {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');
  if (parts.at(-1) === '') parts.pop();
  const leadsOut = parts.some((part) => part === '' || part === '..' || part.includes('\0'));
  if (leadsOut || /^[a-z]:/i.test(name)) throw broken(`the path ${JSON.stringify(name)} leads out of it`);
  if ((unixMode & 0xf000) === 0xa000) throw broken(`${JSON.stringify(name)} is a link`);
  if (parts.length > zipLimits.depth) throw broken(`${JSON.stringify(name)} lies too deep`);
  return parts;
}

function isDebris(path: readonly string[]): boolean {
  return path.some((part) => part === '__MACOSX' || part.startsWith('.'));
}

function unpack(data: Buffer, entry: DirectoryEntry, most: number): Uint8Array {
  const { name, flags, method, packed, size, offset } = entry;
  if ((flags & 1) !== 0) throw broken(`${JSON.stringify(name)} is encrypted`);
  if (size > most) throw tooLarge(name);
  need(data, offset, 30);
  if (data.readUInt32LE(offset) !== fileMark) throw broken(`${JSON.stringify(name)} is broken`);
  const start = offset + 30 + data.readUInt16LE(offset + 26) + data.readUInt16LE(offset + 28);
  need(data, start, packed);
  const bytes = inflate(data.subarray(start, start + packed), method, name, most);
  if (bytes.length !== size || crc32(bytes) !== entry.checksum)
    throw broken(`${JSON.stringify(name)} is broken`);
  return bytes;
}

/** Stops at `most` bytes, whatever size the directory told. */
function inflate(packed: Uint8Array, method: number, name: string, most: number): Uint8Array {
  if (method === 0) return packed;
  if (method !== 8) throw broken(`${JSON.stringify(name)} is neither stored nor deflated`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw broken(`${JSON.stringify(name)} is broken`);
  }
}

function need(data: Buffer, at: number, length: number): void {
  if (at + length > data.length) throw broken('it ends too early');
}

function tooLarge(name: string) {
  const [file, all] = [zipLimits.fileBytes, zipLimits.allBytes].map((bytes) => bytes / 1024 / 1024);
  return broken(`${JSON.stringify(name)} is too large: ${file} MB a file and ${all} MB in all are the most`);
}

function broken(why: string) {
  return refusal(400, `The archive cannot be imported: ${why}.`);
}
