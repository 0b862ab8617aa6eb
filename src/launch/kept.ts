import fs from 'node:fs';
import { type First, firstFile, type Kept, type Pack } from './pack.js';

/**
 * For Node 20, and to be removed with it: reads the code cache (code-cache.ts) in the usual case. In any other,
 * `load.ts` does the same, tells what is wrong, and mends it.
 */

/** The first file with its code from the cache; undefined if anything is unusual. */
export function keptFirst(): First | undefined {
  const { env, platform, version, arch } = process;
  if (!version.startsWith('v20.') || platform === 'win32' || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const cache = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : `${env.HOME}/.cache`;
  // The path as it stands and as `join` makes it may be different ones.
  if (!cache.startsWith('/') || cache.includes('/..')) return undefined;
  try {
    const kept = open(`${cache}/docs/code`, `${version}-${arch}.bin`);
    const pack = kept && keptPack(kept, firstFile, __dirname);
    return pack && { pack, kept };
  } catch {
    return undefined;
  }
}

/**
 * A file of the build with its code from the cache, if that is of exactly this source.
 * @throws Error if the cache is damaged
 */
export function keptPack(
  { entries, base, bytes, isAt, scripts }: Kept,
  file: string,
  folder: string,
): Pack | undefined {
  const entry = entries[file] as [number, number, number] | undefined;
  if (entry === undefined) return undefined;
  const [start, length, dataLength] = entry;
  const filename = `${folder}/${file}`;
  const bytesOfFile = fs.readFileSync(filename);
  if (bytesOfFile.length !== length || !isAt(base + start, bytesOfFile)) return undefined;
  const cachedData = bytes(base + start + length, dataLength);
  if (!isAt(base + start + length + dataLength, cachedData)) return undefined;
  // The build is ASCII.
  const source = bytesOfFile.toString('latin1');
  const { Script } = process.getBuiltinModule('node:vm');
  const script = new Script(source, { filename, cachedData });
  if (script.cachedDataRejected) return undefined;
  scripts.set(file, { source, script });
  return script.runInThisContext() as Pack;
}

/** Opens the cache if only this user can write to it, and it need not be renewed. @throws the system's error */
function open(folder: string, name: string): Kept | undefined {
  const { S_IFMT, S_IFDIR, S_IFREG, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = fs.constants;
  const uid = process.getuid?.();
  const above = fs.lstatSync(folder);
  if (above.uid !== uid || (above.mode & (S_IFMT | 0o022)) !== S_IFDIR) return undefined;
  const fd = fs.openSync(`${folder}/${name}`, O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  const { uid: owner, mode, mtimeMs } = fs.fstatSync(fd);
  if (owner !== uid || (mode & (S_IFMT | 0o022)) !== S_IFREG || Date.now() - mtimeMs > 86_400_000) {
    fs.closeSync(fd);
    return undefined;
  }
  const bytes = (start: number, length: number): Buffer => {
    const read = Buffer.allocUnsafeSlow(length);
    if (fs.readSync(fd, read, 0, length, start) !== length) throw new Error('The file is too short.');
    return read;
  };
  // Each comparison uses the same memory: to touch new memory costs more than to read.
  const part = Buffer.allocUnsafeSlow(65_536);
  const isAt = (start: number, wanted: Buffer): boolean => {
    for (let done = 0; done < wanted.length; done += part.length) {
      const end = Math.min(done + part.length, wanted.length);
      const read = fs.readSync(fd, part, 0, end - done, start + done);
      if (part.compare(wanted, done, end, 0, read) !== 0) return false;
    }
    return true;
  };
  const [a = 0, b = 0, c = 0, d = 0] = bytes(0, 4);
  const length = a | (b << 8) | (c << 16) | (d << 24);
  return {
    entries: JSON.parse(bytes(4, length).toString()),
    base: 4 + length,
    bytes,
    isAt,
    scripts: new Map(),
  };
}
