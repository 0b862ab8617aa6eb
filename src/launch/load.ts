import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { type CodeCache, openCodeCache } from './code-cache.js';

/** Written in at build time: by name of a module, the file that holds it together with others. */
declare const __DOCS_PACKS__: Readonly<Record<string, string>>;

/**
 * Loads a module of the build, and what it requires. The files stand beside this one.
 * @returns the exports of the module
 */
export function load<Exports>(name: string): Exports {
  const cache = openCodeCache(process);
  const loader = new Loader(__dirname, cache);
  if (cache !== undefined) process.once('exit', () => cache.save(loader.scripts));
  return loader.load(name) as Exports;
}

type Factory = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

/**
 * Requires modules as Node would. A file of the build holds one module or several, as functions by name,
 * and is compiled from the cache.
 */
class Loader {
  /** By file name, what was compiled. */
  readonly scripts = new Map<string, Script>();
  readonly #factories = new Map<string, Factory>();
  readonly #modules = new Map<string, { exports: unknown }>();
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
    this.#factory(name)(module.exports, this.#require, module, join(this.#folder, name), this.#folder);
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : (require(id) as unknown);

  #factory(name: string): Factory {
    if (!this.#factories.has(name)) this.#read(__DOCS_PACKS__[name] ?? name);
    return this.#factories.get(name) as Factory;
  }

  #read(file: string): void {
    const filename = join(this.#folder, file);
    const source = readFileSync(filename);
    const cachedData = this.#cache?.find(file, source);
    // The build is plain ASCII, so that a file need not be decoded.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache?.miss(file, source);
    this.scripts.set(file, script);
    const factories = script.runInThisContext() as Readonly<Record<string, Factory>>;
    for (const name in factories) this.#factories.set(name, factories[name] as Factory);
  }
}
