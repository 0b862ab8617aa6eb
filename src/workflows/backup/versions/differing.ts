import { defined } from '../../../base/values.js';
import type { FileEntry, SpaceManifest } from '../folder/manifest.js';
import type { Difference } from '../report.js';

/** What differs in the files of a space, or at the top, by path and hash: for where the bytes are lost. */
export function* differingFiles(
  before: Pick<SpaceManifest, 'files'>,
  after: Pick<SpaceManifest, 'files'>,
  at: string,
  space?: string,
): Generator<Difference> {
  const old = new Map(before.files.map((file) => [file.path, file]));
  for (const file of after.files) {
    const was = old.get(file.path);
    old.delete(file.path);
    if (was === undefined) yield differing('added', file, at, space);
    else if (was.sha256 !== file.sha256)
      yield { ...differing('changed', file, at, space), detail: `bytes: ${was.bytes} → ${file.bytes}` };
  }
  for (const file of old.values()) yield differing('removed', file, at, space);
}

function differing(
  change: Difference['change'],
  { kind, id, title, path }: FileEntry,
  at: string,
  space: string | undefined,
): Difference {
  return { change, kind, id: id ?? path, ...defined({ title, space, path: at + path }) };
}
