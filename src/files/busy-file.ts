import fs from 'node:fs';
import { systemCode } from '../system-error.js';

/** Files that another process has open: nothing anywhere but on Windows, where they can be neither replaced nor moved. */

/** So often a rename is tried, after 10, 20, 30 … milliseconds: half a second in all. */
export const busyTries = 10;

/** Whether a failure may pass: a virus scanner, an indexer or a reader has a file open, for milliseconds. */
export function isBusy(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
}

/**
 * Renames a file over another one, for code that must not wait in between.
 * @param how what renames, and waits so many milliseconds; for tests
 * @throws the system's error; no change then
 */
export function renameOverSync(
  draft: string,
  target: string,
  { rename = fs.renameSync, wait = pause, platform = process.platform } = {},
): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rename(draft, target);
      return;
    } catch (error) {
      if (!isBusy(error, platform) || attempt === busyTries) throw error;
    }
    wait(10 * attempt);
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
