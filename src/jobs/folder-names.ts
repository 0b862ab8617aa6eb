import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { localIoError, systemCode, usageError } from '../base/errors.js';
import { isDraft } from '../base/write-file.js';

/** Folders that commands write to: whether something is in them already. */

/**
 * What is in a folder, without what a killed run left: drafts, locks, and folders with nothing else in them.
 * @param path absolute
 * @param rest what follows in the message of the error
 * @returns undefined if there is no such folder
 * @throws DocsError usage `not_a_folder`; local-io
 */
export async function contentsOf(path: string, rest: string): Promise<string[] | undefined> {
  try {
    const names: string[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (!(await isLeftOver(path, entry))) names.push(entry.name);
    return names;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) === 'ENOTDIR')
      throw usageError('not_a_folder', `${path} is not a directory${rest}`);
    throw localIoError(error, `cannot read ${path}`);
  }
}

async function isLeftOver(folder: string, entry: Dirent): Promise<boolean> {
  if (isDraft(entry.name)) return true;
  // Loaded here: most folders are new.
  const { isWorker } = await import('../base/lock.js');
  if (isWorker(entry.name)) return true;
  if (!entry.isDirectory()) return false;
  const path = join(folder, entry.name);
  for (const inner of readdirSync(path, { withFileTypes: true }))
    if (!(await isLeftOver(path, inner))) return false;
  return true;
}
