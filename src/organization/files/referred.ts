import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { DocsError, systemCode } from '../../base/errors.js';
import { decodeText } from '../../base/text-encoding.js';
import { isBelow } from '../../files/is-below.js';
import type { ScalarNode } from '../../files/yaml/node.js';
import type { Value } from '../model.js';
import { mistaken, type Spot, textOf } from './spot.js';

/** What `!file` refers to: certificates, schemas. */

const largest = 1024 * 1024;

/**
 * The text of a file that `!file` names, without the line break at its end; as JSON where no text is wanted.
 * Mistakes are reported, and the value is then undefined.
 */
export async function readReferred(spot: Spot, node: ScalarNode, text: boolean): Promise<Value> {
  const path = await referredPath(spot, node, largest);
  if (path === undefined) return undefined;
  const wrong = (message: string) => mistaken(spot, node, message);
  const found = await textAt(join(spot.reading.folder, path), path).catch((error: unknown) => {
    if (error instanceof DocsError) return wrong(`names a file that is not UTF-8 text: ${path}`);
    return wrong(`names a file that cannot be read: ${path} (${systemCode(error) ?? 'unknown error'})`);
  });
  if (found === undefined) return undefined;
  if (text) return found.replace(/\r?\n$/, '');
  try {
    return JSON.parse(found);
  } catch {
    return wrong(`names a file that is not JSON: ${path}`);
  }
}

async function textAt(path: string, name: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return decodeText(await handle.readFile(), name);
  } finally {
    await handle.close();
  }
}

/**
 * The path of a file that `!file` names, relative to the folder of the organization, with `/`.
 * @returns undefined where it is missing, outside the folder, a link or too large, which is reported
 */
export async function referredPath(spot: Spot, node: ScalarNode, most: number): Promise<string | undefined> {
  const { reading, parsed } = spot;
  const name = textOf(node) ?? '';
  const path = posix.normalize(posix.join(posix.dirname(parsed.file), name.replaceAll('\\', '/')));
  const fault =
    name === '' ||
    posix.isAbsolute(name) ||
    /^[A-Za-z]:/.test(name) ||
    path === '..' ||
    path.startsWith('../')
      ? 'must be the path of a file inside the folder, relative to this file'
      : await faultOf(reading.folder, path, most);
  return fault === undefined ? path : mistaken(spot, node, fault);
}

async function faultOf(folder: string, path: string, most: number): Promise<string | undefined> {
  try {
    const full = join(folder, path);
    const stats = await lstat(full);
    if (stats.isSymbolicLink()) return `names a symbolic link, which docs does not follow: ${path}`;
    if (!stats.isFile()) return `names something that is not a file: ${path}`;
    const isInside = isBelow(await realpath(folder), await realpath(dirname(full)));
    if (!isInside) return `names a file outside the folder: ${path}`;
    return stats.size > most ? `names a file of more than ${most / 1024 / 1024} MB: ${path}` : undefined;
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
    return missing
      ? `names a file that does not exist: ${path}`
      : `names a file that cannot be read: ${path}`;
  }
}
