import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './system-error.js';

/**
 * Creates a folder, and its parents where they are missing. Node's own recursive call never returns where the system
 * says of an existing folder that it does not exist, as below /proc.
 * @throws the system's error
 */
export function makeFolders(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !isMade(at, mode); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    if (!isMade(each, mode)) mkdirSync(each, mode);
  }
}

/** @returns false where the folder above seems to be missing @throws the system's error */
function isMade(path: string, mode: number): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    if (systemCode(error) === 'ENOENT' && dirname(path) !== path) return false;
    throw error;
  }
}
