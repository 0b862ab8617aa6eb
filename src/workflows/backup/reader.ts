import { DocsError } from '../../errors.js';
import { linesOf } from './folder/json-files.js';
import {
  type Manifest,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from './folder/manifest.js';
import { openBackup } from './folder/open-folder.js';

/** What a backup holds, as of its last run. Paths are those of the manifests at the top. */
export interface BackupReader {
  /** The folder, absolute and without links. */
  readonly root: string;
  readonly manifest: Manifest;
  /** The manifest of a space; undefined if it was never read. @throws DocsError configuration `bad_manifest` */
  space(entry: SpaceEntry): Promise<SpaceManifest | undefined>;
  /** The bytes of a file, in pieces. @throws DocsError local-io `missing_in_backup`; exit 13 */
  bytes(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** A file as text; for one that is small. Errors as `bytes`. */
  text(path: string): Promise<string>;
  /** The items of a list (`members.json`), one at a time. Errors as `bytes`; SyntaxError if it is damaged. */
  items(path: string): AsyncGenerator<unknown>;
}

/** Opens the backup in a folder. @throws DocsError usage `not_a_backup`; configuration `bad_manifest`; exit 13 */
export async function openReader(path: string): Promise<BackupReader> {
  const { folder, manifest } = await openBackup(path);
  const bytes = async (file: string): Promise<AsyncIterable<Uint8Array>> => {
    const found = await folder.read(file);
    if (found !== undefined) return found;
    throw new DocsError('local-io', 'missing_in_backup', `${file} is missing in ${folder.root}`, {
      outcome: 'not-sent',
    });
  };
  return {
    root: folder.root,
    manifest,
    bytes,
    space: (entry) => readSpaceManifest(folder, spaceFolder(entry.folder)),
    async text(file) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await bytes(file)) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
    async *items(file) {
      yield* linesOf(await bytes(file));
    },
  };
}
