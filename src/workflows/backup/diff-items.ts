import type { FileEntry } from './manifest.js';

/** Things of two backups by their ids and the hashes of their files. */

export interface Difference {
  change: 'added' | 'removed' | 'changed' | 'moved';
  kind: string;
  id: string;
  title?: string;
  /** Title of the space. */
  space?: string;
  path?: string;
  from?: string;
}

/** Files by the id of what they are of. */
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

/** Things of several files each: changed where one of the files is. */
export function* diffItems(
  before: ReadonlyMap<string, readonly FileEntry[]>,
  after: ReadonlyMap<string, readonly FileEntry[]>,
  kind: string,
  titleOf: (files: readonly FileEntry[]) => string | undefined = ([first]) => first?.title,
): Generator<Difference> {
  const told = (change: Difference['change'], id: string, files: readonly FileEntry[]): Difference => {
    const title = titleOf(files);
    return { change, kind, id, ...(title !== undefined && { title }) };
  };
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) yield told('removed', id, files);
    else if (hashesOf(files) !== hashesOf(now)) yield told('changed', id, now);
  }
  for (const [id, files] of after) if (!before.has(id)) yield told('added', id, files);
}

/** The same for the same files, wherever they are. */
export function hashesOf(files: readonly FileEntry[]): string {
  return files
    .map(({ kind, id, sha256 }) => `${kind} ${id} ${sha256}`)
    .sort()
    .join('\n');
}
