import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Io } from '../../base/io.js';
import type { Lock } from '../../plans/lock.js';
import type { LockChange } from '../../plans/plan.js';
import { filesIn, noFolder } from '../files/read.js';
import { Reading } from '../files/reading.js';
import { Names, noFiles } from '../keys.js';
import { kinds } from '../kinds/index.js';
import type { Live } from '../model.js';
import { entryOfGuards, isLooser, placeEntry } from '../value.js';
import type { PullOptions } from './changes.js';
import { LiveTree } from './live-tree.js';
import { guardsOf, newFiles, tellUnread } from './new-files.js';
import { placesOf } from './three-way.js';
import { type Pulled, writeAll } from './write-files.js';

/**
 * Writes what the platform shows into the files of a folder (PLANS.md, "Three-way"): all files into a folder that
 * has none; else only what the platform changed, in place. Files that are not there are not looked at.
 * @param options.onlyDrift writes nothing but what was changed by hand; new items only into `exact` lists
 * @param options.take addresses of items whose edits in the files are given up
 * @throws DocsError usage `bad_files`, `no_org_folder`, `unknown_item`; local-io. Nothing is written then
 */
export async function pull(
  io: Io,
  folder: string,
  live: Live,
  lock: Lock | undefined,
  options: PullOptions,
): Promise<Pulled> {
  const root = resolve(io.cwd, folder);
  if (!(await isNew(io, root))) {
    const { intoFiles } = await import('./into-files.js');
    return intoFiles(io, root, live, lock, options);
  }
  if (options.onlyDrift) throw noFolder(folder, io.platform);
  return intoEmpty(root, live, lock);
}

/** Whether the folder has none of the files. */
async function isNew(io: Io, root: string): Promise<boolean> {
  const entries = await readdir(root).catch(() => []);
  return entries.length === 0 || filesIn(new Reading(io, root)).length === 0;
}

async function intoEmpty(root: string, live: Live, lock: Lock | undefined): Promise<Pulled> {
  const tree = new LiveTree(live, new Names(live, lock, noFiles));
  const files = newFiles(tree);
  tellUnread(tree, files);
  const written = await writeAll(root, files, []);
  const changes = entriesOf(tree);
  const named = new Set(changes.map(({ item }) => item));
  for (const item of Object.keys(lock?.items ?? {})) if (!named.has(item)) changes.push({ item, to: null });
  return { written, kept: [], lock: changes };
}

/** What a plan right after the pull would settle is in the lock: the first change is one line of it. */
function entriesOf(tree: LiveTree): LockChange[] {
  const { live, names } = tree;
  const guards = guardsOf(tree);
  const changes = isLooser(guards) ? [entryOfGuards(guards, live.organizationId)] : [];
  const places = placesOf(tree);
  for (const { name } of kinds) {
    for (const item of live.items.get(name) ?? []) {
      const address = names.of(item);
      if (address === undefined) continue;
      const applied = tree.appliedOf(item);
      const place = places.get(item);
      if (place !== undefined) applied[placeEntry] = place;
      changes.push({ item: address, to: { id: item.id, applied } });
    }
  }
  return changes;
}
