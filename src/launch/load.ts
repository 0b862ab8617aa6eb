import nodeModule from 'node:module';
import { join } from 'node:path';
import { DocsError } from '../base/errors.js';
import { makeFolders } from '../base/own-files.js';
import { settingsPaths } from '../settings/paths.js';
import { isPrivateFolder, openCodeCache, Scripts } from './code-cache.js';
import type { Begun, First, FirstFile, Modules, Pack } from './pack.js';

/** A first file of the build, how the others beside it are read, and why the code cache was refused. */
export function readFirst(file: FirstFile): First {
  const modules: Modules = new Map();
  const { scripts, refused } = open({ modules });
  const read = scripts === undefined ? required : (name: string) => scripts.read(name);
  return { file, pack: read(file), modules, read, refused };
}

/**
 * Reads files of the build where the code cache lacks something.
 * @param begun what was read and loaded so far
 */
export function reader(begun: Begun): (file: string) => Pack {
  const { scripts = new Scripts(__dirname) } = open(begun);
  return (file) => scripts.read(file);
}

/** Opens the cache of compiled code, unless NODE_DISABLE_COMPILE_CACHE says no, or where no home is known. */
function open(begun: Begun): { scripts?: Scripts; refused?: DocsError } {
  // Node 20 keeps no compiled code.
  const isOurs = !('enableCompileCache' in nodeModule);
  const without = isOurs ? { scripts: new Scripts(__dirname) } : {};
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return without;
  try {
    const folder = join(settingsPaths(process).cacheDir, 'code');
    if (isOurs) return { scripts: new Scripts(__dirname, openCodeCache(folder, process), begun) };
    keepCompiled(folder);
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'unsafe_path') return { ...without, refused: cause };
  }
  return without;
}

/**
 * Lets Node keep compiled code in a folder that is closed to others. Node itself looks at nothing, and what it makes
 * inside has the permissions that the user gives new folders.
 */
function keepCompiled(folder: string): void {
  makeFolders(folder, 0o700);
  // The types are those of Node 20.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (isPrivateFolder(folder)) enableCompileCache?.(folder);
}

/** Of a file of the build, as Node reads modules. */
function required(file: string): Pack {
  return require(join(__dirname, file)) as Pack;
}
