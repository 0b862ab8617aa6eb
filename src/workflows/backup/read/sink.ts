import type { Content } from '../../../base/write-file.js';
import type { Written } from '../folder/digest.js';
import type { Folder } from '../folder/folder.js';

/** Where what was read goes. Paths are those of the backup. */
export interface Sink {
  put(path: string, content: Content): Promise<Written>;
  /** Whether a file of the last run is still there, in its size. */
  holds(path: string, bytes: number): Promise<boolean>;
}

/** Into the backup. @param beforeChange awaited before each file that is created or replaced */
export function folderSink(folder: Folder, beforeChange?: () => Promise<void>): Sink {
  return {
    put: (path, content) => folder.write(path, content, beforeChange),
    async holds(path, bytes) {
      const stats = await folder.stat(path);
      return stats?.isFile() === true && stats.size === bytes;
    },
  };
}
