import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { localIoError } from '../base/errors.js';
import { isRunning, ownProcess, type WorkingProcess } from '../base/lock.js';

/**
 * The folder of a rehearsal, for its owner alone: the database of the copy, the file that the command is pointed to,
 * journals, and all else that the command keeps. It goes when the rehearsal ends, or with the next one.
 */

const prefix = 'docs-rehearsal-';

/** Makes a folder, and removes those whose processes are dead. @throws DocsError local-io */
export function makeFolder(): string {
  try {
    sweep();
    return fs.realpathSync(fs.mkdtempSync(join(tmpdir(), nameFor(ownProcess()))));
  } catch (cause) {
    throw localIoError(cause, `Cannot make a folder in ${tmpdir()} for the rehearsal`);
  }
}

/** The owner is in the name, so that a folder has one from its first moment: a kill leaves none that nobody owns. */
function nameFor({ pid, started, host }: WorkingProcess): string {
  return `${prefix}${pid}.${started}.${host}.`;
}

function ownerOf(name: string): WorkingProcess | undefined {
  const [, pid, started, host] = /^(\d+)\.(\d+)\.([\w-]+)\.\w+$/.exec(name.slice(prefix.length)) ?? [];
  if (pid === undefined || started === undefined || host === undefined) return undefined;
  return { pid: Number(pid), started, host };
}

/** Removes the folder of a rehearsal, and no other. */
export function removeFolder(folder: string): void {
  if (!basename(folder).startsWith(prefix)) return;
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function sweep(): void {
  for (const name of namesIn(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    if (!isStale(folder, ownerOf(name))) continue;
    try {
      removeFolder(folder);
    } catch {
      // Another rehearsal is removing it, too.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether nobody works in it; folders of other users, and what no rehearsal made, are left alone. */
function isStale(folder: string, owner: WorkingProcess | undefined): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (owner === undefined || stats === undefined || !stats.isDirectory()) return false;
  return (uid === undefined || stats.uid === uid) && !isRunning(owner);
}
