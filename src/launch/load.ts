import { mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { DocsError } from '../errors.js';
import { settingsPaths } from '../settings/paths.js';
import { openCodeCache } from './code-cache.js';
import { isPrivateFolder } from './own-folder.js';
import { type Pack, Scripts } from './scripts.js';

/**
 * The exports of a module of the build, loaded with its dependencies from the files beside this one, and why the
 * code cache was refused.
 */
export function load<Exports>(name: string): { exports: Exports; refused: DocsError | undefined } {
  const { scripts, refused } = open();
  const read = scripts === undefined ? required : (file: string) => scripts.read(file);
  return { exports: new Loader(read).load(name) as Exports, refused };
}

/** Opens the cache of compiled code, unless NODE_DISABLE_COMPILE_CACHE says no, or where no home is known. */
function open(): { scripts?: Scripts; refused?: DocsError } {
  // Node 20 keeps no compiled code.
  const isOurs = !('enableCompileCache' in nodeModule);
  const without = isOurs ? { scripts: new Scripts(__dirname) } : {};
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return without;
  try {
    const folder = join(settingsPaths(process).cacheDir, 'code');
    if (isOurs) return { scripts: new Scripts(__dirname, openCodeCache(folder, process)) };
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The types are those of Node 20.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (isPrivateFolder(folder)) enableCompileCache?.(folder);
}

/** Of a file of the build, as Node reads modules. */
function required(file: string): Pack {
  return require(join(__dirname, file)) as Pack;
}

interface Module {
  exports: unknown;
}
type Require = (id: string) => unknown;
type Factory = (exports: unknown, require: Require, module: Module, file: string, folder: string) => void;

/**
 * Requires modules as Node does. A file of the build contains one or more modules as functions; the name of one that
 * stands with others begins with the file: `request.js/client-X.js`.
 */
class Loader {
  readonly #factories = new Map<string, Factory>();
  readonly #modules = new Map<string, Module>();
  readonly #read: (file: string) => Pack;

  constructor(read: (file: string) => Pack) {
    this.#read = read;
  }

  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const file = fileOf(name);
    if (!this.#factories.has(name)) this.#add(this.#read(file));
    this.#factories.get(name)?.(module.exports, this.#require, module, join(__dirname, file), __dirname);
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : (require(id) as unknown);

  #add(pack: Pack): void {
    for (let at = 0; at < pack.length; at += 2)
      this.#factories.set(pack[at] as string, pack[at + 1] as Factory);
  }
}

/** The file that a module stands in. */
function fileOf(name: string): string {
  const end = name.indexOf('/');
  return end < 0 ? name : name.slice(0, end);
}
