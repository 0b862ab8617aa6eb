import fs from 'node:fs';
import { build, type Entry, type First, type FirstFile, type Header, type Kept, type Pack } from './pack.js';

/**
 * For Node 20, and to be removed with it: reads the code cache (code-cache.ts) in the usual case. In any other,
 * `load.ts` does the same, tells what is wrong, and mends it.
 */

/**
 * The first file with its code from the cache; undefined if anything is unusual.
 * @param folder that of the build
 */
export function keptFirst(folder: string, file: FirstFile): First | undefined {
  const { env, platform, version, arch } = process;
  if (!version.startsWith('v20.') || platform === 'win32' || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const cache = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : `${env.HOME}/.cache`;
  // The path as it stands and as `join` makes it may be different ones.
  if (!cache.startsWith('/') || cache.includes('/..')) return undefined;
  try {
    const kept = open(`${cache}/docs/code`, `${version}-${arch}.bin`);
    const pack = kept && keptPack(kept, file, folder);
    return pack && { file, pack, kept, modules: new Map() };
  } catch {
    return undefined;
  }
}

/**
 * A file of the build with its code from the cache, if that was made of this very file.
 * @throws Error if the cache is damaged
 */
export function keptPack(
  { entryOf, base, fd, read, isAt, scripts }: Kept,
  file: string,
  folder: string,
): Pack | undefined {
  const entry = entryOf(file);
  if (entry === undefined) return undefined;
  // By index: to compile the pattern of a list takes several times as long.
  const start = entry[0];
  const length = entry[1];
  const filename = `${folder}/${file}`;
  const sourceFd = fs.openSync(filename, 'r');
  const { size, mtimeMs } = fs.fstatSync(sourceFd);
  const isSame = size === entry[2] && mtimeMs === entry[3];
  // The build is ASCII.
  const source = isSame ? read(sourceFd, 0, size).toString('latin1') : '';
  fs.closeSync(sourceFd);
  if (!isSame) return undefined;
  const cachedData = read(fd, base + start, length);
  if (!isAt(base + start + length, cachedData)) return undefined;
  // Required here: other starts do without it.
  const { Script } = require('node:vm') as typeof import('node:vm');
  const script = new Script(source, { filename, cachedData });
  if (script.cachedDataRejected) return undefined;
  const pack = script.runInThisContext() as Pack;
  scripts.set(file, { stamp: [size, mtimeMs], script, pack });
  return pack;
}

/**
 * Opens the cache if only this user can write to it, it is of this build, and need not be renewed.
 * @throws the system's error
 */
function open(folder: string, name: string): Kept | undefined {
  const { S_IFMT, S_IFDIR, S_IFREG, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = fs.constants;
  const uid = process.getuid?.();
  const above = fs.lstatSync(folder);
  if (above.uid !== uid || (above.mode & (S_IFMT | 0o022)) !== S_IFDIR) return undefined;
  const fd = fs.openSync(`${folder}/${name}`, O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  const { uid: owner, mode, mtimeMs, size } = fs.fstatSync(fd);
  const isOurs = owner === uid && (mode & (S_IFMT | 0o022)) === S_IFREG;
  const kept = isOurs && Date.now() - mtimeMs <= 86_400_000 ? readersOf(fd, size) : undefined;
  if (kept === undefined) fs.closeSync(fd);
  return kept;
}

/** Each call uses the same memory: to touch new memory costs more than to read. */
function readersOf(fd: number, size: number): Kept | undefined {
  const part = Buffer.allocUnsafeSlow(32_768);
  const isAt = (start: number, wanted: Buffer): boolean => {
    for (let done = 0; done < wanted.length; done += part.length) {
      const end = Math.min(done + part.length, wanted.length);
      const count = fs.readSync(fd, part, 0, end - done, start + done);
      if (!part.subarray(0, count).equals(wanted.subarray(done, end))) return false;
    }
    return true;
  };
  // Of a file that was cut off, the rest would be whatever the memory held before.
  if (fs.readSync(fd, part, 0, part.length, 0) < 4) return undefined;
  const base = 4 + new DataView(part.buffer).getUint32(0, true);
  if (base > size) return undefined;
  // As text: for a search in bytes Node compiles functions of its own.
  const json = base > part.length ? headerIn(fd, base) : part.toString('latin1', 4, base);
  const header = JSON.parse(`${json.slice(0, json.indexOf(',"entries":'))}}`) as Header;
  if (header.build !== build) return undefined;
  const entryOf = (file: string): Entry | undefined => {
    const key = `"${file}":`;
    const at = json.indexOf(key);
    return at < 0 ? undefined : JSON.parse(json.slice(at + key.length, json.indexOf(']', at) + 1));
  };
  const memory = Buffer.allocUnsafeSlow(header.longest);
  const read = (from: number, start: number, length: number): Buffer => {
    if (fs.readSync(from, memory, 0, length, start) !== length) throw new Error('The file is too short.');
    return memory.subarray(0, length);
  };
  return { entryOf, base, fd, read, isAt, scripts: new Map() };
}

function headerIn(fd: number, end: number): string {
  const bytes = Buffer.allocUnsafeSlow(end - 4);
  fs.readSync(fd, bytes, 0, bytes.length, 4);
  return bytes.toString('latin1');
}
