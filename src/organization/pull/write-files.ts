import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError, onDisk } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { renameOverSync, syncFolder, writeDraft } from '../../base/write-file.js';
import type { LockChange } from '../../plans/plan.js';
import type { Address } from '../model.js';
import type { Kept } from './changes.js';
import type { FileContent } from './new-files.js';

/** What a pull did. */
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
export async function writeAll(
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
    await onDisk(`cannot write ${path}`, async () => renameOverSync(draft, target));
  await Promise.all([...new Set(drafts.map(({ target }) => dirname(target)))].map(syncFolder));
  for (const path of removed)
    await onDisk(`cannot write ${path}`, () => rm(join(folder, path), { force: true }));
  return [...drafts.map(({ path }) => path), ...removed].sort();
}

/** @returns undefined where the file has that content already */
async function drafted(folder: string, path: string, content: FileContent): Promise<PendingFile | undefined> {
  const target = join(folder, path);
  const step = <T>(what: () => Promise<T>) => onDisk(`cannot write ${path}`, what);
  const stats = await step(async () => lstatSync(target, { throwIfNoEntry: false }));
  if (stats !== undefined && !stats.isFile()) throw notAFile(path);
  if (typeof content === 'string' && (await step(async () => isAt(target, stats, content)))) return undefined;
  const mode = (stats?.mode ?? 0o644) & 0o777;
  const source = typeof content === 'string' ? content : content();
  const draft = await step(() => writeDraft(dirname(target), source, path, mode));
  if (stats === undefined || typeof content === 'string') return { path, target, draft };
  return step(async () => {
    if ((await digestOf(target)) !== (await digestOf(draft))) return { path, target, draft };
    await rm(draft, { force: true });
    return undefined;
  });
}

function isAt(target: string, stats: Stats | undefined, content: string): boolean {
  return stats?.size === Buffer.byteLength(content) && readFileSync(target).equals(Buffer.from(content));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function notAFile(path: string): DocsError {
  return new DocsError('local-io', 'unsafe_link', `cannot write ${path}: it is a link or a directory`);
}
