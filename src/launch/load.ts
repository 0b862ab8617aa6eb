import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { type CodeCache, openCodeCache } from './code-cache.js';

/**
 * Loads a file of the build, which stands beside this one, and what it requires. Compiled code comes from
 * V8's cache: where Node keeps one itself it does so here, elsewhere the cache is our own.
 * @returns the exports of the file
 */
export function load<Exports>(name: string): Exports {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  const cache = openCodeCache(process);
  if (cache !== undefined && enableCompileCache !== undefined) enableCompileCache(cache.folder);
  if (cache === undefined || enableCompileCache !== undefined)
    return require(join(__dirname, name)) as Exports;
  const loader = new Loader(__dirname, cache);
  process.once('exit', () => cache.save(loader.scripts));
  return loader.load(name) as Exports;
}

interface Loaded {
  exports: unknown;
}

/** Requires the files of a folder as Node would, save that each is compiled from the cache. */
class Loader {
  /** By file name, what was compiled. */
  readonly scripts = new Map<string, Script>();
  readonly #modules = new Map<string, Loaded>();
  readonly #folder: string;
  readonly #cache: CodeCache;

  constructor(folder: string, cache: CodeCache) {
    this.#folder = folder;
    this.#cache = cache;
  }

  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Loaded = { exports: {} };
    this.#modules.set(name, module);
    const file = join(this.#folder, name);
    // The build is plain ASCII, so that a file need not be decoded.
    const source = readFileSync(file, 'latin1');
    const run = this.#compile(name, file, source).runInThisContext() as (...given: unknown[]) => void;
    run.call(module.exports, module.exports, this.#require, module, file, this.#folder);
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : (require(id) as unknown);

  #compile(name: string, filename: string, source: string): Script {
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const cachedData = this.#cache.find(name, source);
    const script = new Script(wrapped, { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache.miss(name, source);
    this.scripts.set(name, script);
    return script;
  }
}
