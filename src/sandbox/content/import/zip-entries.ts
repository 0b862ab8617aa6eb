import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { refusal } from '../../refusal.js';

export interface ZipEntry {
  path: string[];
  bytes: Uint8Array;
}

/** Limits of an archive: unpacked bytes of all files and of one, number of entries, depth of paths. */
export const zipLimits = { allBytes: 50 * 1024 * 1024, fileBytes: 10 * 1024 * 1024, files: 5000, depth: 20 };

/**
 * Reads the files of a ZIP archive, in the order of its directory. Skips folders and what
 * systems add to archives (`__MACOSX`, names that start with a dot).
 * @throws 400 if it is not an archive, is damaged, encrypted, compressed other than by deflate, or exceeds
 *   `zipLimits`; if a path points outside it, or an entry is a link
 */
export async function zipEntries(archive: Uint8Array): Promise<ZipEntry[]> {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const { fromBufferPromise, getFileNameLowLevel } = await import('yauzl');
  // Names stay bytes: yauzl would refuse unsafe ones in its own words.
  const options = { decodeStrings: false, validateEntrySizes: false };
  const zip = await fromBufferPromise(data, options).catch((): never => {
    throw broken('it is not a ZIP archive');
  });
  if (zip.entryCount > zipLimits.files) {
    throw broken(`it has ${zip.entryCount} entries; the limit is ${zipLimits.files}`);
  }
  const files = new Map<string, ZipEntry>();
  let left = zipLimits.allBytes;
  for await (const entry of readable(zip)) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    const full = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
    const path = safePath(full, entry.externalFileAttributes >>> 16);
    if (/[/\\]$/.test(full) || isDebris(path)) continue;
    const name = path.join('/');
    if (files.has(name)) throw broken(`it contains ${JSON.stringify(name)} twice`);
    const bytes = unpack(
      await packedBytes(zip, data, entry, full),
      entry,
      full,
      Math.min(left, zipLimits.fileBytes),
    );
    left -= bytes.length;
    files.set(name, { path, bytes });
  }
  return [...files.values()];
}

async function* readable(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    const { value, done } = await entries.next().catch((): never => {
      throw broken('its directory is damaged');
    });
    if (done) return;
    yield value;
  }
}

/** The segments of a path. @throws 400 if it points outside the archive, or belongs to a link */
function safePath(name: string, unixMode: number): string[] {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');
  if (parts.at(-1) === '') parts.pop();
  const leadsOut = parts.some((part) => part === '' || part === '..' || part.includes('\0'));
  if (leadsOut || /^[a-z]:/i.test(name)) throw broken(`the path ${JSON.stringify(name)} points outside it`);
  if ((unixMode & 0xf000) === 0xa000) throw broken(`${JSON.stringify(name)} is a link`);
  if (parts.length > zipLimits.depth) throw broken(`${JSON.stringify(name)} is nested too deeply`);
  return parts;
}

function isDebris(path: readonly string[]): boolean {
  return path.some((part) => part === '__MACOSX' || part.startsWith('.'));
}

async function packedBytes(zip: ZipFile, data: Buffer, entry: Entry, name: string): Promise<Uint8Array> {
  const { fileDataStart } = await zip
    .readLocalFileHeaderPromise(entry, { minimal: true })
    .catch((): never => {
      throw damaged(name);
    });
  return data.subarray(fileDataStart, fileDataStart + entry.compressedSize);
}

function unpack(packed: Uint8Array, entry: Entry, name: string, most: number): Uint8Array {
  if (entry.isEncrypted()) throw broken(`${JSON.stringify(name)} is encrypted`);
  if (entry.uncompressedSize > most) throw tooLarge(name);
  const bytes = inflate(packed, entry.compressionMethod, name, most);
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw damaged(name);
  return bytes;
}

/** Stops at `most` bytes, whatever size the directory states. */
function inflate(packed: Uint8Array, method: number, name: string, most: number): Uint8Array {
  if (method === 0) return packed;
  if (method !== 8) throw broken(`${JSON.stringify(name)} is compressed with a method other than deflate`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw damaged(name);
  }
}

function damaged(name: string) {
  return broken(`${JSON.stringify(name)} is damaged`);
}

function tooLarge(name: string) {
  const [file, all] = [zipLimits.fileBytes, zipLimits.allBytes].map((bytes) => bytes / 1024 / 1024);
  return broken(
    `${JSON.stringify(name)} is too large; the limits are ${file} MB per file and ${all} MB in total`,
  );
}

function broken(why: string) {
  return refusal(400, `Cannot import the archive: ${why}.`);
}
