import type { FileEntry } from '../../workflows/backup/folder/manifest.js';

/** The files of a space in a backup; what has no file is undefined, or has no items. */
export interface SpaceFiles {
  readonly entries: readonly FileEntry[];
  bytes(entry: FileEntry): Promise<Uint8Array>;
  text(entry: FileEntry): Promise<string>;
  json<T>(entry: FileEntry | undefined): Promise<T | undefined>;
  /** The value of a JSON file whose text was read. */
  parsed<T>(entry: FileEntry, text: string): T;
  /** The items of a list, one at a time. */
  items<T>(entry: FileEntry | undefined): AsyncIterable<T>;
}
