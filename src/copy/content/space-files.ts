import { jsonOf } from '../../workflows/backup/folder/json-files.js';
import type { FileEntry } from '../../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../../workflows/backup/reader.js';

/** The files of a space in a backup. */
export interface SpaceFiles {
  readonly entries: readonly FileEntry[];
  bytes(entry: FileEntry): Promise<Uint8Array>;
  text(entry: FileEntry): Promise<string>;
  json(entry: FileEntry): Promise<unknown>;
  /** The items of a list, one at a time. */
  items(entry: FileEntry): AsyncIterable<unknown>;
}

/** @param at the folder of the space, with a slash at its end. Errors as `BackupReader` */
export function spaceFilesOf(reader: BackupReader, at: string, entries: readonly FileEntry[]): SpaceFiles {
  const text = (entry: FileEntry) => reader.text(at + entry.path);
  return {
    entries,
    text,
    async bytes(entry) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await reader.bytes(at + entry.path)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    json: async (entry) => jsonOf(await text(entry)),
    items: (entry) => reader.items(at + entry.path),
  };
}
