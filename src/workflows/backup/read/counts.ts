import type { Counts, FileEntry, SpaceEntry } from '../folder/manifest.js';

/** Counts of files by what they hold; pages and files of change requests do not count. */
export function countsOf(files: readonly FileEntry[]): Record<string, number> {
  const own = files.filter(({ changeRequest }) => changeRequest === undefined);
  const bytes = own.filter(({ kind }) => kind === 'file').map((file) => file.bytes);
  return {
    pages: own.filter(({ kind }) => kind === 'page').length,
    files: bytes.length,
    fileBytes: bytes.reduce((sum, size) => sum + size, 0),
    changeRequests: files.filter(({ kind }) => kind === 'change-request').length,
  };
}

/** Counts of a whole backup. @param tally those of the organization */
export function summed(tally: Counts, spaces: readonly SpaceEntry[]): Counts {
  const counts: Record<string, number> = { ...tally, spaces: spaces.length };
  for (const { counts: own = {} } of spaces)
    for (const [name, count] of Object.entries(own)) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}
