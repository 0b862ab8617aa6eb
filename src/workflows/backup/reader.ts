import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Folder } from './folder/folder.js';
import { linesOf } from './folder/json-files.js';
import {
  type Manifest,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from './folder/manifest.js';
import { openBackup } from './folder/open-folder.js';
import { chooseRun } from './versions/choose.js';
import { manifestOf, RunFolder } from './versions/run-folder.js';

/** What a backup holds, as of its last run or an earlier one. Paths are those of the manifests of that run. */
export interface BackupReader {
  /** The folder, absolute and without links. */
  readonly root: string;
  readonly manifest: Manifest;
  /** The manifest of a space; undefined if no run could read it. @throws DocsError configuration `bad_manifest` */
  space(entry: SpaceEntry): Promise<SpaceManifest | undefined>;
  /**
   * The bytes of a file, in pieces; those of an earlier run are checked against their hash.
   * @throws DocsError local-io `missing_in_backup`; exit 13
   */
  bytes(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** A file as text; for one that is small. Errors as `bytes`. */
  text(path: string): Promise<string>;
  /** The items of a list (`members.json`), one at a time. Errors as `bytes`; SyntaxError if it is damaged. */
  items(path: string): AsyncGenerator<unknown>;
}

export interface ReaderOptions {
  /** A run: its number, `latest`, a time (`2026-01-31`) or an age (`2d`): the last run at or before it. */
  at?: string | undefined;
  /** For ages; the present if absent. */
  nowMs?: number;
}

/**
 * Opens the backup in a folder.
 * @throws DocsError usage `not_a_backup`, `unknown_run`, `invalid_run`; configuration `bad_manifest`; exit 13
 */
export async function openReader(
  path: string,
  { at, nowMs = Date.now() }: ReaderOptions = {},
): Promise<BackupReader> {
  const { folder, manifest } = await openBackup(path);
  const record = at === undefined ? undefined : await chooseRun(folder, manifest, at, nowMs);
  if (record === undefined) return readerOf(folder, manifest);
  const past = await manifestOf(folder, record);
  return readerOf(new RunFolder(folder, record.run, past, manifest), past);
}

/** A reader of the files that a manifest lists. */
export function readerOf(folder: Pick<Folder, 'root' | 'read' | 'text'>, manifest: Manifest): BackupReader {
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

/** Where the file of a kind of a space is (`fields`, `content`); undefined if a run could not read it. Errors as `space`. */
export async function pathOf(
  reader: BackupReader,
  entry: SpaceEntry,
  kind: string,
): Promise<string | undefined> {
  const manifest = await reader.space(entry);
  const file = manifest?.files.find((one) => one.kind === kind && one.changeRequest === undefined);
  return file && `${spaceFolder(entry.folder)}/${file.path}`;
}

/** The command that tells more about a backup that is damaged. */
export function verifyCommand({ root }: Pick<BackupReader, 'root'>): string {
  return `docs backup verify ${shellWord(root, process.platform)} --offline`;
}
