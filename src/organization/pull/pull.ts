import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DocsError, onDisk, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { makeFolders } from '../../base/own-files.js';
import { renameOver, syncFolder, writeDraft } from '../../base/write-file.js';
import type { Lock } from '../../plans/lock.js';
import type { LockChange } from '../../plans/plan.js';
import { organizationFile } from '../files/layout.js';
import { filesIn, noFolder, readFiles } from '../files/read.js';
import { badFiles, Reading } from '../files/reading.js';
import { Names, noFiles } from '../keys.js';
import { kinds } from '../kinds/index.js';
import type { Address, Live } from '../model.js';
import { entryOfGuards, isLooser } from '../planner/guards.js';
import { placeEntry } from '../value.js';
import { changesOf, type Kept, type PullOptions } from './changes.js';
import { editedFiles } from './edit-files.js';
import { LiveTree } from './live-tree.js';
import { type FileContent, guardsOf, newFiles, schemaFiles, tellUnread } from './new-files.js';
import { placesOf } from './three-way.js';

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
): Promise<Pulled> {
  const root = resolve(io.cwd, folder);
  if (!(await isNew(io, root))) return intoFiles(io, root, live, lock, options);
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

async function intoFiles(
  io: Io,
  root: string,
  live: Live,
  lock: Lock | undefined,
  options: PullOptions,
): Promise<Pulled> {
  const reading = await readFiles(io, root);
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
    for (const [path, text] of schemaFiles()) files.set(path, text);
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

/** Writes several files: all of them are written beside their places before the first takes its place. */

/** Files that are written at once: each waits for the disk. */
const atOnce = 4;

interface PendingFile {
  path: string;
  target: string;
  draft: string;
}

/**
 * @param files by path relative to the folder; those that have that content already are left alone
 * @param removed files to remove, once the others are written
 * @returns the paths of those that were written or removed, sorted
 * @throws DocsError local-io; unless the disk fails between two renames, nothing was changed
 */
async function writeAll(
  folder: string,
  files: ReadonlyMap<string, FileContent>,
  removed: readonly string[],
): Promise<string[]> {
  const drafts: PendingFile[] = [];
  for (const path of new Set([...files.keys()].map(dirname)))
    await onDisk(`cannot write ${path}`, async () => makeFolders(join(folder, path)));
  const waiting = [...files];
  const draftAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const draft = await drafted(folder, ...next);
      if (draft !== undefined) drafts.push(draft);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, draftAll));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    for (const { draft } of drafts) await rm(draft, { force: true }).catch(() => {});
    throw failed.reason;
  }
  for (const { path, draft, target } of drafts)
    await onDisk(`cannot write ${path}`, () => renameOver(draft, target));
  await Promise.all([...new Set(drafts.map(({ target }) => dirname(target)))].map(syncFolder));
  for (const path of removed)
    await onDisk(`cannot write ${path}`, () => rm(join(folder, path), { force: true }));
  return [...drafts.map(({ path }) => path), ...removed].sort();
}

async function drafted(folder: string, path: string, content: FileContent): Promise<PendingFile | undefined> {
  const target = join(folder, path);
  const stats = await onDisk(`cannot write ${path}`, () => lstat(target).catch(unlessMissing));
  if (stats !== undefined && !stats.isFile()) throw notAFile(path);
  const hash = createHash('sha256');
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of typeof content === 'string' ? [Buffer.from(content)] : content()) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  const draft = await onDisk(`cannot write ${path}`, () =>
    writeDraft(dirname(target), counted(), path, (stats?.mode ?? 0o644) & 0o777),
  );
  return onDisk(`cannot write ${path}`, async () => {
    const isSame =
      stats !== undefined && stats.size === size && (await digestOf(target)) === hash.digest('hex');
    if (!isSame) return { path, target, draft };
    await rm(draft, { force: true });
    return undefined;
  });
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) === 'ENOENT') return undefined;
  throw error;
}

function notAFile(path: string): DocsError {
  return new DocsError('local-io', 'unsafe_link', `cannot write ${path}: it is a link or a directory`);
}
