import { chmodSync, mkdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject } from '../is-object.js';
import { systemCode } from '../system-error.js';
import { cannotRead, cannotWrite } from './disk-failure.js';
import type { Paths } from './paths.js';
import { ownCommand, shellWord } from './shell-word.js';

type World = Pick<Io, 'platform'>;

/** Files of ours are small; one larger than this is not ours. In bytes. */
const largestFile = 1 << 20;

/**
 * Checks that folder and files belong to whoever runs this, and takes every right of others away
 * (RELIABILITY.md, "Secrets and origins"). What does not exist is passed over. Windows has no such
 * owners and modes: there its own rights of the profile folder hold.
 * @returns at most one warning, a sentence
 * @throws DocsError configuration `foreign_settings`; local-io `cannot_read_…`
 */
export function protectOwnFiles(io: World, paths: Paths): string[] {
  const uid = process.getuid?.();
  if (uid === undefined) return [];
  const exposed = [paths.configDir, paths.configFile, paths.credentialsFile].filter((path) => {
    const stats = statsOf(io, path);
    if (stats === undefined) return false;
    if (stats.uid !== uid) throw foreign(io, path);
    return (stats.mode & 0o077) !== 0;
  });
  if (exposed.length === 0) return [];
  const open = exposed.filter((path) => !tighten(path));
  return open.length > 0
    ? [`Others can read ${open.join(' and ')}, and its permissions cannot be changed.`]
    : [`Others could read ${exposed.join(' and ')}; now only you can.`];
}

/**
 * The text of a file of ours.
 * @returns undefined where there is none
 * @throws DocsError local-io `cannot_read_…`; configuration `corrupt_…` for what is no text file
 */
export function readOwnFile(io: World, path: string): string | undefined {
  const stats = statsOf(io, path);
  if (stats === undefined) return undefined;
  // A pipe would block for ever, so only a plain file is opened.
  if (!stats.isFile()) throw corrupt(io, path, 'is not a file');
  if (stats.size > largestFile) throw corrupt(io, path, 'is larger than 1 MB');
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw cannotRead(io, path, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw corrupt(io, path, 'is not UTF-8 text');
  }
}

/**
 * A file of ours as a JSON object. A corrupt one is left as it is.
 * @returns undefined where there is none
 * @throws DocsError as `readOwnFile`; configuration `corrupt_…` where it is not a JSON object
 */
export function readOwnObject(io: World, path: string): Record<string, unknown> | undefined {
  const text = readOwnFile(io, path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the file, which may hold a token: only the place is told.
    throw corrupt(io, path, `is not valid JSON${placeOf(error, text)}`);
  }
  if (!isObject(value)) throw corrupt(io, path, 'is not a JSON object');
  return value;
}

/** Makes a folder and those above it for ourselves alone (0700). */
export function makeOwnFolder(io: World, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(io, folder, error);
  }
}

/** A file of ours that cannot be understood: exit 14, with the command that sets it aside. */
export function corrupt(io: World, path: string, what: string): DocsError {
  const [name, title] = path.includes('credentials')
    ? ['credentials', 'credentials file']
    : ['settings', 'settings file'];
  const move = io.platform === 'win32' ? 'move' : 'mv';
  return new DocsError(
    'configuration',
    `corrupt_${name}`,
    `The ${title} ${path} ${what}; it was left as it is.`,
    {
      outcome: 'not-sent',
      hint: `${move} ${shellWord(path, io.platform)} ${shellWord(`${path}.broken`, io.platform)}`,
    },
  );
}

/** The place of a JSON error, where the engine tells it: ` (line 3, column 5)`. */
export function placeOf(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

function foreign(io: World, path: string): DocsError {
  return new DocsError(
    'configuration',
    'foreign_settings',
    `${path} belongs to another user; it was not read.`,
    {
      outcome: 'not-sent',
      hint: ownCommand([path], io.platform),
    },
  );
}

function statsOf(io: World, path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cannotRead(io, path, error);
  }
}

function tighten(path: string): boolean {
  try {
    chmodSync(path, statSync(path).mode & 0o700);
    return true;
  } catch {
    return false;
  }
}
