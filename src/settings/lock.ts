import fs from 'node:fs';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { systemCode } from '../system-error.js';
import { cannotWrite } from './disk-failure.js';
import { shellWord } from './shell-word.js';

/**
 * A lock as old as this was left by a process that died: work under it takes milliseconds. Measured
 * against times that the disk gives, so by the system's clock, not the run's. In milliseconds.
 */
const staleMs = 10_000;
/** How long to wait for others: longer than a dead process's lock lasts. In milliseconds. */
const patienceMs = 20_000;

/**
 * Runs work while no other process runs work under the same lock, a folder that only one can make.
 * (docs/decisions/003-settings-file.md says why no library does this.)
 * @param path of the lock, in a folder that exists
 * @param work is told how to ask whether the lock is still its own: after a long sleep of the machine
 *   another process may have taken it for abandoned
 * @throws DocsError local-io `settings_locked` after 20 seconds of waiting; whatever `work` throws
 */
export async function withLock<T>(
  io: Io,
  path: string,
  work: (held: () => boolean) => Promise<T>,
): Promise<T> {
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
  throw new DocsError('local-io', 'settings_locked', `Another process holds ${path}; nothing was changed.`, {
    outcome: 'not-sent',
    retryable: true,
    hint: `rmdir ${shellWord(path, io.platform)}`,
  });
}

function tryAcquire(io: Io, path: string): string | undefined {
  try {
    fs.mkdirSync(path);
    return markOf(path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    // Windows says so of a folder that is just being removed.
    if (io.platform === 'win32' && systemCode(error) === 'EPERM') return undefined;
    throw cannotWrite(io, path, error);
  }
}

/**
 * Removes a stale lock, one process at a time, and only while it is still stale: else one of several
 * that found it so could remove the fresh lock that another has just put in its place.
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
    // Another process is at it. Whatever it leaves is met at the next try.
  }
}

/** A lock that cannot be removed goes stale; the work under it is done all the same. */
function release(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch {
    // See above.
  }
}

/** What tells this lock from any other at the same path: no two are made at one time in one place. */
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
