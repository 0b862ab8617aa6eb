import { fileNameKey } from '../../../base/write-file.js';
import { clearStale } from './clear-stale.js';
import type { Folder } from './folder.js';
import type { FileEntry, SpaceEntry } from './manifest.js';
import { setUnnamedAside, type Trust } from './trust.js';

/** What a run leaves in the backup, beside what is in the folders of its spaces. */
interface Left {
  spaces: readonly SpaceEntry[];
  /** At the top. */
  files: readonly FileEntry[];
  doubt: Trust['doubt'] | undefined;
}

/**
 * Moves away what is no longer of a backup: folders of spaces, and files of teams, specs and sites.
 * @param deleted folder for what no longer exists
 * @returns how many were moved
 */
export async function clearGone(
  folder: Folder,
  { spaces, files, doubt }: Left,
  deleted: string,
): Promise<number> {
  let moved = 0;
  const folders = new Set(spaces.map((entry) => fileNameKey(entry.folder)));
  for (const { name } of await folder.entries('spaces')) {
    if (folders.has(fileNameKey(name))) continue;
    await folder.discard(deleted, `spaces/${name}`);
    moved += 1;
  }
  if (doubt !== undefined) moved += await setUnnamedAside(folder, files, deleted);
  for (const kind of ['teams', 'openapi', 'sites']) {
    const below = files.filter(({ path }) => path.startsWith(`${kind}/`));
    const wanted = below.map(({ path }) => ({ path: path.slice(kind.length + 1) }));
    moved += await clearStale(folder, kind, wanted, deleted);
  }
  return moved;
}
