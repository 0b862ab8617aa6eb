import type { Script } from 'node:vm';
import type { DocsError } from '../base/errors.js';

/** The file of the build that every start loads; its first module is `loader.ts` (scripts/build.mjs). */
export const firstFile = 'process.js';
/** In it, the module that runs the program. */
export const programModule = `${firstFile}/process.js`;

/** What a file of the build gives: names of modules, each before the function that makes it. */
export type Pack = readonly [name: string, factory: Factory, ...rest: readonly unknown[]];

/** Makes the exports of a module. */
export type Factory = (
  exports: unknown,
  require: Require,
  module: Module,
  file: string,
  folder: string,
) => void;
export type Require = (id: string) => unknown;

export interface Module {
  exports: unknown;
}

/** The first file of the build, and where the others come from. */
export interface First {
  pack: Pack;
  /** Reads another file. */
  read?: (file: string) => Pack;
  /** The code cache that the file came from, in place of `read`. */
  kept?: Kept;
  /** Why the code cache was refused. */
  refused?: DocsError | undefined;
}

/** For Node 20: an open code cache (code-cache.ts) in which nothing was amiss so far. */
export interface Kept {
  entries: Readonly<Record<string, unknown>>;
  /** The position of the first source. */
  base: number;
  /** The bytes at a position. @throws Error if the file is too short */
  bytes: (start: number, length: number) => Buffer;
  /** Whether these bytes stand at a position. */
  isAt: (start: number, wanted: Buffer) => boolean;
  /** What came from it in this run, for a later save. */
  scripts: Map<string, Compiled>;
}

/** A file of the build as it was run. */
export interface Compiled {
  source: string;
  script: Script;
}
