import { copyFileSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';

/**
 * The compiled code of the build (docs/decisions/010), handed from home to home, so that not each one compiles
 * everything again. A home takes over what an earlier one has left. A file that is there is never written to:
 * docs replaces it.
 */

const name = `${process.version}-${process.arch}.bin`;
// Beside the homes, so that they can share it by links. Tests of the sources load this file, too, and have none.
const keptFile = () => join(inject('compiled'), name);
const fileIn = (home: string) => join(home, '.cache', 'docs', 'code', name);

/** Gives a new home the code that another one has left, if any. */
export function takeCode(home: string): void {
  const [file, kept] = [fileIn(home), keptFile()];
  if (sizeOf(kept) === 0) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  placed(kept, file);
}

/** Keeps the code of a home for the next ones, if it is more than what is kept. */
export function keepCode(home: string): void {
  const [file, kept] = [fileIn(home), keptFile()];
  if (sizeOf(file) <= sizeOf(kept)) return;
  const next = `${kept}.${process.pid}`;
  rmSync(next, { force: true });
  placed(file, next);
  renameSync(next, kept);
}

/** A link costs nothing, but not every file system has them. */
function placed(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** In bytes; 0 for what is no file. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}
