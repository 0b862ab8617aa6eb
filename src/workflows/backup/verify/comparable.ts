import { DocsError } from '../../../base/errors.js';
import type { Folder } from '../folder/folder.js';
import type { FailedEntry, FileEntry } from '../folder/manifest.js';

/** The files of a place: as the manifest has them, and as they would be now. */
interface Compared {
  before: readonly FileEntry[];
  after: readonly FileEntry[];
}

/**
 * Leaves out what is a finding without the platform: files that are missing or damaged, which would look as
 * if all of it were new, and what the last run could not read.
 * @param at folder of the files, with `/` at its end; '' for the top
 */
export async function comparable(
  folder: Folder,
  at: string,
  { files, failed }: { files: readonly FileEntry[]; failed: readonly FailedEntry[] },
  now: readonly FileEntry[],
): Promise<Compared> {
  const hashes = new Map(now.map((entry) => [keyOf(entry), entry.sha256]));
  const had = new Set(files.map(({ kind }) => kind));
  const unread = new Set(failed.map(({ kind }) => kind).filter((kind) => !had.has(kind)));
  const damaged = new Set<string>();
  for (const entry of files) {
    const key = keyOf(entry);
    if (hashes.get(key) !== entry.sha256 && !(await isIntact(folder, at, entry))) damaged.add(key);
  }
  const isCompared = (entry: FileEntry) => !damaged.has(keyOf(entry)) && !unread.has(entry.kind);
  return { before: files.filter(isCompared), after: now.filter(isCompared) };
}

function keyOf({ kind, id, changeRequest }: FileEntry): string {
  return JSON.stringify([kind, id, changeRequest]);
}

async function isIntact(folder: Folder, at: string, { path, sha256 }: FileEntry): Promise<boolean> {
  try {
    return (await folder.digest(at + path))?.sha256 === sha256;
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'unsafe_link') return false;
    throw cause;
  }
}
