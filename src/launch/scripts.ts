import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { CodeCache } from './code-cache.js';
import type { Compiled, Pack } from './pack.js';

/** For Node 20, and to be removed with it: reads files of the build with compiled code from our own cache. */
export class Scripts {
  readonly #folder: string;
  readonly #cache: CodeCache | undefined;
  /** By file name. */
  readonly #scripts = new Map<string, Script>();

  constructor(folder: string, cache?: CodeCache) {
    this.#folder = folder;
    this.#cache = cache;
    if (cache !== undefined) process.once('exit', () => cache.save(this.#scripts));
  }

  /** Takes over what was read without it, for the next save. */
  take(done: ReadonlyMap<string, Compiled>): void {
    for (const [file, { source, script }] of done) {
      this.#cache?.find(file, Buffer.from(source, 'latin1'));
      this.#scripts.set(file, script);
    }
  }

  read(file: string): Pack {
    const filename = join(this.#folder, file);
    const source = readFileSync(filename);
    const cachedData = this.#cache?.find(file, source);
    // The build is ASCII, so latin1 saves decoding UTF-8.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) this.#cache?.miss(file, source);
    this.#scripts.set(file, script);
    return script.runInThisContext() as Pack;
  }
}
