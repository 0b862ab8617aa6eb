import type { Folder } from '../folder/folder.js';
import {
  type Changes,
  type FileEntry,
  type Manifest,
  readSpaceManifest,
  type SpaceEntry,
  spaceFolder,
} from '../folder/manifest.js';
import { isLost } from './choose.js';
import { addChanges, noChanges } from './entries.js';
import type { RunRecord } from './records.js';
import { manifestOf, RunFolder } from './run-folder.js';

/**
 * How many files a run changed since a kept one. Spaces whose manifests are equal are not read.
 * @returns undefined if a manifest of the kept run is lost
 * @throws DocsError (exit 13)
 */
export async function countChanges(
  folder: Folder,
  record: RunRecord,
  now: Pick<Manifest, 'files' | 'spaces'>,
): Promise<Changes | undefined> {
  const changes = noChanges();
  try {
    const old = await manifestOf(folder, record);
    const files = new RunFolder(folder, record.run, old, now);
    addChanges(changes, old.files, now.files);
    const there = new Map(now.spaces.map((entry) => [entry.id, entry]));
    for (const entry of old.spaces) {
      const later = there.get(entry.id);
      there.delete(entry.id);
      if (later?.sha256 === entry.sha256) continue;
      const before = await files.space(entry);
      addChanges(changes, before?.files ?? [], later ? await filesOf(folder, later) : []);
    }
    for (const entry of there.values()) addChanges(changes, [], await filesOf(folder, entry));
    return changes;
  } catch (cause) {
    if (isLost(cause)) return undefined;
    throw cause;
  }
}

async function filesOf(folder: Folder, entry: SpaceEntry): Promise<readonly FileEntry[]> {
  return (await readSpaceManifest(folder, spaceFolder(entry.folder)))?.files ?? [];
}
