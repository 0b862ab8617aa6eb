import { keptPack } from './kept.js';
import { type Factory, type First, type Module, type Pack, programModule, type Require } from './pack.js';

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
  readonly #modules = new Map<string, Module>();
  readonly #node: Require;
  readonly #kept: First['kept'];
  #read: First['read'];

  constructor({ pack, kept, read }: First, node: Require) {
    this.#node = node;
    this.#kept = kept;
    this.#read = read;
    this.#add(pack);
  }

  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const end = name.indexOf('/');
    const file = end < 0 ? name : name.slice(0, end);
    if (!this.#factories.has(name)) this.#add(this.#packOf(file));
    this.#factories.get(name)?.(module.exports, this.#require, module, `${__dirname}/${file}`, __dirname);
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : this.#node(id);

  #packOf(file: string): Pack {
    const pack = this.#read === undefined && this.#kept !== undefined ? keptIn(this.#kept, file) : undefined;
    if (pack !== undefined) return pack;
    this.#read ??= (this.#node(`${__dirname}/load.js`) as typeof import('./load.js')).reader(
      this.#kept?.scripts,
    );
    return this.#read(file);
  }

  #add(pack: Pack): void {
    for (let at = 0; at < pack.length; at += 2)
      this.#factories.set(pack[at] as string, pack[at + 1] as Factory);
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
