import fs, { type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { type DocsError, notSent, systemCode } from './errors.js';
import { ownCommand, shellWord } from './shell-word.js';

/** Files and folders that docs opens by itself: only regular files, and folders that nobody else can write. */

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = fs.constants;
/** Opening a pipe would wait for its other end. Windows lacks these flags, and such files. */
const quietly = O_NONBLOCK | O_NOCTTY;

interface Opening {
  /** Whether a symbolic link is followed, as for files that people edit and link; default: refused. */
  follow?: boolean;
}

/** Removes a file, if it is there; without `rmSync`, which loads what removes whole folders. @throws the system's error */
export function removeFile(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** The same where nothing depends on it, as on a disk that is read only. */
export function removeQuietly(path: string): void {
  try {
    removeFile(path);
  } catch {
    // It stays until a process that may write finds it.
  }
}

/**
 * Opens a file without waiting.
 * @returns undefined if nothing is there
 * @throws DocsError configuration `unsafe_path` if it is not a regular file; the system's error
 */
export function openOwnFile(path: string, { follow = false }: Opening = {}): number | undefined {
  const flags = O_RDONLY | quietly | (follow ? 0 : O_NOFOLLOW);
  let fd: number;
  try {
    if (O_NOFOLLOW === 0 && !follow) refuseLink(path);
    fd = fs.openSync(path, flags);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw unsafeAt(path, error) ?? error;
  }
  const stats = fs.fstatSync(fd);
  if (stats.isFile()) return fd;
  fs.closeSync(fd);
  throw unsafePath(path, kindOf(stats));
}

/**
 * Why a file could not be opened, where something else stands in its place: a link, a socket, a pipe without a reader.
 * @param error the system's
 */
export function unsafeAt(path: string, error: unknown): DocsError | undefined {
  if (!['ELOOP', 'ENXIO', 'ENODEV'].includes(systemCode(error) ?? '')) return undefined;
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile() ? undefined : unsafePath(path, kindOf(found));
}

/**
 * In place of O_NOFOLLOW, which Windows lacks: there only an administrator makes links to files.
 * @throws DocsError configuration `unsafe_path`
 */
export function refuseLink(path: string): void {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw unsafePath(path, kindOf(found));
}

/** The bytes of a file; errors as those of `openOwnFile`. */
export function readOwnFile(path: string, opening: Opening = {}): Buffer | undefined {
  const fd = openOwnFile(path, opening);
  if (fd === undefined) return undefined;
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Refuses a file that something else is about to open. @throws DocsError as `openOwnFile` */
export function refuseUnsafeFile(path: string): void {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw unsafePath(path, kindOf(stats));
}

/**
 * Refuses a folder of docs that is a link, or that others own or can write; a missing one passes.
 * @returns whether it is there
 * @throws DocsError configuration `unsafe_path`
 */
export function checkOwnFolder(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw unsafePath(path, kindOf(stats), 'directory');
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const { platform } = process;
  if (stats.uid !== uid) {
    const message = `${path} belongs to another user; it was not used`;
    throw refusal(message, ownCommand([path], platform));
  }
  if ((stats.mode & 0o022) === 0) return true;
  throw refusal(
    `other users can write to ${path}; it was not used`,
    `chmod go-w ${shellWord(path, platform)}`,
  );
}

/** Of a folder that is not there, or whose parent is not one, its maker tells more. */
function statsOf(path: string): Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** @param kind as `kindOf` names it */
export function unsafePath(path: string, kind: string, wanted = 'regular file'): DocsError {
  const { platform } = process;
  const word = shellWord(path, platform);
  const aside = `${platform === 'win32' ? 'move' : 'mv'} ${word} ${shellWord(`${path}.refused`, platform)}`;
  const look = platform === 'win32' ? `dir ${word}` : `ls -ld ${word}`;
  const message = `${path} is ${kind}, not a ${wanted}; it was not opened`;
  return refusal(message, wanted === 'directory' ? look : aside);
}

function refusal(message: string, hint: string): DocsError {
  return notSent('configuration', 'unsafe_path', message, { hint });
}

/** What stands in place of a regular file. */
export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isDirectory()) return 'a directory';
  return stats.isFile() ? 'a file' : 'a device';
}

/**
 * Creates a folder, and its parents where they are missing. Node's own recursive call never returns where the system
 * says of an existing folder that it does not exist, as below /proc.
 * @throws the system's error
 */
export function makeFolders(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !isMade(at, mode); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    if (!isMade(each, mode)) fs.mkdirSync(each, mode);
  }
}

/** @returns false where the folder above seems to be missing @throws the system's error */
function isMade(path: string, mode: number): boolean {
  try {
    fs.mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    if (systemCode(error) === 'ENOENT' && dirname(path) !== path) return false;
    throw error;
  }
}
