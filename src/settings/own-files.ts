import fs, { chmodSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DocsError, diskReason, notSent, systemCode } from '../base/errors.js';
import type { Io, OwnPlaces } from '../base/io.js';
import { makeFolders, openOwnFile } from '../base/own-files.js';
import { ownCommand, shellWord } from '../base/shell-word.js';
import { isObject } from '../base/values.js';
import { homeFolder, type Paths, projectFileName, rehearsalVariable, settingsPaths } from './paths.js';

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
    const isOurs = path === paths.configDir ? stats?.isDirectory() : stats?.isFile();
    return isOurs === true && stats !== undefined && (stats.mode & 0o077) !== 0;
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
  const message = `${path} belongs to another user; it was not read`;
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
  const message = `the ${name} file ${path} ${what}; it was left unchanged`;
  return notSent('configuration', `corrupt_${name}`, message, { hint });
}

function tighten(path: string): boolean {
  try {
    chmodSync(path, statSync(path).mode & 0o700);
    return true;
  } catch {
    return false;
  }
}

/**
 * What no file that a person asks for takes the place of.
 * @param policies those in force, and those of other profiles
 * @param guarded folders that policies name for what they count on
 */
export function ownPlaces(
  io: Io,
  policies: readonly { path: string }[],
  guarded: readonly string[] = [],
): OwnPlaces {
  const worlds = environments(io).map((env) => ({ env, platform: io.platform }));
  const paths = worlds.map(settingsPaths);
  const settings = paths.flatMap(({ configFile, credentialsFile, lockFile }) => [
    configFile,
    credentialsFile,
    lockFile,
  ]);
  const state = { what: 'the folder of journals and the audit chain' };
  return {
    files: [
      ...policies.map(({ path }) => ({ path, what: 'a policy' })),
      ...settings.map((path) => ({ path, what: 'a settings file' })),
    ],
    folders: [
      ...paths.map(({ stateDir }) => ({ path: stateDir, ...state })),
      ...guarded.map((path) => ({
        path,
        what: 'the directory of audit chain and budgets that a policy names',
      })),
      ...worlds.map((world) => ({ path: join(homeFolder(world), '.ssh'), what: 'the folder of SSH keys' })),
    ],
    names: [{ name: projectFileName, what: 'the settings file of a project' }],
    // Plans that agents make.
    open: paths.map(({ stateDir }) => join(stateDir, 'agent-plans')),
  };
}

/** That of this run; without its rehearsal, which has a state of its own; and that of the account, whatever is set. */
function environments({ env }: Io): Io['env'][] {
  const { [rehearsalVariable]: _, ...outside } = env;
  const found = [env, outside];
  try {
    // Loaded here, as in `homeFolder`.
    const { homedir } = process.getBuiltinModule('node:os').userInfo();
    found.push({ HOME: homedir, USERPROFILE: homedir });
  } catch {
    // The system has no entry for this user.
  }
  return found;
}

/** Levels of arrays and objects in a file of settings. */
const deepest = 100;

/** The size limit of a file, and the error for one that breaks the rules. */
interface Rules {
  /** In kilobytes (1024 bytes). */
  largestKb: number;
  invalid(what: string): DocsError;
}

/**
 * Reads a JSON object from a file that a person may have edited.
 * @returns undefined if there is no file
 * @throws DocsError what `invalid` makes; local-io `cannot_read_…`
 */
export function readJsonFile(io: World, path: string, rules: Rules): Record<string, unknown> | undefined {
  // Asked first, since an error is slow to make, and most have no such file.
  if (statsOf(io, path) === undefined) return undefined;
  const fd = ifThere(io, path, () => opened(path, rules));
  if (fd === undefined) return undefined;
  try {
    const { largestKb, invalid } = rules;
    if (fs.fstatSync(fd).size > largestKb * 1024) {
      throw invalid(`is larger than ${largestKb < 1024 ? `${largestKb} KB` : `${largestKb / 1024} MB`}`);
    }
    const bytes = ifThere(io, path, () => fs.readFileSync(fd));
    return bytes && objectOf(bytes, invalid);
  } finally {
    fs.closeSync(fd);
  }
}

/** A pipe or a device is not waited for; a link is followed, since people keep settings elsewhere. */
function opened(path: string, { invalid }: Rules): number | undefined {
  try {
    return openOwnFile(path, { follow: true });
  } catch (error) {
    throw error instanceof DocsError ? invalid('is not a file') : error;
  }
}

/** @returns undefined if nothing is there */
export function statsOf(
  io: World,
  path: string,
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined = statSync,
): Stats | undefined {
  return ifThere(io, path, () => stat(path, { throwIfNoEntry: false }));
}

function ifThere<T>(io: World, path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw failure(io, 'read', path, error);
  }
}

function objectOf(bytes: Buffer, invalid: Rules['invalid']): Record<string, unknown> {
  let text = '';
  let value: unknown;
  try {
    // Takes away the mark that editors on Windows put before a text.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
    if (isTooDeep(value, 0)) throw invalid(`is nested more than ${deepest} levels deep`);
  } catch (error) {
    if (error instanceof DocsError) throw error;
    if (!(error instanceof SyntaxError)) throw invalid('is not UTF-8 text');
    // The engine's message may quote the file, which may contain a token: only the position is shown.
    throw invalid(`is not valid JSON${positionOf(error, text)}`);
  }
  if (!isObject(value)) throw invalid('is not a JSON object');
  return value;
}

/** Whether arrays and objects are nested deeper than any setting; the recursion ends there. */
function isTooDeep(value: unknown, level: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return level >= deepest || Object.values(value).some((member) => isTooDeep(member, level + 1));
}

/** The position of a JSON error, if the engine gives one: ` (line 3, column 5)`. */
function positionOf(error: SyntaxError, text: string): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** The settings or credentials file cannot be written: exit 13. The old one, if any, is unchanged. */
export function cannotWrite(io: World, path: string, error: unknown): DocsError {
  return failure(io, 'write', path, error);
}

function failure(io: World, verb: 'read' | 'write', path: string, error: unknown): DocsError {
  const system = systemCode(error);
  if (system === undefined) throw error;
  const code = `cannot_${verb}_${path.includes('credentials') ? 'credentials' : 'settings'}`;
  const what = `cannot ${verb} ${path}${verb === 'write' ? '; nothing was changed' : ''}`;
  const folder = shellWord(dirname(path), io.platform);
  const look = io.platform === 'win32' ? `dir ${folder}` : `ls -la ${folder}`;
  const full = (system === 'ENOSPC' || system === 'EDQUOT') && io.platform !== 'win32';
  const hint = full ? `df -h ${folder}` : look;
  return notSent('local-io', code, `${what}: ${diskReason(system)}`, { hint, cause: error });
}
