import { defined } from '../../../defined.js';
import type { FileEntry } from '../folder/manifest.js';
import type { Difference } from '../report.js';

export function grouped(
  files: readonly FileEntry[],
  idOf: (file: FileEntry) => string | undefined = ({ id }) => id,
): Map<string, FileEntry[]> {
  const groups = new Map<string, FileEntry[]>();
  for (const file of files) {
    const id = idOf(file) ?? file.path;
    groups.set(id, [...(groups.get(id) ?? []), file]);
  }
  return groups;
}

/** Differences of things with several files each: changed if one of the files is. */
export function* diffItems(
  before: ReadonlyMap<string, readonly FileEntry[]>,
  after: ReadonlyMap<string, readonly FileEntry[]>,
  kind: string,
  titleOf: (files: readonly FileEntry[]) => string | undefined = ([first]) => first?.title,
): Generator<Difference> {
  const told = (change: Difference['change'], id: string, files: readonly FileEntry[]): Difference => {
    return defined({ change, kind, id, title: titleOf(files) });
  };
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) yield told('removed', id, files);
    else if (hashesOf(files) !== hashesOf(now)) yield told('changed', id, now);
  }
  for (const [id, files] of after) if (!before.has(id)) yield told('added', id, files);
}

/** The same for the same files, whatever their paths. */
export function hashesOf(files: readonly FileEntry[]): string {
  return files
    .map(({ kind, id, sha256 }) => `${kind} ${id} ${sha256}`)
    .sort()
    .join('\n');
}
