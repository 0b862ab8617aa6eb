import { DocsError } from '../../../base/errors.js';
import { unfinished } from '../../../shards/part-folders.js';
import { clearStale } from '../folder/clear-stale.js';
import { Digest, digested, same } from '../folder/digest.js';
import type { Folder } from '../folder/folder.js';
import {
  type FileEntry,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from '../folder/manifest.js';
import { partSpace } from './check-parts.js';
import type { Part } from './open-parts.js';

/** The copy of a space, or of the files at the top, from a part into the whole. */

/** Whether a space is in the whole as a part has it: the same manifest, and its files in their sizes. */
export async function isInWhole(
  folder: Folder,
  known: SpaceEntry | undefined,
  { sha256, state }: SpaceEntry,
): Promise<boolean> {
  if (known === undefined || sha256 === undefined || known.sha256 !== sha256 || known.state !== state)
    return false;
  const at = spaceFolder(known.folder);
  if ((await folder.digest(`${at}/${manifestName}`))?.sha256 !== sha256) return false;
  const manifest = await manifestIn(folder, at);
  for (const { path, bytes } of manifest?.files ?? []) {
    const stats = await folder.stat(`${at}/${path}`);
    if (stats?.isFile() !== true || stats.size !== bytes) return false;
  }
  return manifest !== undefined;
}

export interface Joined {
  /** Its files in the whole before, if they are known. */
  before: readonly FileEntry[] | undefined;
  after: readonly FileEntry[];
  moved: number;
}

/**
 * Copies a space. Its manifest says `unfinished` from the first change on, and is written last.
 * @param name of its folder in the whole
 * @param deleted folder for what no longer exists
 * @throws DocsError partial `part_missing` where the part was changed since it was checked; exit 13
 */
export async function joinSpace(
  folder: Folder,
  part: Part,
  entry: SpaceEntry,
  { name, deleted, again }: { name: string; deleted: string; again: string },
): Promise<Joined> {
  const manifest = await partSpace(part.folder, entry);
  if (manifest === undefined) throw changed(part, again);
  const at = spaceFolder(name);
  const old = await manifestIn(folder, at);
  if (old?.id === entry.id) await writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
  for (const file of manifest.files)
    await copyFile(folder, part, file, { from: spaceFolder(entry.folder), to: at, again });
  const moved = await clearStale(folder, at, manifest.files, deleted);
  await writeSpaceManifest(folder, at, manifest);
  return { before: old?.id === entry.id ? old.files : undefined, after: manifest.files, moved };
}

/** Copies a file, unless the same is there; one that is not as its part wrote it replaces nothing. */
export async function copyFile(
  folder: Folder,
  part: Part,
  file: FileEntry,
  { from, to, again }: { from: string; to: string; again: string },
): Promise<void> {
  const place = (at: string) => (at === '' ? file.path : `${at}/${file.path}`);
  if (same(await folder.digest(place(to)), file)) return;
  const bytes = await part.folder.read(place(from));
  if (bytes === undefined) throw changed(part, again);
  const digest = new Digest();
  await folder.write(place(to), digested(bytes, digest), async () => {
    if (!same(digest.result(file.path), file)) throw changed(part, again);
  });
}

async function manifestIn(folder: Folder, at: string): Promise<SpaceManifest | undefined> {
  return readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  });
}

function changed({ shard }: Part, again: string): DocsError {
  return unfinished([{ ...shard, why: 'damaged: it was changed while it was joined' }], again);
}
