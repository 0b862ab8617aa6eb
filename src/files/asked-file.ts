import fs, { type Stats } from 'node:fs';
import path, { basename, dirname, join, type PlatformPath } from 'node:path';
import { DocsError, localIoError, systemCode, usageError } from '../base/errors.js';
import type { Io, OwnPlace, OwnPlaces } from '../base/io.js';
import { kindOf } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { type Content, linkTarget, replaceFile, writeNewFile } from '../base/write-file.js';

/**
 * The files that a person names for docs to write: plans, reports, downloads, evidence. All of them are written here:
 * never through a symbolic link, and never in the place of what docs or a policy owns. Whether another file may be
 * replaced is for each flag to say.
 */

type World = Pick<Io, 'own' | 'guard'>;

/**
 * Creates or replaces a file that a person named; all of it or nothing.
 * @param path absolute
 * @throws DocsError forbidden `policy_denied`; as `askedTarget` and `replaceFile`
 */
export async function writeAskedFile(io: World, path: string, content: Content): Promise<void> {
  const target = await askedTarget(io, path);
  // Content takes its time: what stands there is looked at again.
  const again = async () => {
    await askedTarget(io, path);
    return false;
  };
  await replaceFile(dirname(target), basename(target), content, again);
}

/** As `writeNewFile`, in a folder that a person named. @throws DocsError as `writeAskedFile` and `writeNewFile` */
export async function writeNewAskedFile(
  io: World,
  folder: string,
  name: string,
  content: Content,
): Promise<string> {
  await refuseOwn(io, folder);
  await io.guard?.file(withRealFolder(join(folder, name)), name, 'new');
  return writeNewFile(folder, name, content);
}

/**
 * Where a file goes that a person named: its folder without links.
 * @param path absolute
 * @param name as typed
 * @throws DocsError usage `own_file`, `not_a_file`; local-io `unsafe_link`, `is_a_folder`, …
 */
async function askedTarget(io: World, path: string, name = path): Promise<string> {
  const target = withRealFolder(path);
  const found = refuseLink(target, name);
  if (found?.isDirectory())
    throw localIoError(Object.assign(new Error(), { code: 'EISDIR' }), `cannot write ${name}`);
  if (found !== undefined && !found.isFile())
    throw usageError('not_a_file', `${name} is ${kindOf(found)}, not a regular file; nothing was written`);
  await refuseOwn(io, target, name);
  await io.guard?.file(target, name, found === undefined ? 'new' : 'there');
  return target;
}

/**
 * Refuses a symbolic link.
 * @returns what is there; undefined for nothing
 * @throws DocsError local-io `unsafe_link`
 */
export function refuseLink(path: string, name = path): Stats | undefined {
  const found = lookAt(path);
  if (!found?.isSymbolicLink()) return found;
  const message = `cannot write ${name}: it is a symbolic link; nothing was written`;
  const hint = `ls -l ${shellWord(name, process.platform)}`;
  throw new DocsError('local-io', 'unsafe_link', message, { hint });
}

/** Where it cannot be told, writing fails. */
function lookAt(path: string): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Refuses a file or folder in which docs keeps its own, or which a policy is.
 * @param path absolute; links are followed
 * @param name as typed
 * @throws DocsError usage `own_file`
 */
export async function refuseOwn({ own }: World, path: string, name = path): Promise<void> {
  if (own === undefined) return;
  const followed = await linkTarget(path).catch(() => path);
  const what = ownAt(own(), withRealFolder(followed));
  if (what === undefined) return;
  throw usageError('own_file', `${name} is ${what}; nothing was written. Choose another name.`);
}

/** What a path is, where it is not for people to replace. */
function ownAt({ files, folders, names, open }: OwnPlaces, path: string): string | undefined {
  const isSame = comparing();
  const isOne = (at: string) => (one: OwnPlace) => isSame(one.path, at);
  const file = files.find(isOne(path));
  const name = basename(path).toLowerCase();
  const known = file ?? names.find((one) => one.name === name);
  if (known !== undefined) return known.what;
  for (let at = path; ; at = dirname(at)) {
    if (open.some((folder) => isSame(folder, at))) return undefined;
    const folder = folders.find(isOne(at));
    if (folder !== undefined) return at === path ? folder.what : `in ${folder.what}`;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Refuses what policies do not let a command write, before it reads anything.
 * @param path absolute
 * @param name as typed
 * @throws DocsError forbidden `policy_denied`
 */
export async function refuseDenied(
  { guard }: World,
  path: string,
  name: string,
  isFolder: boolean,
): Promise<void> {
  if (guard === undefined) return;
  await guard.file(withRealFolder(path), name, stateOf(path, isFolder));
}

/** What writing a path would do, as policies see it. @param isFolder whether it is one, also where nothing is there */
export function stateOf(path: string, isFolder: boolean): 'new' | 'there' | 'directory' {
  const found = statOf(withRealFolder(path));
  // Into a directory that is there go files of names that are not known yet.
  const isThere = found !== undefined && !found.isDirectory();
  return isFolder ? 'directory' : isThere ? 'there' : 'new';
}

/** Compares paths by what they are, where both are there: whatever their case, and of hard links, too. Looks once at each. */
function comparing(): (one: string, other: string) => boolean {
  const seen = new Map<string, string>();
  const whatIs = (path: string): string => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const stats = statOf(path);
    const what = stats === undefined ? withRealFolder(path) : `${stats.dev}:${stats.ino}`;
    seen.set(path, what);
    return what;
  };
  return (one, other) => whatIs(one) === whatIs(other);
}

function statOf(path: string) {
  try {
    return fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A path whose folder has no links, as far as it is there. */
export function withRealFolder(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(fs.realpathSync(folder), basename(path));
  } catch (cause) {
    return systemCode(cause) === 'ENOENT' ? join(withRealFolder(folder), basename(path)) : path;
  }
}

/**
 * Whether a path is a folder itself, or below it. On Windows no relative path leads from one drive to another: there
 * `relative` gives the whole path, which does not begin with `..`.
 * @param folder absolute, without links, as is the other
 * @param how the rules of paths; for tests
 */
export function isBelow(folder: string, other: string, how: PlatformPath = path): boolean {
  const way = how.relative(folder, other);
  return way !== '..' && !way.startsWith(`..${how.sep}`) && !how.isAbsolute(way);
}
