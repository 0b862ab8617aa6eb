import { versionsFolder } from '../folder/clear-stale.js';
import type { Written } from '../folder/digest.js';
import type { Folder } from '../folder/folder.js';

/** Bytes that earlier runs had, each once, by their hash: `versions/objects/ab/ab12…`. */

export const objectsFolder = `${versionsFolder}/objects`;

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** @param sha256 checked by `isHash` */
export function objectPath(sha256: string): string {
  return `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;
}

/**
 * Makes an object of a plain file, unless there is one: a hard link, so that it takes no space before the file
 * is replaced. An object that is not what its name says is replaced.
 * @param old size and hash of the file, if they are known
 * @returns undefined if there is no plain file
 * @throws DocsError (exit 13)
 */
export async function keepObject(folder: Folder, path: string, old?: Written): Promise<Written | undefined> {
  const file = old ?? (await folder.digest(path));
  if (file === undefined) return undefined;
  const to = objectPath(file.sha256);
  if ((await folder.digest(to))?.sha256 !== file.sha256) await folder.link(path, to);
  return file;
}
