import { realpath } from 'node:fs/promises';
import { DocsError, localIoError, usageError } from '../../../base/errors.js';
import { forgetOthers, takeWork } from '../../../base/lock.js';
import { makeFolders } from '../../../base/own-files.js';
import { shellWord } from '../../../base/shell-word.js';
import { contentsOf } from '../../../jobs/folder-names.js';
import { Folder } from './folder.js';
import { type Manifest, manifestName, type ReadManifest, readManifest } from './manifest.js';

/** What the lock of a run is named by. */
export const lockName = 'backup';

/**
 * Checks whether a backup may be written to a folder, which must be new, empty, or a backup of the same
 * organization; writes nothing.
 * @param path absolute
 * @returns with the manifest of the last run, if there was one
 * @throws DocsError usage `not_a_backup`, `other_organization`; configuration `bad_manifest`; exit 13
 */
export async function openFolder(path: string, organization: string, platform: string): Promise<Target> {
  const target = await openTarget(path);
  const { last } = target;
  if (last !== undefined) refuseOther(path, last.manifest, organization, platform);
  return target;
}

/** Where a backup can be written, with the manifest of the last run, if there was one. */
interface Target {
  folder: Folder;
  last: ReadManifest | undefined;
}

/**
 * A folder that is new, empty or a backup, of whichever organization.
 * @param path absolute
 * @throws DocsError usage `not_a_backup`; configuration `bad_manifest`; exit 13
 */
export async function openTarget(path: string): Promise<Target> {
  const names = await contentsOf(path, '; nothing was written');
  const folder = new Folder(names === undefined ? path : await realpath(path));
  if (names === undefined || names.length === 0) return { folder, last: undefined };
  const last = names.includes(manifestName) ? await readManifest(folder) : undefined;
  if (last === undefined)
    throw usageError('not_a_backup', `${path} is not empty and not a backup; nothing was written`);
  return { folder, last };
}

/** The backup in a folder. @throws DocsError usage `not_a_backup`; configuration `bad_manifest`; exit 13 */
export async function openBackup(path: string): Promise<{ folder: Folder } & ReadManifest> {
  const names = await contentsOf(path, '');
  const folder = new Folder(names === undefined ? path : await realpath(path));
  const read = names?.includes(manifestName) ? await readManifest(folder) : undefined;
  if (read !== undefined) return { folder, ...read };
  throw usageError('not_a_backup', `${path} is not a backup: ${manifestName} not found`, {
    hint: 'docs backup run --out <folder>',
  });
}

/**
 * Creates the folder, and locks it for this process.
 * @param alone whether a lock of another machine is that of a run which was killed: parts run wherever there is room
 * @throws DocsError local-io `backup_running`; exit 13
 */
export async function takeFolder({ root }: Folder, alone = false): Promise<{ release(): void }> {
  try {
    makeFolders(root, 0o700);
    if (alone) forgetOthers(root);
    return takeWork(root, lockName, (other) => ({
      code: 'backup_running',
      message: `another docs process (${other}) is writing to ${root}`,
      hint: `docs backup status ${shellWord(root, process.platform)}`,
    }));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw localIoError(cause, `Cannot write ${root}`);
  }
}

function refuseOther(path: string, { organization, platform }: Manifest, id: string, own: string): void {
  if (organization.id === id && platform === own) return;
  const [there, here] = platform === own ? ['', ''] : [` on ${platform}`, ` on ${own}`];
  const message = `${path} is a backup of organization ${organization.id}${there}, not of ${id}${here}; nothing was written`;
  throw usageError('other_organization', message);
}
