import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { DocsError } from '../errors.js';
import { type CodeCache, openCodeCache } from './code-cache.js';

/**
 * The exports of a module of the build, loaded with its dependencies from the files beside this one, and why the
 * code cache was refused.
 */
export function load<Exports>(name: string): { exports: Exports; refused: DocsError | undefined } {
  const { cache, refused } = tryCache();
  const loader = new Loader(__dirname, cache);
  if (cache !== undefined) process.once('exit', () => cache.save(loader.scripts));
  return { exports: loader.load(name) as Exports, refused };
}

function tryCache(): { cache?: CodeCache | undefined; refused?: DocsError } {
  try {
    return { cache: openCodeCache(process) };
  } catch (cause) {
    return { refused: cause as DocsError };
  }
}

interface Module {
  exports: unknown;
}
type Require = (id: string) => unknown;
/** Names of modules, each before what makes it. */
type Pack = readonly (string | Factory)[];
type Factory = (exports: unknown, require: Require, module: Module, file: string, folder: string) => void;

/**
 * Requires modules as Node does. A file of the build contains one or more modules as functions; the name of one that
 * stands with others begins with the file: `request.js/client-X.js`.
 */
class Loader {
  /** The compiled scripts, by file name. */
  readonly scripts = new Map<string, Script>();
  readonly #factories = new Map<string, Factory>();
  readonly #modules = new Map<string, Module>();
  readonly #folder: string;
  readonly #cache: CodeCache | undefined;

  constructor(folder: string, cache: CodeCache | undefined) {
    this.#folder = folder;
    this.#cache = cache;
  }

  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    this.#factory(name)(
      module.exports,
      this.#require,
      module,
      join(this.#folder, fileOf(name)),
      this.#folder,
    );
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : (require(id) as unknown);

  #factory(name: string): Factory {
    if (!this.#factories.has(name)) this.#read(fileOf(name));
    return this.#factories.get(name) as Factory;
  }

  #read(file: string): void {
    const filename = join(this.#folder, file);
    const source = readFileSync(filename);
    const cachedData = this.#cache?.find(file, source);
    // The build is ASCII, so latin1 saves decoding UTF-8.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache?.miss(file, source);
    this.scripts.set(file, script);
    const pack = script.runInThisContext() as Pack;
    for (let at = 0; at < pack.length; at += 2)
      this.#factories.set(pack[at] as string, pack[at + 1] as Factory);
  }
}

/** The file that a module stands in. */
function fileOf(name: string): string {
  const end = name.indexOf('/');
  return end < 0 ? name : name.slice(0, end);
}
