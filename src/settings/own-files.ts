import { chmodSync, type Stats, statSync } from 'node:fs';
import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { makeFolders } from '../base/own-files.js';
import { ownCommand, shellWord } from '../base/shell-word.js';
import { cannotWrite, readJsonFile, statsOf } from './json-file.js';
import type { Paths } from './paths.js';

type World = Pick<Io, 'platform'>;

/**
 * Checks that the settings folder and files belong to the current user, and removes the permissions of
 * everyone else (RELIABILITY.md, "Secrets and origins"). Missing files are skipped. On Windows the access
 * rights of the user's profile folder apply instead.
 * @returns at most one warning, a sentence
 * @throws DocsError configuration `foreign_settings`; local-io `cannot_read_…`
 */
export function protectOwnFiles(io: World, paths: Paths): string[] {
  const uid = process.getuid?.();
  if (uid === undefined) return [];
  const exposed = [paths.configDir, paths.configFile, paths.credentialsFile].filter((path) => {
    const stats = statsOf(io, path);
    if (stats !== undefined) refuseForeign(io, path, stats, uid);
    // A device or a pipe is refused where it is read; its permissions are not ours.
    const isOurs = stats?.isDirectory() === (path === paths.configDir) && !isSpecial(stats);
    return isOurs && (stats.mode & 0o077) !== 0;
  });
  if (exposed.length === 0) return [];
  const open = exposed.filter((path) => !tighten(path));
  return open.length > 0
    ? [`Other users can read ${open.join(' and ')}, and docs cannot change the permissions.`]
    : [`Other users could read ${exposed.join(' and ')}; now only you can.`];
}

/**
 * The same check without a change of permissions, for what reads the settings before a command does: that command
 * still has to warn.
 * @throws DocsError as `protectOwnFiles`
 */
export function refuseForeignSettings(io: World, { configDir, configFile }: Paths): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  for (const path of [configDir, configFile]) {
    const stats = statsOf(io, path);
    if (stats !== undefined) refuseForeign(io, path, stats, uid);
  }
}

function refuseForeign(io: World, path: string, stats: Stats, uid: number): void {
  if (stats.uid === uid) return;
  const message = `${path} belongs to another user; it was not read.`;
  throw notSent('configuration', 'foreign_settings', message, { hint: ownCommand([path], io.platform) });
}

/**
 * Reads the settings or credentials file. A corrupt one is left unchanged.
 * @returns undefined if there is none
 * @throws DocsError local-io `cannot_read_…`; configuration `corrupt_…` if it is not a JSON object
 */
export function readOwnObject(io: World, path: string): Record<string, unknown> | undefined {
  return readJsonFile(io, path, { largestKb: 1024, invalid: (what) => corrupt(io, path, what) });
}

/** Creates a folder and its parents with mode 0700. */
export function makeOwnFolder(io: World, folder: string): void {
  try {
    makeFolders(folder, 0o700);
  } catch (error) {
    throw cannotWrite(io, folder, error);
  }
}

/** A settings or credentials file that cannot be parsed: exit 14, with the command that renames it. */
function corrupt(io: World, path: string, what: string): DocsError {
  const name = path.includes('credentials') ? 'credentials' : 'settings';
  const move = io.platform === 'win32' ? 'move' : 'mv';
  const hint = `${move} ${shellWord(path, io.platform)} ${shellWord(`${path}.broken`, io.platform)}`;
  const message = `The ${name} file ${path} ${what}; it was left unchanged.`;
  return notSent('configuration', `corrupt_${name}`, message, { hint });
}

function isSpecial(stats: Stats): boolean {
  return !stats.isFile() && !stats.isDirectory();
}

function tighten(path: string): boolean {
  try {
    chmodSync(path, statSync(path).mode & 0o700);
    return true;
  } catch {
    return false;
  }
}
