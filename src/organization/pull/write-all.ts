import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError } from '../../errors.js';
import { renameOver, syncFolder } from '../../files/atomic-write.js';
import { localIoError } from '../../files/local-io-error.js';
import { makeFolders } from '../../make-folders.js';
import { systemCode } from '../../system-error.js';
import type { FileContent } from './new-files.js';

/** Writes several files: all of them are written beside their places before the first takes its place. */

/** Files that are written at once: each waits for the disk. */
const atOnce = 4;

interface Draft {
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
  const drafts: Draft[] = [];
  for (const path of new Set([...files.keys()].map(dirname)))
    await onDisk(path, async () => makeFolders(join(folder, path)));
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
  for (const { path, draft, target } of drafts) await onDisk(path, () => renameOver(draft, target));
  await Promise.all([...new Set(drafts.map(({ target }) => dirname(target)))].map(syncFolder));
  for (const path of removed) await onDisk(path, () => rm(join(folder, path), { force: true }));
  return [...drafts.map(({ path }) => path), ...removed].sort();
}

async function drafted(folder: string, path: string, content: FileContent): Promise<Draft | undefined> {
  const target = join(folder, path);
  return onDisk(path, async () => {
    const stats = await lstat(target).catch(unlessMissing);
    if (stats !== undefined && !stats.isFile()) throw notAFile(path);
    const draft = join(dirname(target), `.docs-${randomBytes(8).toString('hex')}.tmp`);
    const written = await writeDraft(draft, content, stats?.mode ?? 0o644).catch(async (error: unknown) => {
      await rm(draft, { force: true });
      throw error;
    });
    const isSame =
      stats !== undefined && stats.size === written.size && (await digestOf(target)) === written.digest;
    if (!isSame) return { path, target, draft };
    await rm(draft, { force: true });
    return undefined;
  });
}

async function writeDraft(draft: string, content: FileContent, mode: number) {
  const handle = await open(draft, 'wx', mode & 0o777);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of typeof content === 'string' ? [Buffer.from(content)] : content()) {
      hash.update(chunk);
      size += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, digest: hash.digest('hex') };
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
  return new DocsError('local-io', 'unsafe_link', `Cannot write ${path}: it is a link or a directory`);
}

async function onDisk<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof DocsError ? error : localIoError(error, `Cannot write ${path}`);
  }
}
