import fs from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { systemCode } from '../../base/system-errors.js';
import { isBelow } from '../../files/is-below.js';

/** Which files a call may name: those in the folder of `--files`, whatever links say. */

/** Entries of a folder that are looked at; a larger one is refused. */
const mostEntries = 100_000;

/**
 * Whether a path, and of a folder all that is in it, is inside a folder once every link is followed. What does not
 * exist yet is judged by the folder that it would be made in.
 * @param folder absolute, without links
 */
export function isInside(folder: string, path: string): boolean {
  const real = realPath(resolve(folder, path));
  if (real === undefined || !contains(folder, real)) return false;
  const found = fs.lstatSync(real, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return true;
  return found.isDirectory() && linksStay(folder, real);
}

function contains(folder: string, path: string): boolean {
  return isBelow(folder, path) && resolve(folder, relative(folder, path)) === path;
}

/** The path without links; undefined where it cannot be told, as with a link that leads nowhere. */
function realPath(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') return undefined;
    // A link to nothing would be followed once its target is there.
    if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
    const parent = dirname(path);
    const real = parent === path ? undefined : realPath(parent);
    return real === undefined ? undefined : join(real, path.slice(parent.length));
  }
}

/** Whether all links in a folder lead to what is inside. */
function linksStay(folder: string, path: string): boolean {
  let left = mostEntries;
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      left -= 1;
      if (left < 0) return false;
      const inner = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(inner);
      if (!entry.isSymbolicLink()) continue;
      const real = realPath(inner);
      if (real === undefined || !contains(folder, real)) return false;
    }
  }
  return true;
}
