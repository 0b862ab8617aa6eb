import { isDraft } from '../../../base/write-file.js';
import { versionsFolder } from '../folder/clear-stale.js';
import type { Folder } from '../folder/folder.js';
import type { Manifest } from '../folder/manifest.js';
import { isLost } from './choose.js';
import { isHash, objectPath, objectsFolder } from './objects.js';
import { isRecordName, type RunRecord, readRecords, runsFolder } from './records.js';
import { manifestOf, RunFolder } from './run-folder.js';

/** Objects that are looked at in one pass: their names are held in memory. */
const mostAtOnce = 50_000;

/**
 * Removes the objects that no kept run refers to. If a manifest of a kept run is damaged, it is not known what
 * that run refers to, and nothing is removed.
 * @returns how many were removed
 * @throws DocsError (exit 13)
 */
export async function sweep(folder: Folder, present: Manifest): Promise<number> {
  const records = await readRecords(folder);
  let removed = 0;
  for await (const names of passes(folder)) {
    try {
      for await (const hash of referred(folder, records, present)) names.delete(hash);
    } catch (cause) {
      if (isLost(cause)) return removed;
      throw cause;
    }
    for (const name of names) await folder.remove(objectPath(name));
    removed += names.size;
  }
  if (removed > 0) await folder.removeEmpty(objectsFolder);
  return removed;
}

async function* passes(folder: Folder): AsyncGenerator<Set<string>> {
  let names = new Set<string>();
  for (const { name: below } of await folder.entries(objectsFolder)) {
    for (const { name } of await folder.entries(`${objectsFolder}/${below}`)) {
      if (isHash(name) && name.startsWith(below)) names.add(name);
      else if (isDraft(name)) await folder.removeDraft(`${objectsFolder}/${below}/${name}`);
    }
    if (names.size < mostAtOnce) continue;
    yield names;
    names = new Set();
  }
  if (names.size > 0) yield names;
}

/** Hashes of all that the runs consist of. Manifests of spaces that several runs share are read once. */
async function* referred(
  folder: Folder,
  records: readonly RunRecord[],
  present: Manifest,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (const record of records) {
    yield record.manifest;
    if (record.signature !== undefined) yield record.signature;
    const manifest = await manifestOf(folder, record);
    const files = new RunFolder(folder, record.run, manifest, present);
    for (const { sha256 } of manifest.files) yield sha256;
    for (const entry of manifest.spaces) {
      if (entry.sha256 === undefined || seen.has(entry.sha256)) continue;
      seen.add(entry.sha256);
      yield entry.sha256;
      for (const { sha256 } of (await files.space(entry))?.files ?? []) yield sha256;
    }
  }
}

/** Removes all versions, first what lists them. Files that are not ours stay. @throws DocsError (exit 13) */
export async function removeVersions(folder: Folder): Promise<void> {
  for (const at of [runsFolder, objectsFolder]) {
    for await (const path of folder.walk(at)) {
      const name = path.split('/').at(-1) ?? '';
      if (isHash(name) || isRecordName(name) || isDraft(name)) await folder.remove(path);
    }
  }
  await folder.removeIfEmpty(versionsFolder);
}
