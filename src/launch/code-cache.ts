import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { settingsPaths } from '../settings/paths.js';

/**
 * V8's compiled code of the build, kept in the user's cache folder in one file: the length of a header,
 * the header as JSON, the data of each script. It can be lost at any time; whatever is wrong with it,
 * the program runs without it and says nothing.
 */

/** Where a script's data stands, its checksum, and the checksum of the source it was made from. */
type Entry = readonly [start: number, length: number, crc: number, sourceCrc: number];

type World = Pick<NodeJS.Process, 'env' | 'platform' | 'arch' | 'version'>;

/** Beyond this the file is begun anew: old builds would pile up in it. */
const largestBytes = 24 * 1024 * 1024;

/**
 * The cache of this user and this Node.
 * @returns undefined where there is to be none: NODE_DISABLE_COMPILE_CACHE is set, or there is no home
 */
export function openCodeCache(world: World): CodeCache | undefined {
  if (world.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    const folder = join(settingsPaths(world).cacheDir, 'code');
    return new CodeCache(folder, join(folder, `${world.version}-${world.arch}.bin`));
  } catch {
    return undefined;
  }
}

export class CodeCache {
  readonly folder: string;
  readonly #file: string;
  readonly #fd: number | undefined;
  #entries: Record<string, Entry> = {};
  /** Where in the file the data begins. */
  #base = 0;
  /** Scripts that were compiled from their source, with its checksum. */
  readonly #missed = new Map<string, number>();

  constructor(folder: string, file: string) {
    this.folder = folder;
    this.#file = file;
    this.#fd = openOwn(file);
    try {
      if (this.#fd !== undefined) [this.#entries, this.#base] = readHeader(this.#fd);
    } catch {
      // Half a file: everything is compiled, and saved anew.
    }
  }

  /** What V8 made of this very source; undefined where it is not known, or not whole. */
  find(name: string, source: string): Buffer | undefined {
    const entry = this.#entries[name];
    return entry !== undefined && crc32(source) === entry[3] ? this.#dataOf(entry) : undefined;
  }

  #dataOf([start, length, crc]: Entry): Buffer | undefined {
    try {
      const data = this.#fd === undefined ? undefined : readAt(this.#fd, this.#base + start, length);
      return data !== undefined && crc32(data) === crc ? data : undefined;
    } catch {
      return undefined; // No place in any file.
    }
  }

  miss(name: string, source: string): void {
    this.#missed.set(name, crc32(source));
  }

  /**
   * Keeps what was compiled, beside what was known; replaces the file in one step. Does nothing where all
   * was known.
   */
  save(scripts: ReadonlyMap<string, Script>): void {
    if (this.#missed.size === 0) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (!isOwn(statSync(this.folder))) return;
      writeFileSync(temporary, whole(this.#kept(scripts)), { mode: 0o600, flag: 'wx' });
      // Windows replaces no file that is open.
      if (this.#fd !== undefined) closeSync(this.#fd);
      renameSync(temporary, this.#file);
    } catch {
      removeQuietly(temporary);
    }
  }

  /** The data of all scripts: of those that ran now with the functions that were compiled meanwhile. */
  #kept(scripts: ReadonlyMap<string, Script>): Map<string, [Buffer, number]> {
    const all = new Map<string, [Buffer, number]>();
    let bytes = 0;
    for (const [name, script] of scripts) {
      const sourceCrc = this.#missed.get(name) ?? this.#entries[name]?.[3];
      if (sourceCrc === undefined) continue;
      const data = script.createCachedData();
      bytes += data.length;
      all.set(name, [data, sourceCrc]);
    }
    for (const [name, entry] of Object.entries(this.#entries)) {
      const data = all.has(name) || bytes > largestBytes ? undefined : this.#dataOf(entry);
      if (data === undefined) continue;
      bytes += data.length;
      all.set(name, [data, entry[3]]);
    }
    return all;
  }
}

function whole(all: ReadonlyMap<string, readonly [Buffer, number]>): Buffer {
  let start = 0;
  const entries: [string, Entry][] = [];
  for (const [name, [data, sourceCrc]] of all) {
    entries.push([name, [start, data.length, crc32(data), sourceCrc]]);
    start += data.length;
  }
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, ...[...all.values()].map(([data]) => data)]);
}

/** The entries, and where their data begins. */
function readHeader(fd: number): [Record<string, Entry>, number] {
  const length = readAt(fd, 0, 4)?.readUInt32LE() ?? 0;
  const header = length > largestBytes ? undefined : readAt(fd, 4, length);
  if (header === undefined) return [{}, 0];
  const entries = Object.entries(JSON.parse(header.toString('latin1')) as object).filter(isEntry);
  return [Object.fromEntries(entries), 4 + length];
}

function isEntry(pair: [string, unknown]): pair is [string, Entry] {
  const [, entry] = pair;
  return Array.isArray(entry) && entry.length === 4 && entry.every(Number.isInteger);
}

/** The bytes at a place; undefined where the file ends before. */
function readAt(fd: number, start: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(fd, bytes, 0, length, start) === length ? bytes : undefined;
}

/** Opens a file that nobody else can have written: it is run. */
function openOwn(file: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    if (isOwn(fstatSync(fd))) return fd;
  } catch {
    // There is none yet.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it cannot be, there is none.
  }
}

/** Windows keeps a user's folder to that user; elsewhere owner and mode say whose it is. */
function isOwn({ uid, mode }: { uid: number; mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
