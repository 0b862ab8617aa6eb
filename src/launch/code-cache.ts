import fs from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { DocsError } from '../base/errors.js';
import { makeFolders, openOwnFile, removeQuietly } from '../base/own-files.js';
import {
  type Begun,
  build,
  type Compiled,
  type Entry,
  type Header,
  type Modules,
  type Pack,
  type Stamp,
} from './pack.js';

/** For Node 20, and to be removed with it: reads files of the build with compiled code from our own cache. */
export class Scripts {
  readonly #folder: string;
  readonly #cache: CodeCache | undefined;
  /** By file name. */
  readonly #scripts: Map<string, Compiled>;

  /** @param begun what was read without it, and what is loaded: for the next save */
  constructor(folder: string, cache?: CodeCache, begun?: Begun) {
    this.#folder = folder;
    this.#cache = cache;
    this.#scripts = new Map(begun?.kept?.scripts);
    if (begun !== undefined) process.once('exit', () => cache?.save(this.#scripts, begun.modules));
  }

  read(file: string): Pack {
    const filename = join(this.#folder, file);
    const source = fs.readFileSync(filename);
    const stamp = [source.length, fs.statSync(filename).mtimeMs] as const;
    const cachedData = this.#cache?.find(file, stamp);
    // The build is ASCII, so latin1 saves decoding UTF-8.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    const pack = script.runInThisContext() as Pack;
    this.#scripts.set(file, { stamp, script, pack });
    return pack;
  }
}

/**
 * For Node 20, and to be removed with it: from 22.1 on, Node keeps such a cache itself (load.ts).
 *
 * V8's compiled code of the build, cached in one file in the user's cache folder. It may disappear at any
 * time; on any problem the program silently runs without it, unless something stands in place of the file that
 * is none: somebody put it there.
 *
 * The file: the length of a header; the header as JSON; for each script its data, and the data again. V8 checks only
 * the length of the source, and nothing of the data. So a source is known by build, size and time, and the data is
 * compared, which costs less than loading a module for checksums.
 */

type World = Pick<NodeJS.Process, 'arch' | 'version'>;

/** How often newly compiled functions are added, in milliseconds. */
const renewedMs = 86_400_000;

/** Processor time after which V8 may have dropped functions that did not run for a while, in microseconds. */
const longUs = 1_000_000;

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
  /** The position of the first data in the file. */
  #base = 0;

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

  /** V8's data for exactly this file; undefined if it is missing or damaged. */
  find(name: string, [size, modifiedMs]: Stamp): Buffer | undefined {
    const entry = this.#entry(name);
    return entry?.[2] === size && entry[3] === modifiedMs ? this.#data(entry) : undefined;
  }

  /**
   * Replaces the file atomically. If it has the code of each module that was loaded, only once a day, to add functions
   * compiled since. In a long run V8 has dropped functions meanwhile: it adds nothing to a file of which the cache has code,
   * and what it adds counts as not loaded, so that the next run adds its own.
   */
  save(scripts: ReadonlyMap<string, Compiled>, modules: Modules): void {
    const isLong = process.cpuUsage().user > longUs;
    const own = [...scripts].filter(([, { script }]) => !isLong || !isCached(script));
    const compiled: Modules = isLong ? new Map() : modules;
    const remade = own.map(([name, each]): Remade => [name, each, this.#loaded(name, each, compiled)]);
    const isHad = ([name, { script }, loaded]: Remade): boolean =>
      isCached(script) && this.#entry(name)?.[4] === loaded;
    if (!this.#isOld() && remade.every(isHad)) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      makeFolders(this.#folder, 0o700);
      if (!isOwnFolder(this.#folder)) return;
      fs.writeFileSync(temporary, whole(this.#all(remade)), { mode: 0o600, flag: 'wx' });
      // Windows does not replace an open file.
      if (this.#fd !== undefined) fs.closeSync(this.#fd);
      fs.renameSync(temporary, this.#file);
    } catch {
      removeQuietly(temporary);
    }
  }

  /** Which modules of a file a run has loaded: this one, or one of whose code its own was made. */
  #loaded(name: string, { script, pack }: Compiled, modules: Modules): string {
    const before = isCached(script) ? (this.#entry(name)?.[4] ?? '') : '';
    const names = pack.filter((part) => typeof part === 'string');
    return names.map((module, at) => (before[at] === '1' || modules.has(module) ? '1' : '0')).join('');
  }

  #entry(name: string): Entry | undefined {
    const entry = this.#entries[name];
    return isEntry(entry) ? entry : undefined;
  }

  #isOld(): boolean {
    return this.#fd !== undefined && Date.now() - this.#writtenMs > renewedMs;
  }

  /** The cached bytes of a script; undefined if they are missing or damaged. */
  #data([start, length]: Entry): Buffer | undefined {
    if (this.#fd === undefined) return undefined;
    try {
      const bytes = readAt(this.#fd, this.#base + start, 2 * length);
      const data = bytes?.subarray(0, length);
      return data?.equals(bytes?.subarray(length) ?? data) ? data : undefined;
    } catch {
      return undefined; // The position is outside the file.
    }
  }

  /** Scripts of this run, with the functions compiled meanwhile; then the others. */
  #all(remade: readonly Remade[]): Map<string, Data> {
    const all = new Map<string, Data>();
    for (const [name, { stamp, script }, loaded] of remade)
      all.set(name, { stamp, loaded, data: script.createCachedData() });
    for (const name of Object.keys(this.#entries)) {
      const entry = all.has(name) ? undefined : this.#entry(name);
      const data = entry && this.#data(entry);
      if (entry !== undefined && data !== undefined)
        all.set(name, { stamp: [entry[2], entry[3]], loaded: entry[4], data });
    }
    return all;
  }
}

/** A script of this run, and which of its modules are loaded. */
type Remade = readonly [name: string, script: Compiled, loaded: string];

interface Data {
  stamp: Stamp;
  loaded: string;
  data: Buffer;
}

function whole(all: ReadonlyMap<string, Data>): Buffer {
  let start = 0;
  const entries: [string, Entry][] = [];
  for (const [name, { stamp, loaded, data }] of all) {
    entries.push([name, [start, data.length, ...stamp, loaded]]);
    start += 2 * data.length;
  }
  const longest = Math.max(0, ...[...all.values()].flatMap(({ stamp, data }) => [stamp[0], data.length]));
  const header: Header = { build, longest, entries: Object.fromEntries(entries) };
  const top = Buffer.from(JSON.stringify(header), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(top.length);
  return Buffer.concat([length, top, ...[...all.values()].flatMap(({ data }) => [data, data])]);
}

function isCached({ cachedDataRejected }: Script): boolean {
  return cachedDataRejected === false;
}

/** The entries, and the position of the first data. None of another build. */
function readHeader(fd: number): [Record<string, unknown>, number] {
  const length = readAt(fd, 0, 4)?.readUInt32LE() ?? 0;
  const text = length < fs.fstatSync(fd).size ? readAt(fd, 4, length) : undefined;
  const header = text && (JSON.parse(text.toString('latin1')) as Partial<Header> | null);
  return [header?.build === build ? (header.entries ?? {}) : {}, 4 + length];
}

function isEntry(entry: unknown): entry is Entry {
  return (
    Array.isArray(entry) &&
    entry.length === 5 &&
    entry.every((part, at) => (at === 4 ? typeof part === 'string' : Number.isFinite(part)))
  );
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
