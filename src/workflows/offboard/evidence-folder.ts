import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { localIoError, systemCode } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';

/** The folder of the evidence: it is checked before anything is read, and made before the first change. */

/**
 * Checks that files can be written to a folder, or that it can be made. Changes nothing.
 * @param folder absolute
 * @throws DocsError local-io: nothing was sent
 */
export async function checkEvidenceFolder(folder: string): Promise<void> {
  try {
    await checkWritable(folder);
  } catch (cause) {
    throw localIoError(cause, `Cannot write the evidence to ${folder}`).with({ outcome: 'not-sent' });
  }
}

/** The folder itself, or where it is missing the nearest one above it. */
async function checkWritable(folder: string): Promise<void> {
  const found = await stat(folder).catch((cause: unknown) => {
    if (systemCode(cause) !== 'ENOENT' || dirname(folder) === folder) throw cause;
  });
  if (found === undefined) return checkWritable(dirname(folder));
  if (!found.isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Makes the folder where it is missing, for its owner alone. @throws DocsError local-io: nothing was sent */
export async function makeEvidenceFolder(folder: string): Promise<void> {
  try {
    makeFolders(folder, 0o700);
  } catch (cause) {
    throw localIoError(cause, `Cannot make the folder ${folder} for the evidence`).with({
      outcome: 'not-sent',
    });
  }
}
