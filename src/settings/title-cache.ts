import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../base/io.js';
import { checkOwnFolder, makeFolders, readOwnFile } from '../base/own-files.js';
import { rehearsalFolder, settingsPaths } from './paths.js';

/** Ids and titles from recent lists, one file (0600) per list in the cache folder: for completion and tables. */

/** Up to this age a list is fresh. In milliseconds. */
export const freshMs = 60_000;
/** Up to this age a list is still offered while a new one is requested. */
export const staleMs = 600_000;
/** How long a request for a list blocks further requests. */
const askedMs = 20_000;
/** Older files are removed at the next write. */
const keptMs = 86_400_000;
const largestFile = 1 << 20;
/** Characters of a title. */
const longestTitle = 60;

interface CachedIds {
  /** Time of the list, in milliseconds since the epoch. */
  atMs: number;
  ids: Titled[];
}

/** An id, and the title of what it stands for. */
interface Titled {
  word: string;
  note?: string;
}

/** A title as it is kept. */
export function shortTitle(title: string): string {
  const letters = [...title];
  return letters.length <= longestTitle ? title : `${letters.slice(0, longestTitle - 1).join('')}…`;
}

/** A hash of everything a list depends on, as its name; reveals nothing of it. */
export function cacheName(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Whether a text is such a name, and so safe as a file name. */
export function isCacheName(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** The cached ids; undefined if there are none or the file is not ours. Never throws. */
export function readCache(io: Io, name: string): CachedIds | undefined {
  try {
    checkOwnFolder(folderOf(io));
    const path = pathOf(io, name);
    const stats = fs.lstatSync(path);
    const mine = process.getuid === undefined || stats.uid === process.getuid();
    if (!mine || stats.size > largestFile) return undefined;
    return parsed(JSON.parse(readOwnFile(path)?.toString('utf8') ?? ''));
  } catch {
    return undefined;
  }
}

function parsed(value: unknown): CachedIds | undefined {
  const { atMs, ids } = (value ?? {}) as { atMs?: unknown; ids?: unknown };
  if (typeof atMs !== 'number' || !Array.isArray(ids)) return undefined;
  return { atMs, ids: ids.filter(isPair).map(([word, note]) => ({ word, note })) };
}

function isPair(pair: unknown): pair is [string, string] {
  return Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string';
}

/** Replaces the cached ids. @throws DocsError local-io; configuration `unsafe_path` */
export async function writeCache(io: Io, name: string, { atMs, ids }: CachedIds): Promise<void> {
  const { writeFileAtomically } = await import('../base/write-file.js');
  const { makeOwnFolder } = await import('./own-files.js');
  const folder = folderOf(io);
  makeOwnFolder(io, folder);
  checkOwnFolder(folder);
  removeOld(folder, io.now());
  const pairs = ids.map(({ word, note = '' }) => [word, note]);
  await writeFileAtomically(pathOf(io, name), `${JSON.stringify({ atMs, ids: pairs })}\n`);
}

/**
 * Claims the request for a list, so that only one process asks the platform at a time.
 * @returns false if another process has claimed it or the cache folder is not writable
 */
export function claim(io: Io, name: string): boolean {
  const marker = `${pathOf(io, name)}.asked`;
  try {
    makeFolders(folderOf(io), 0o700);
    checkOwnFolder(folderOf(io));
    const before = fs.lstatSync(marker, { throwIfNoEntry: false });
    if (before !== undefined) {
      const ageMs = io.now() - before.mtimeMs;
      // A clock that was set back must not block the claim for long.
      if (ageMs > -askedMs && ageMs < askedMs) return false;
      fs.rmSync(marker);
    }
    fs.closeSync(fs.openSync(marker, 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}

function removeOld(folder: string, nowMs: number): void {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && nowMs - stats.mtimeMs > keptMs) fs.rmSync(path, { force: true });
  }
}

function folderOf(io: Io): string {
  return join(rehearsalFolder(io) ?? settingsPaths(io).cacheDir, 'completion');
}

function pathOf(io: Io, name: string): string {
  return join(folderOf(io), `${name}.json`);
}
