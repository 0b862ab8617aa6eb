import { defined } from '../../../base/values.js';
import { fingerprintOf } from '../../../signing/keys.js';
import type { Folder } from '../folder/folder.js';
import type { Changes, Manifest, ReadManifest, RunEntry } from '../folder/manifest.js';
import { signedBy } from '../signature/signed-manifest.js';
import { isRunEntry } from './records.js';

/** Runs that a manifest lists: older ones are known as long as they are kept. */
const mostListed = 50;

/** The number of a run: the first is 1. */
export function runOf({ runs }: Manifest): number {
  return runs + 1;
}

/** The run of a manifest at the top. @param text the manifest, as it was read */
export async function entryOf(folder: Folder, { manifest, text }: ReadManifest): Promise<RunEntry> {
  const { startedAt, finishedAt, state, spaces, changes } = manifest;
  const signed = await signedBy(folder, text);
  const key = typeof signed === 'object' ? fingerprintOf(signed.by) : undefined;
  const head = { run: runOf(manifest), startedAt, finishedAt, state, signedBy: key };
  return defined({ ...head, spaces: spaces.length, ...changes });
}

/** The runs before that of a manifest, the oldest first. What cannot be shown as a run is left out. */
export function logIn({ log }: Manifest): RunEntry[] {
  return Array.isArray(log) ? log.filter(isRunEntry) : [];
}

/** The log of the run after a manifest's. */
export function nextLog(manifest: Manifest, entry: RunEntry): RunEntry[] {
  return [...logIn(manifest), entry].slice(-mostListed);
}

export function noChanges(): Changes {
  return { added: 0, changed: 0, removed: 0 };
}

/** Adds to changes those from the files of one place to those of the same place later, by path. */
export function addChanges(changes: Changes, before: readonly Hashed[], after: readonly Hashed[]): void {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of after) {
    const hash = old.get(path);
    old.delete(path);
    if (hash === undefined) changes.added += 1;
    else if (hash !== sha256) changes.changed += 1;
  }
  changes.removed += old.size;
}

/** A file of a manifest. */
export interface Hashed {
  path: string;
  sha256: string;
  bytes?: number;
}
