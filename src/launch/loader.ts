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

/** A file of the build, and which of its modules are in the code cache; undefined where it came from none. */
interface ReadFile {
  pack: Pack;
  loaded: string | undefined;
}

/**
 * Requires modules as Node does. A file of the build contains one or more modules as functions; the name of one that
 * stands with others begins with the file: `request.js/client-X.js`.
 */
class Loader {
  /** The files that were read. No table of their modules is made, of which a run loads a few tens. */
  readonly #files: ReadFile[] = [];
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
    const module: Module = { exports: undefined };
    modules.set(name, module);
    this.#factoryOf(name)(this.#require, module, __dirname);
    return module.exports;
  }

  /** Only modules of the build end so. */
  readonly #require = (id: string): unknown => (id.endsWith('.js') ? this.load(id) : this.#node(id));

  /** @throws Error where another build has taken the place of this one */
  #factoryOf(name: string): Factory {
    const end = name.indexOf('/');
    const found = this.#find(name) ?? this.#findIn(end < 0 ? name : name.slice(0, end), name);
    if (found === undefined) throw new Error(`There is no ${name} in the build.`);
    return found;
  }

  #findIn(file: string, name: string): Factory | undefined {
    this.#add(this.#packOf(file), file);
    return this.#find(name);
  }

  #find(name: string): Factory | undefined {
    for (const { pack, loaded } of this.#files) {
      const at = pack.indexOf(name);
      if (at < 0) continue;
      // The cache has none of its functions where no run loaded it of whose code that was made.
      if (loaded !== undefined && loaded[at / 2] !== '1') this.#reader();
      return pack[at + 1] as Factory;
    }
    return undefined;
  }

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
    this.#files.push({ pack, loaded: this.#first.kept?.entryOf(file)?.[4] });
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
