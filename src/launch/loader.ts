import { keptPack } from './kept.js';
import { type Factory, type First, type Pack, programModule, type Require } from './pack.js';

/**
 * Runs the program. This module stands first in the first file of the build, so that its code comes from the cache; it
 * requires nothing of the build.
 * @param node what Node requires beside the launcher
 */
export function runProgram(first: First, node: Require): Promise<void> {
  const program = new Loader(first, node).load(programModule) as typeof import('../process.js');
  return program.runProcess(first.refused);
}

/**
 * Requires modules as Node does. A file of the build contains one or more modules as functions; the name of one that
 * stands with others begins with the file: `request.js/client-X.js`.
 */
class Loader {
  readonly #factories = new Map<string, Factory>();
  /** Modules that no run loaded of whose code the cache was made: it has none of their functions. */
  readonly #uncached = new Set<string>();
  readonly #first: First;
  readonly #node: Require;
  #read: First['read'];

  constructor(first: First, node: Require) {
    this.#first = first;
    this.#node = node;
    this.#read = first.read;
    this.#add(first.pack, first.file);
  }

  load(name: string): unknown {
    const { modules } = this.#first;
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const end = name.indexOf('/');
    const file = end < 0 ? name : name.slice(0, end);
    if (!this.#factories.has(name)) this.#add(this.#packOf(file), file);
    if (this.#uncached.has(name)) this.#reader();
    this.#factories.get(name)?.(module.exports, this.#require, module, `${__dirname}/${file}`, __dirname);
    return module.exports;
  }

  /** Only modules of the build end so. */
  readonly #require = (id: string): unknown => (id.endsWith('.js') ? this.load(id) : this.#node(id));

  #packOf(file: string): Pack {
    const { kept } = this.#first;
    const pack = this.#read === undefined && kept !== undefined ? keptIn(kept, file) : undefined;
    return pack ?? this.#reader()(file);
  }

  /** Reads files where the cache lacks something, and saves it at the end. */
  #reader(): (file: string) => Pack {
    this.#read ??= (this.#node(`${__dirname}/load.js`) as typeof import('./load.js')).reader(this.#first);
    return this.#read;
  }

  #add(pack: Pack, file: string): void {
    const entry = this.#first.kept?.entryOf(file);
    for (let at = 0; at < pack.length; at += 2) {
      const name = pack[at] as string;
      this.#factories.set(name, pack[at + 1] as Factory);
      if (entry !== undefined && entry[4][at / 2] !== '1') this.#uncached.add(name);
    }
  }
}

/** From the cache; undefined if that is damaged, or has nothing of this file. */
function keptIn(kept: NonNullable<First['kept']>, file: string): Pack | undefined {
  try {
    return keptPack(kept, file, __dirname);
  } catch {
    return undefined;
  }
}
