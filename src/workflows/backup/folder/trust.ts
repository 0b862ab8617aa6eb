import { createHash } from 'node:crypto';
import { DocsError } from '../../../base/errors.js';
import { isWorker } from '../../../base/lock.js';
import { isDraft } from '../../../base/write-file.js';
import type { Signer } from '../../../signing/signer.js';
import { signatureName, signedBy } from '../signature/signed-manifest.js';
import { deletedFolder, versionsFolder } from './clear-stale.js';
import type { Folder } from './folder.js';
import {
  type Manifest,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  spaceFolder,
  spaceManifestText,
} from './manifest.js';

/**
 * What of the last run may be reused. The manifest at the top has the hash of the manifest of each space, which
 * has those of the files: what does not fit was changed by someone else. It is set aside and read again, so that
 * a run never makes it look whole.
 */

export interface Trust {
  /** The last run, without what may not be reused of it. */
  previous: Manifest | undefined;
  /** - `changed`: the manifest is not the one that was signed
   *  - `not-signed`: this run signs, and the last did not with the same key: only what it reads is signed */
  doubt?: 'changed' | 'not-signed';
}

/** @param last manifest of the last run, and its text */
export async function trustIn(
  folder: Folder,
  last: { manifest: Manifest; text: string } | undefined,
  signer: Signer | undefined,
): Promise<Trust> {
  if (last === undefined) return { previous: undefined };
  const signed = await signedBy(folder, last.text);
  if (signed === 'changed') return { previous: namesOnly(last.manifest), doubt: 'changed' };
  if (signer === undefined || signed?.by.equals(signer.publicKey)) return { previous: last.manifest };
  return { previous: namesOnly(last.manifest), doubt: 'not-signed' };
}

/** Which spaces there were: they are looked for, and nothing of them is reused. */
function namesOnly(manifest: Manifest): Manifest {
  const spaces = manifest.spaces.map(({ id, title, folder }) => ({
    id,
    title,
    folder,
    state: 'planned' as const,
  }));
  return { ...manifest, files: [], spaces };
}

/**
 * - `unknown`: the last run was cut off before it noted the manifest: read again
 * - `changed`: neither the manifest that the last run noted, nor that one marked as unfinished
 */
export async function trustInSpace(
  folder: Folder,
  { folder: name, sha256, state }: SpaceEntry,
  last: Manifest | undefined,
): Promise<'same' | 'unknown' | 'changed'> {
  const at = spaceFolder(name);
  const digest = await folder.digest(`${at}/${manifestName}`);
  if (digest === undefined || digest.sha256 === sha256) return 'same';
  if (sha256 === undefined) return 'unknown';
  const manifest = await readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  });
  if (manifest?.state === 'unfinished' && state !== 'planned') {
    const before = spaceManifestText({ ...manifest, state });
    if (createHash('sha256').update(before).digest('hex') === sha256) return 'same';
  }
  return last?.state === 'unfinished' ? 'unknown' : 'changed';
}

/** Moves lists at the top that no manifest names into `deleted`. @returns how many */
export async function setUnnamedAside(
  folder: Folder,
  files: readonly { path: string }[],
  deleted: string,
): Promise<number> {
  const named = new Set([manifestName, ...files.map(({ path }) => path)]);
  const entries = await folder.entries('');
  const unnamed = entries.filter(
    (entry) => !entry.isDirectory() && entry.name.endsWith('.json') && !named.has(entry.name),
  );
  for (const { name } of unnamed) await folder.moveInto(deleted, name);
  return unnamed.length;
}

const staying = new Set([deletedFolder, versionsFolder, manifestName, signatureName]);

/** Moves everything but versions into `deleted`, with copies of the manifest and its signature. @returns how much was moved */
export async function setAllAside(folder: Folder, deleted: string): Promise<number> {
  for (const name of [manifestName, signatureName]) {
    const text = await folder.text(name);
    if (text !== undefined) await folder.write(`${deleted}/${name}`, text);
  }
  let moved = 0;
  for (const { name } of await folder.entries('')) {
    if (staying.has(name) || isWorker(name) || isDraft(name)) continue;
    await folder.moveInto(deleted, name);
    moved += 1;
  }
  return moved;
}
