import type { Io } from '../../io.js';
import type { Desired } from '../model.js';

/**
 * Reads the files of a folder.
 * @throws DocsError usage `no_org_folder` without `org.yaml`; `bad_files` with all mistakes at once, each with
 *   file, line, column, path, what was expected and the nearest known key
 */
export async function readFolder(_io: Io, _folder: string): Promise<Desired> {
  throw new Error('not built yet');
}
