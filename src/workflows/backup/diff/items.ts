import { defined } from '../../../base/values.js';
import type { FileEntry } from '../folder/manifest.js';
import type { Difference, FieldChange } from '../report.js';
import { wordsOf } from './fields.js';

export function grouped(
  files: readonly FileEntry[],
  idOf: (file: FileEntry) => string | undefined = ({ id }) => id,
): Map<string, FileEntry[]> {
  const groups = new Map<string, FileEntry[]>();
  for (const file of files) {
    const id = idOf(file) ?? file.path;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [file]);
    else group.push(file);
  }
  return groups;
}

export interface ItemsOf {
  kind: string;
  titleOf?(files: readonly FileEntry[]): string | undefined;
  /** What differs in a thing whose files differ; nothing if that does not matter. */
  fields(before: readonly FileEntry[], after: readonly FileEntry[]): Promise<FieldChange[]>;
}

/** Differences of things with several files each. */
export async function* diffItems(
  before: ReadonlyMap<string, readonly FileEntry[]>,
  after: ReadonlyMap<string, readonly FileEntry[]>,
  { kind, titleOf = ([first]) => first?.title, fields }: ItemsOf,
): AsyncGenerator<Difference> {
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) yield defined({ change: 'removed' as const, kind, id, title: titleOf(files) });
    else if (hashesOf(files) !== hashesOf(now))
      yield* changed({ kind, id, title: titleOf(now) }, await fields(files, now));
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield defined({ change: 'added' as const, kind, id, title: titleOf(files) });
}

type Thing = Pick<Difference, 'kind' | 'id'> & { [K in 'title' | 'path']?: string | undefined };

/** The difference of a thing with these fields; none without fields. */
export function* changed(thing: Thing, fields: FieldChange[]): Generator<Difference> {
  if (fields.length > 0)
    yield { change: 'changed' as const, ...defined(thing), detail: wordsOf(fields), fields };
}

/** The same for the same files, whatever their paths. */
export function hashesOf(files: readonly FileEntry[]): string {
  return files
    .map(({ kind, id, sha256 }) => `${kind} ${id} ${sha256}`)
    .sort()
    .join('\n');
}
