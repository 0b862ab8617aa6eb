import { nameKey } from '../../output/file-name.js';
import type { Folder } from './folder.js';
import { manifestName } from './manifest.js';

/** What is in the folder and no longer on the platform: moved away, so that nothing stale looks current. */

/** Where what is gone is kept, by the time of the run. */
export const deletedFolder = 'deleted';

/**
 * Moves what a folder holds beside the wanted files into `deleted`, and removes what a killed run left
 * half written.
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
  const paths = new Set(wanted.map(({ path }) => path));
  paths.add(manifestName);
  const found = new Set<string>();
  for await (const path of folder.walk(at)) found.add(path.slice(at.length + 1));
  // Where case does not count, a new name may be in the old one's place: it is the same file.
  const renamed = new Set([...paths].filter((path) => !found.has(path)).map(nameKey));
  const stale = [...found].filter((path) => !paths.has(path) && !renamed.has(nameKey(path)));
  for (const path of stale) await folder.moveInto(deleted, `${at}/${path}`);
  if (stale.length > 0) await folder.removeEmpty(at);
  return stale.length;
}
