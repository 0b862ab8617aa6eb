import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError, onDisk, systemCode } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { renameOver, syncFolder, writeDraft } from '../../base/write-file.js';
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
    await onDisk(`Cannot write ${path}`, async () => makeFolders(join(folder, path)));
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
    await onDisk(`Cannot write ${path}`, () => renameOver(draft, target));
  await Promise.all([...new Set(drafts.map(({ target }) => dirname(target)))].map(syncFolder));
  for (const path of removed)
    await onDisk(`Cannot write ${path}`, () => rm(join(folder, path), { force: true }));
  return [...drafts.map(({ path }) => path), ...removed].sort();
}

async function drafted(folder: string, path: string, content: FileContent): Promise<Draft | undefined> {
  const target = join(folder, path);
  const stats = await onDisk(`Cannot write ${path}`, () => lstat(target).catch(unlessMissing));
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
  const draft = await onDisk(`Cannot write ${path}`, () =>
    writeDraft(dirname(target), counted(), path, (stats?.mode ?? 0o644) & 0o777),
  );
  return onDisk(`Cannot write ${path}`, async () => {
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
  return new DocsError('local-io', 'unsafe_link', `Cannot write ${path}: it is a link or a directory`);
}
