import fs from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { DocsError } from '../base/errors.js';
import { makeFolders, openOwnFile } from '../base/own-files.js';
import type { Compiled, Pack } from './pack.js';

/** For Node 20, and to be removed with it: reads files of the build with compiled code from our own cache. */
export class Scripts {
  readonly #folder: string;
  readonly #cache: CodeCache | undefined;
  /** By file name. */
  readonly #scripts = new Map<string, Script>();

  constructor(folder: string, cache?: CodeCache) {
    this.#folder = folder;
    this.#cache = cache;
    if (cache !== undefined) process.once('exit', () => cache.save(this.#scripts));
  }

  /** Takes over what was read without it, for the next save. */
  take(done: ReadonlyMap<string, Compiled>): void {
    for (const [file, { source, script }] of done) {
      this.#cache?.find(file, Buffer.from(source, 'latin1'));
      this.#scripts.set(file, script);
    }
  }

  read(file: string): Pack {
    const filename = join(this.#folder, file);
    const source = fs.readFileSync(filename);
    const cachedData = this.#cache?.find(file, source);
    // The build is ASCII, so latin1 saves decoding UTF-8.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache?.miss(file, source);
    this.#scripts.set(file, script);
    return script.runInThisContext() as Pack;
  }
}

/**
 * For Node 20, and to be removed with it: from 22.1 on, Node keeps such a cache itself (load.ts).
 *
 * V8's compiled code of the build, cached in one file in the user's cache folder. It may disappear at any
 * time; on any problem the program silently runs without it, unless something stands in place of the file that
 * is none: somebody put it there.
 *
 * The file: the length of a header; the header as JSON; for each script its source, its data, and the data
 * again. V8 checks only the length of the source, and nothing of the data. Comparing all bytes costs less
 * than loading a module for checksums.
 */

/** In bytes; `start` is where the script's source begins, `length` that of the data. */
type Entry = readonly [start: number, sourceLength: number, length: number];

/** The cached bytes of a script. */
interface Kept {
  source: Buffer;
  data: Buffer;
}

type World = Pick<NodeJS.Process, 'arch' | 'version'>;

/** A larger file is started over, since old builds accumulate in it. */
const largestBytes = 48 * 1024 * 1024;
/** How often newly compiled functions are added, in milliseconds. */
const renewedMs = 86_400_000;

/**
 * The cache of this version of Node.
 * @throws DocsError configuration `unsafe_path`
 */
export function openCodeCache(folder: string, { version, arch }: World): CodeCache {
  return new CodeCache(folder, join(folder, `${version}-${arch}.bin`));
}

class CodeCache {
  readonly #folder: string;
  readonly #file: string;
  readonly #fd: number | undefined;
  /** When the file was written, in milliseconds. */
  #writtenMs = 0;
  #entries: Readonly<Record<string, unknown>> = {};
  /** The position of the first source in the file. */
  #base = 0;
  /** The sources of this run's scripts. */
  readonly #sources = new Map<string, Buffer>();
  #worthSaving = false;

  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
    const opened = isOwnFolder(folder) ? openOwn(file) : undefined;
    this.#fd = opened?.fd;
    try {
      if (opened === undefined) return;
      this.#writtenMs = opened.writtenMs;
      [this.#entries, this.#base] = readHeader(opened.fd);
    } catch {
      // The file is damaged: everything is compiled and saved again.
    }
  }

  /** V8's data for exactly this source; undefined if it is missing or damaged. */
  find(name: string, source: Buffer): Buffer | undefined {
    this.#sources.set(name, source);
    const kept = this.#kept(name);
    return kept?.source.equals(source) ? kept.data : undefined;
  }

  /** Records that a script was compiled without cached data. */
  miss(name: string, source: Buffer): void {
    this.#sources.set(name, source);
    this.#worthSaving = true;
  }

  /** Replaces the file atomically. If every script came from it, only once a day, to add functions compiled since. */
  save(scripts: ReadonlyMap<string, Script>): void {
    if (!this.#worthSaving && !this.#isOld()) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      makeFolders(this.#folder, 0o700);
      if (!isOwnFolder(this.#folder)) return;
      fs.writeFileSync(temporary, whole(this.#all(scripts)), { mode: 0o600, flag: 'wx' });
      // Windows does not replace an open file.
      if (this.#fd !== undefined) fs.closeSync(this.#fd);
      fs.renameSync(temporary, this.#file);
    } catch {
      removeQuietly(temporary);
    }
  }

  #isOld(): boolean {
    return this.#fd !== undefined && Date.now() - this.#writtenMs > renewedMs;
  }

  /** The cached bytes of a script; undefined if they are missing or damaged. */
  #kept(name: string): Kept | undefined {
    const entry = this.#entries[name];
    if (this.#fd === undefined || !isEntry(entry)) return undefined;
    const [start, sourceLength, length] = entry;
    try {
      const bytes = readAt(this.#fd, this.#base + start, sourceLength + 2 * length);
      const data = bytes?.subarray(sourceLength, sourceLength + length);
      if (bytes === undefined || !data?.equals(bytes.subarray(sourceLength + length))) return undefined;
      return { source: bytes.subarray(0, sourceLength), data };
    } catch {
      return undefined; // The position is outside the file.
    }
  }

  /** The scripts of this run, with the functions compiled meanwhile; then the others. */
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
  const bodies = [...all.values()].flatMap(({ source, data }) => [source, data, data]);
  return Buffer.concat([length, header, ...bodies]);
}

/** The entries, and the position of the first source. */
function readHeader(fd: number): [Record<string, unknown>, number] {
  const length = readAt(fd, 0, 4)?.readUInt32LE() ?? 0;
  const header = length > largestBytes ? undefined : readAt(fd, 4, length);
  if (header === undefined) return [{}, 0];
  const entries = JSON.parse(header.toString('latin1')) as Record<string, unknown> | null;
  return [entries ?? {}, 4 + length];
}

function isEntry(entry: unknown): entry is Entry {
  return Array.isArray(entry) && entry.length === 3 && entry.every(Number.isInteger);
}

/** The bytes at a position; undefined if the file is too short. */
function readAt(fd: number, start: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return fs.readSync(fd, bytes, 0, length, start) === length ? bytes : undefined;
}

/**
 * Opens the file if only this user can write to it, since its content is executed.
 * @throws DocsError configuration `unsafe_path`
 */
function openOwn(file: string): { fd: number; writtenMs: number } | undefined {
  let fd: number | undefined;
  try {
    fd = openOwnFile(file);
    if (fd === undefined) return undefined;
    const stats = fs.fstatSync(fd);
    if (isOwn(stats)) return { fd, writtenMs: stats.mtimeMs };
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    // It cannot be read, and will be replaced.
  }
  if (fd !== undefined) fs.closeSync(fd);
  return undefined;
}

function removeQuietly(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The next save tries again under another name.
  }
}

/** Whether a folder is this user's, and nobody else can write to it. A link may lead to one whose files others exchange. */
function isOwnFolder(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOwn(stats);
}

/** On Windows only the user has access to their folder; elsewhere owner and mode decide. */
function isOwn({ uid, mode }: { uid: number; mode: number }, others = 0o022): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & others) === 0);
}

/** Whether a folder is this user's, and closed to everybody else. */
export function isPrivateFolder(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOwn(stats, 0o077);
}
