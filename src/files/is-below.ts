import path, { type PlatformPath } from 'node:path';

/**
 * Whether a path is a folder itself, or below it. On Windows the way from one drive to another is no way at all: there
 * `relative` gives the whole path, which does not begin with `..`.
 * @param folder absolute, without links, as is the other
 * @param how the rules of paths; for tests
 */
export function isBelow(folder: string, other: string, how: PlatformPath = path): boolean {
  const way = how.relative(folder, other);
  return way !== '..' && !way.startsWith(`..${how.sep}`) && !how.isAbsolute(way);
}
