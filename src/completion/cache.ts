import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../io.js';
import { settingsPaths } from '../settings/paths.js';
import type { Candidate } from './candidate.js';

/** Ids that a list told lately, one file a list (0600) in the cache folder. */

/** How old a list may be and still count as fresh, in milliseconds. */
export const freshMs = 60_000;
/** How old it may be and still be offered, while a new one is asked for. */
export const staleMs = 600_000;
/** For how long nobody else asks once somebody has. */
const askedMs = 20_000;
/** What is older is removed when something is written. */
const keptMs = 86_400_000;
const largestFile = 1 << 20;

export interface CachedIds {
  /** When the list was told, in milliseconds since the epoch. */
  atMs: number;
  ids: Candidate[];
}

/** A name for what a list depends on: nothing of it can be read from the name. */
export function cacheName(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Whether a text is a name of this kind, and so safe as the name of a file. */
export function isCacheName(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** What is cached; undefined where there is nothing, or nothing of ours. Never throws. */
export function readCache(io: Io, name: string): CachedIds | undefined {
  try {
    const path = pathOf(io, name);
    const stats = fs.lstatSync(path);
    const mine = process.getuid === undefined || stats.uid === process.getuid();
    if (!stats.isFile() || !mine || stats.size > largestFile) return undefined;
    return parsed(JSON.parse(fs.readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function parsed(value: unknown): CachedIds | undefined {
  const { atMs, ids } = (value ?? {}) as { atMs?: unknown; ids?: unknown };
  if (typeof atMs !== 'number' || !Array.isArray(ids)) return undefined;
  const pairs = ids.filter(
    (pair): pair is [string, string] =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
  );
  return { atMs, ids: pairs.map(([word, note]) => ({ word, note })) };
}

/**
 * Keeps ids, in the place of what was there.
 * @throws DocsError local-io where that is not possible
 */
export async function writeCache(io: Io, name: string, { atMs, ids }: CachedIds): Promise<void> {
  const [{ writeFileAtomically }, { makeOwnFolder }] = await Promise.all([
    import('../files/atomic-write.js'),
    import('../settings/own-files.js'),
  ]);
  const folder = folderOf(io);
  makeOwnFolder(io, folder);
  removeOld(folder, io.now());
  const pairs = ids.map(({ word, note = '' }) => [word, note]);
  await writeFileAtomically(pathOf(io, name), `${JSON.stringify({ atMs, ids: pairs })}\n`);
}

/**
 * Takes the right to ask the platform for a list: for a while nobody else gets it.
 * @returns false where somebody has it, or the cache folder cannot be written
 */
export function claim(io: Io, name: string): boolean {
  const marker = `${pathOf(io, name)}.asked`;
  try {
    fs.mkdirSync(folderOf(io), { recursive: true, mode: 0o700 });
    const before = fs.lstatSync(marker, { throwIfNoEntry: false });
    if (before !== undefined) {
      const ageMs = io.now() - before.mtimeMs;
      // A clock that was set back must not keep everybody out.
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
  return join(settingsPaths(io).cacheDir, 'completion');
}

function pathOf(io: Io, name: string): string {
  return join(folderOf(io), `${name}.json`);
}
