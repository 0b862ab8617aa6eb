import type { Space } from '../../../api/resources/spaces.js';
import { clearStale } from '../folder/clear-stale.js';
import {
  type FileEntry,
  manifestName,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from '../folder/manifest.js';
import { isAsBefore, lastManifest } from '../staleness.js';
import type { Reading } from './gathering.js';
import { folderSink } from './sink.js';
import { walkSpace } from './space-walk.js';

export interface SpaceOptions {
  folder: string;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Whether texts of replies of the last run are kept (staleness.ts). */
  keepsReplies: boolean;
  /** Folder for what no longer exists: `deleted/2026-01-31T23-59-59Z`. */
  deleted: string;
}

export interface SpaceOutcome {
  manifest: SpaceManifest;
  sha256: string;
  /** Files of the last run, if they are known. */
  before: readonly FileEntry[] | undefined;
  unchanged: boolean;
  /** Files that are no longer of it, moved to `deleted`. */
  moved: number;
  allReplies: boolean;
  older: ReadonlySet<string>;
}

/**
 * Backs up a space. What cannot be read of it is in the manifest, and its files of the last run stay; files
 * that are no longer of it are moved away. If nothing changed, only drafts of a killed run go; else the manifest says
 * `unfinished` from the first change on, and is written last.
 * @throws what no other read can survive (`unreadOf`)
 */
export async function readSpace(
  reading: Reading,
  space: Space,
  options: SpaceOptions,
): Promise<SpaceOutcome> {
  const { folder } = reading;
  const at = spaceFolder(options.folder);
  const old = await lastManifest(reading, space, options.folder);
  let marked: Promise<unknown> | undefined;
  const mark = async (): Promise<void> => {
    if (old === undefined) return;
    marked ??= writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
    await marked;
  };
  const sink = folderSink(folder, mark);
  const how = { compares: false, readsSettings: false, old, sink };
  const { manifest, ...read } = await walkSpace(reading, space, { ...options, ...how });
  const before = old?.files;
  if (!options.full && marked === undefined && isAsBefore(old, manifest)) {
    // A run may have been killed before it changed anything of the space.
    await folder.removeDrafts(at);
    const digest = await folder.digest(`${at}/${manifestName}`);
    return { manifest, sha256: digest?.sha256 ?? '', before, unchanged: true, moved: 0, ...read };
  }
  await mark();
  const moved = await clearStale(folder, at, manifest.files, options.deleted);
  const { sha256 } = await writeSpaceManifest(folder, at, manifest);
  return { manifest, sha256, before, unchanged: false, moved, ...read };
}
