import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../base/errors.js';
import { nextTurn } from '../../base/turn.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contentsOf } from '../../jobs/folder-names.js';
import { organizationFile } from '../../organization/files/layout.js';
import type { View } from '../../output/printer.js';
import { beginEarlyOfAll, folderOf, takesOf, typedFolder } from '../shared/organization-files.js';

/** `docs pull`. What writes files is loaded while the platform answers. */

/** @throws DocsError usage `folder_not_empty`; local-io; as the reads */
export async function pullFolder(session: Session, input: ManualInput, view: View): Promise<void> {
  await session.printer.check(view);
  const take = new Set(takesOf(input, ['live']).keys());
  const path = folderOf(session.io, input);
  const isNew = await isNewFolder(path, typedFolder(input));
  const early = isNew ? await beginEarlyOfAll(session) : undefined;
  await nextTurn();
  const { writePulled } = await import('./pull-files.js');
  await writePulled(session, input, { path, isNew, take, early }, view);
}

/**
 * Whether a folder is yet to be filled, which takes one that is new or empty.
 * @throws DocsError usage `folder_not_empty`; as `contentsOf`
 */
async function isNewFolder(path: string, shown: string): Promise<boolean> {
  if (isThere(join(path, organizationFile))) return false;
  const names = (await contentsOf(path, '; nothing was written')) ?? [];
  if (names.length === 0) return true;
  const message = `${shown} is not empty and has no ${organizationFile}; nothing was written`;
  throw usageError('folder_not_empty', message, { hint: 'docs pull --dir <folder>' });
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // Reading the folder reports the error.
  }
}
