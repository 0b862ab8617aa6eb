import fs from 'node:fs';
import { notSent } from '../errors.js';
import type { Io } from '../io.js';
import { kindOf, unsafePath } from '../own-path.js';
import { systemCode } from '../system-error.js';
import { cannotWrite } from './json-file.js';
import { shellWord } from './shell-word.js';

/** A lock this old was left by a process that died: work under a lock takes milliseconds. System clock. */
const staleMs = 10_000;
/** How long to wait for the lock: longer than `staleMs`, so that a dead process cannot block. */
const patienceMs = 20_000;

/** `held` tells whether the lock is still held: after a long suspend another process may have removed it. */
export type UnderLock<T> = (held: () => boolean) => Promise<T>;

/**
 * Runs work under a lock between processes: a folder, which only one process can create.
 * (docs/decisions/003-settings-file.md says why it is not a library's.)
 * @param path of the lock, in an existing folder
 * @throws DocsError local-io `settings_locked` after 20 seconds of waiting; configuration `unsafe_path`;
 *   whatever `work` throws
 */
export async function withLock<T>(io: Io, path: string, work: UnderLock<T>): Promise<T> {
  const mark = await acquire(io, path);
  const held = (): boolean => markOf(path) === mark;
  try {
    return await work(held);
  } finally {
    if (held()) release(path);
  }
}

async function acquire(io: Io, path: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < patienceMs; ) {
    const mark = tryAcquire(io, path);
    if (mark !== undefined) return mark;
    removeStale(path);
    const waitMs = 20 + io.random() * 60;
    await io.sleep(waitMs, io.signal);
    waitedMs += waitMs;
  }
  const message = `another docs process holds the lock ${path}; nothing was changed`;
  const hint = `rmdir ${shellWord(path, io.platform)}`;
  throw notSent('local-io', 'settings_locked', message, { retryable: true, hint });
}

function tryAcquire(io: Io, path: string): string | undefined {
  try {
    fs.mkdirSync(path);
    return markOf(path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') {
      refuseOther(path);
      return undefined;
    }
    // Windows reports EPERM for a folder that is being removed.
    if (io.platform === 'win32' && systemCode(error) === 'EPERM') return undefined;
    throw cannotWrite(io, path, error);
  }
}

/** Nothing but a folder is ever released: waiting for a file or a link would be in vain. */
function refuseOther(path: string): void {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw unsafePath(path, kindOf(stats), 'directory');
}

/**
 * Removes a stale lock. One process at a time, and only if it is still stale: otherwise one of several
 * processes could remove the fresh lock that another has just created.
 */
function removeStale(path: string): void {
  if (!isStale(path)) return;
  const guard = `${path}.break`;
  try {
    if (isStale(guard)) fs.rmdirSync(guard);
    fs.mkdirSync(guard);
    try {
      if (isStale(path)) fs.rmdirSync(path);
    } finally {
      fs.rmdirSync(guard);
    }
  } catch {
    // Another process is removing it; the next attempt sees the result.
  }
}

function release(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch {
    // It becomes stale; the work under it is complete either way.
  }
}

/** Identifies a lock: no two folders at the same path share inode and time. */
function markOf(path: string): string | undefined {
  try {
    const { ino, mtimeNs } = fs.statSync(path, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}

function isStale(path: string): boolean {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - staleMs;
}
