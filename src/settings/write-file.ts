import fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { systemCode } from '../system-error.js';
import { cannotWrite } from './disk-failure.js';

/**
 * Puts a text in the place of a file, for a caller that holds the lock: written beside it (0600,
 * exclusively), synced, renamed. On any failure the old file stays. A link is kept, its target
 * replaced. (docs/decisions/003-settings-file.md says why conf does not do this.)
 * @param held whether the lock is still the caller's, asked at the last moment
 * @throws DocsError local-io `cannot_write_…`, `lock_lost`
 */
export async function replaceFile(io: Io, path: string, text: string, held: () => boolean): Promise<void> {
  try {
    const target = linkTarget(path);
    removeLeftovers(target);
    const beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    try {
      writeSynced(beside, text);
      if (!held()) throw lockLost(path);
      await renameOver(io, beside, target);
    } catch (error) {
      fs.rmSync(beside, { force: true });
      throw error;
    }
    syncFolder(dirname(target));
  } catch (error) {
    throw error instanceof DocsError ? error : cannotWrite(io, path, error);
  }
}

/** Where a chain of links ends, whether or not a file is there yet. */
function linkTarget(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? linkTarget(resolve(fs.realpathSync(dirname(path)), fs.readlinkSync(path))) : path;
  }
}

/** Nobody else writes under the lock: what lies there was left by a process that was killed. */
function removeLeftovers(target: string): void {
  const leftover = new RegExp(`^\\.${basename(target).replaceAll('.', '\\.')}\\.\\d+\\.tmp$`);
  for (const name of fs.readdirSync(dirname(target))) {
    if (leftover.test(name)) fs.rmSync(join(dirname(target), name), { force: true });
  }
}

function writeSynced(path: string, text: string): void {
  const file = fs.openSync(path, 'wx', 0o600);
  try {
    fs.writeFileSync(file, text);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Windows refuses for moments while a scanner or reader has the old file open. */
async function renameOver(io: Io, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      const busy = ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (io.platform !== 'win32' || !busy || attempt === 10) throw error;
    }
    await io.sleep(10 * attempt, io.signal);
  }
}

/** Makes the rename itself survive a power cut, where the system can. */
function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Not every file system can; the file itself is whole either way.
  }
}

function lockLost(path: string): DocsError {
  return new DocsError(
    'local-io',
    'lock_lost',
    `Another process took over the lock of ${path}; nothing was changed.`,
    {
      outcome: 'not-sent',
      retryable: true,
    },
  );
}
