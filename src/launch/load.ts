import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { DocsError } from '../errors.js';
import { type CodeCache, openCodeCache } from './code-cache.js';

/** Set at build time: the file that contains a module together with others, by module name. */
declare const __DOCS_PACKS__: Readonly<Record<string, string>>;

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
type Factory = (exports: unknown, require: Require, module: Module, file: string, folder: string) => void;

/**
 * Requires modules as Node does. A file of the build contains one or more modules as functions, by name,
 * and is compiled with cached code.
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
    // The build is ASCII, so latin1 saves decoding UTF-8.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache?.miss(file, source);
    this.scripts.set(file, script);
    const factories = script.runInThisContext() as Readonly<Record<string, Factory>>;
    for (const name in factories) this.#factories.set(name, factories[name] as Factory);
  }
}
