import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { Lock } from '../plans/lock.js';
import type { LockChange } from '../plans/plan.js';
import { organizationFile } from './files/layout.js';
import { badFiles } from './files/mistakes.js';
import { filesIn, noFolder, readFiles } from './files/read.js';
import { Reading } from './files/reading.js';
import { Names, noFiles } from './keys.js';
import type { Kind } from './kind.js';
import { kinds as allKinds } from './kinds/index.js';
import type { Address, Live } from './model.js';
import { entryOfGuards, isLooser } from './planner/guard-settings.js';
import { changesOf, type PullOptions } from './pull/changes.js';
import { editedFiles } from './pull/edit-files.js';
import type { Kept } from './pull/kept.js';
import { LiveTree } from './pull/live-tree.js';
import { guardsOf, newFiles, schemaFiles } from './pull/new-files.js';
import { placeEntry, placesOf } from './pull/orders.js';
import { tellUnread } from './pull/unread-lines.js';
import { writeAll } from './pull/write-all.js';

export interface Pulled {
  /** Files that were written, relative to the folder. */
  written: readonly string[];
  /** Items that were edited in the files and on the platform, or in the files alone: left as they are. */
  kept: readonly Kept[];
  /** Addresses of items that no file names any more, and that are still on the platform; absent where there are none. */
  left?: readonly Address[];
  /** For `updateLock`, once the files are written. */
  lock: readonly LockChange[];
}

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
  kinds: readonly Kind[] = allKinds,
): Promise<Pulled> {
  const root = resolve(io.cwd, folder);
  if (!(await isNew(io, root, kinds))) return intoFiles(io, root, live, lock, options, kinds);
  if (options.onlyDrift) throw noFolder(folder, io.platform);
  return intoEmpty(root, live, lock, kinds);
}

/** Whether the folder has none of the files. */
async function isNew(io: Io, root: string, kinds: readonly Kind[]): Promise<boolean> {
  const entries = await readdir(root).catch(() => []);
  return entries.length === 0 || (await filesIn(new Reading(io, root, kinds))).length === 0;
}

async function intoEmpty(
  root: string,
  live: Live,
  lock: Lock | undefined,
  kinds: readonly Kind[],
): Promise<Pulled> {
  const names = new Names(kinds, live, lock, noFiles);
  const tree = new LiveTree(kinds, live, names);
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
  const { live, names, kinds } = tree;
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

async function intoFiles(
  io: Io,
  root: string,
  live: Live,
  lock: Lock | undefined,
  options: PullOptions,
  kinds: readonly Kind[],
): Promise<Pulled> {
  const reading = await readFiles(io, root, kinds);
  if (reading.mistakes.length > 0) throw badFiles(reading.mistakes);
  const changes = changesOf(reading, live, lock, options);
  const known = (address: string) => reading.items.has(address as Address) || address in (lock?.items ?? {});
  const unknown = [...options.take].filter((address) => !known(address));
  if (unknown.length > 0) throw unknownItems(unknown);
  const { files, removed } = editedFiles(reading, changes);
  if (!options.onlyDrift) {
    const present = [...reading.parsed].filter(([path]) => !removed.includes(path));
    tellUnread(
      changes.tree,
      files,
      new Map(present.map(([path, { mark = '', text }]) => [path, mark + text])),
    );
    for (const [path, text] of schemaFiles(changes.tree)) files.set(path, text);
  }
  const written = await writeAll(root, files, removed);
  const { kept, left, lock: entries } = changes;
  return { written, kept, lock: entries, ...(left.length > 0 && { left }) };
}

function unknownItems(addresses: readonly string[]) {
  return usageError('unknown_item', `no file has ${addresses.join(', ')}; nothing was changed`, {
    hint: `Addresses look like teams/writers and people/ada@acme.example; ${organizationFile} is organization/organization.`,
  });
}
