import { fileNameKey } from '../../../base/write-file.js';
import type { Folder } from './folder.js';
import { manifestName } from './manifest.js';

/** Folder of what no longer exists, by the time of the run. */
export const deletedFolder = 'deleted';
/** Folder of what earlier runs had (versions/). */
export const versionsFolder = 'versions';

/**
 * Moves everything but the wanted files of a folder into `deleted`, or into versions, so that nothing stale looks current, and
 * removes the drafts of a killed run.
 * @param at folder that the paths are below
 * @returns how many files were moved
 */
export async function clearStale(
  folder: Folder,
  at: string,
  wanted: readonly { path: string }[],
  deleted: string,
): Promise<number> {
  await folder.removeDrafts(at);
  const paths = new Set([manifestName, ...wanted.map(({ path }) => path)]);
  const found = new Set<string>();
  for await (const path of folder.walk(at)) found.add(path.slice(at.length + 1));
  // On a file system that ignores case, a new name may differ from the old in case alone: the same file.
  const renamed = new Set([...paths].filter((path) => !found.has(path)).map(fileNameKey));
  const stale = [...found].filter((path) => !paths.has(path) && !renamed.has(fileNameKey(path)));
  for (const path of stale) await folder.discard(deleted, `${at}/${path}`);
  if (stale.length > 0) await folder.removeEmpty(at);
  return stale.length;
}
