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
import { settingsPaths } from '../settings/paths.js';

/**
 * V8's compiled code of the build, kept in the user's cache folder in one file. It can be lost at any
 * time; whatever is wrong with it, the program runs without it and says nothing.
 *
 * The file: the length of a header; the header as JSON; for each script its source, its data, and its
 * data once more. V8 itself compares no more than the length of the source, and of the data nothing. To
 * compare all of it costs less than to load what makes checksums.
 */

/** Where a script's source stands, and how long source and data are. */
type Entry = readonly [start: number, sourceLength: number, length: number];

/** What is kept of a script. */
interface Kept {
  source: Buffer;
  data: Buffer;
}

type World = Pick<NodeJS.Process, 'env' | 'platform' | 'arch' | 'version'>;

/** Beyond this the file is begun anew: old builds would pile up in it. */
const largestBytes = 48 * 1024 * 1024;
/** How often what was compiled since is added, in milliseconds. */
const renewedMs = 86_400_000;

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
  readonly #folder: string;
  readonly #file: string;
  readonly #fd: number | undefined;
  #entries: Record<string, Entry> = {};
  /** Where in the file the first source stands. */
  #base = 0;
  /** Sources of the scripts of this run. */
  readonly #sources = new Map<string, Buffer>();
  #worthSaving = false;

  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
    this.#fd = openOwn(file);
    try {
      if (this.#fd !== undefined) [this.#entries, this.#base] = readHeader(this.#fd);
    } catch {
      // Half a file: everything is compiled, and saved anew.
    }
  }

  /** What V8 made of this very source; undefined where it is not known, or not whole. */
  find(name: string, source: Buffer): Buffer | undefined {
    this.#sources.set(name, source);
    const kept = this.#kept(name);
    return kept?.source.equals(source) ? kept.data : undefined;
  }

  /** A script was compiled from its source. */
  miss(name: string, source: Buffer): void {
    this.#sources.set(name, source);
    this.#worthSaving = true;
  }

  /**
   * Keeps what was compiled, beside what was known; replaces the file in one step. Does nothing where all
   * was known, but for once a day: then the functions that were compiled since are added.
   */
  save(scripts: ReadonlyMap<string, Script>): void {
    if (!this.#worthSaving && !this.#isOld()) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (!isOwn(statSync(this.#folder))) return;
      writeFileSync(temporary, whole(this.#all(scripts)), { mode: 0o600, flag: 'wx' });
      // Windows replaces no file that is open.
      if (this.#fd !== undefined) closeSync(this.#fd);
      renameSync(temporary, this.#file);
    } catch {
      removeQuietly(temporary);
    }
  }

  #isOld(): boolean {
    return this.#fd !== undefined && Date.now() - fstatSync(this.#fd).mtimeMs > renewedMs;
  }

  /** What the file has of a script; undefined where it is not whole. */
  #kept(name: string): Kept | undefined {
    const entry = this.#entries[name];
    if (this.#fd === undefined || entry === undefined) return undefined;
    const [start, sourceLength, length] = entry;
    try {
      const bytes = readAt(this.#fd, this.#base + start, sourceLength + 2 * length);
      const data = bytes?.subarray(sourceLength, sourceLength + length);
      if (bytes === undefined || !data?.equals(bytes.subarray(sourceLength + length))) return undefined;
      return { source: bytes.subarray(0, sourceLength), data };
    } catch {
      return undefined; // No place in any file.
    }
  }

  /** The scripts of this run, with the functions that were compiled meanwhile; then the others. */
  #all(scripts: ReadonlyMap<string, Script>): Map<string, Kept> {
    const all = new Map<string, Kept>();
    let bytes = 0;
    const add = (name: string, kept: Kept | undefined): void => {
      if (kept === undefined || all.has(name) || bytes > largestBytes) return;
      all.set(name, kept);
      bytes += kept.source.length + 2 * kept.data.length;
    };
    for (const [name, script] of scripts) {
      const source = this.#sources.get(name);
      if (source !== undefined) add(name, { source, data: script.createCachedData() });
    }
    for (const name of Object.keys(this.#entries)) add(name, this.#kept(name));
    return all;
  }
}

function whole(all: ReadonlyMap<string, Kept>): Buffer {
  let start = 0;
  const entries: [string, Entry][] = [];
  for (const [name, { source, data }] of all) {
    entries.push([name, [start, source.length, data.length]]);
    start += source.length + 2 * data.length;
  }
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([
    length,
    header,
    ...[...all.values()].flatMap(({ source, data }) => [source, data, data]),
  ]);
}

/** The entries, and where the first source stands. */
function readHeader(fd: number): [Record<string, Entry>, number] {
  const length = readAt(fd, 0, 4)?.readUInt32LE() ?? 0;
  const header = length > largestBytes ? undefined : readAt(fd, 4, length);
  if (header === undefined) return [{}, 0];
  const entries = Object.entries(JSON.parse(header.toString('latin1')) as object).filter(isEntry);
  return [Object.fromEntries(entries), 4 + length];
}

function isEntry(pair: [string, unknown]): pair is [string, Entry] {
  const [, entry] = pair;
  return Array.isArray(entry) && entry.length === 3 && entry.every(Number.isInteger);
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
