import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { localIoError } from '../files/local-io-error.js';
import { isObject } from '../is-object.js';
import { isRunning, ownProcess, type WorkingProcess } from '../jobs/owner.js';

/**
 * The folder of a rehearsal, for its owner alone: the database of the copy, the file that the command is pointed to,
 * journals, and all else that the command keeps. It goes when the rehearsal ends, or with the next one.
 */

const prefix = 'docs-rehearsal-';
const ownerFile = 'owner.json';
/** One that never got the name of its owner was left by a process that died at once, in milliseconds. */
const namelessMs = 10 * 60_000;

/** Makes a folder, and removes those whose processes are dead. @throws DocsError local-io */
export function makeFolder(nowMs: number): string {
  try {
    sweep(nowMs);
    const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), prefix)));
    fs.writeFileSync(join(folder, ownerFile), JSON.stringify(ownProcess()), { mode: 0o600 });
    return folder;
  } catch (cause) {
    throw localIoError(cause, `Cannot make a folder in ${tmpdir()} for the rehearsal`);
  }
}

/** Removes the folder of a rehearsal, and no other. */
export function removeFolder(folder: string): void {
  if (!basename(folder).startsWith(prefix)) return;
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function sweep(nowMs: number): void {
  for (const name of namesIn(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (name.startsWith(prefix) && isStale(folder, nowMs)) {
      try {
        removeFolder(folder);
      } catch {
        // Another rehearsal is removing it, too.
      }
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

/** Whether nobody works in it; folders of other users, and what is not a folder, are left alone. */
function isStale(folder: string, nowMs: number): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (stats === undefined || !stats.isDirectory() || (uid !== undefined && stats.uid !== uid)) return false;
  const owner = ownerOf(folder);
  return owner === undefined ? nowMs - stats.mtimeMs > namelessMs : !isRunning(owner);
}

function ownerOf(folder: string): WorkingProcess | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(join(folder, ownerFile), 'utf8'));
    if (!isObject(value)) return undefined;
    const { pid, started, host } = value;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof host !== 'string') return undefined;
    return { pid, started, host };
  } catch {
    return undefined;
  }
}
