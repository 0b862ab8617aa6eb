import type { Script } from 'node:vm';
import type { DocsError } from '../base/errors.js';

/** Written in at build time: what the files of the build have in them, in short. */
declare const __DOCS_BUILD__: string | undefined;
/** Compiled code is of one build alone. */
export const build: string = typeof __DOCS_BUILD__ === 'string' ? __DOCS_BUILD__ : '';

/**
 * The file of the build that a start loads first, and the one for a line that a record may run, which has what such a line
 * needs beside that. The first module of both is `loader.ts` (scripts/build.mjs).
 */
export const firstFiles = { plain: 'process.js', recorded: 'recorded.js' } as const;
export type FirstFile = (typeof firstFiles)[keyof typeof firstFiles];
/** In both, the module that runs the program. */
export const programModule = 'process.js/process.js';

/** What a file of the build gives: names of modules, each before the function that makes it. */
export type Pack = readonly [name: string, factory: Factory, ...rest: readonly unknown[]];

/** Sets the exports of a module. */
export type Factory = (require: Require, module: Module, folder: string) => void;
export type Require = (id: string) => unknown;

export interface Module {
  exports: unknown;
}

export type Modules = Map<string, Module>;

/** The first file of the build, and where the others come from. */
export interface First {
  file: FirstFile;
  pack: Pack;
  /** What was loaded of the program, by name: the loader adds to it. */
  modules: Modules;
  /** Reads another file. */
  read?: (file: string) => Pack;
  /** The code cache that the file came from, in place of `read`. */
  kept?: Kept;
  /** Why the code cache was refused. */
  refused?: DocsError | undefined;
}

/** What a run has read and loaded so far. */
export type Begun = Pick<First, 'modules' | 'kept'>;

/** For Node 20: an open code cache (code-cache.ts) in which nothing was amiss so far. */
export interface Kept {
  /** @throws Error if the header is damaged */
  entryOf: (file: string) => Entry | undefined;
  /** The position of the first data. */
  base: number;
  fd: number;
  /** Bytes of a file, in memory that the next call uses again. @throws Error if it is too short */
  read: (fd: number, start: number, length: number) => Buffer;
  /** Whether these bytes stand at a position of the cache. */
  isAt: (start: number, wanted: Buffer) => boolean;
  /** What came from it in this run, for a later save. */
  scripts: Map<string, Compiled>;
}

/** What stands at the beginning of the code cache, as JSON after its length. */
export interface Header {
  build: string;
  /** The bytes of the longest source or data. */
  longest: number;
  entries: Readonly<Record<string, Entry>>;
}

/**
 * Where the data of a script begins, and its length, in bytes; the file that it was made of; a character for each of its
 * modules, `1` where a run loaded it: only then the data has its functions.
 */
export type Entry = readonly [start: number, length: number, ...stamp: Stamp, loaded: string];

/** Tells a file of one build from what somebody made of it: its size in bytes, and when that was written. */
export type Stamp = readonly [size: number, modifiedMs: number];

/** A file of the build as it was run. */
export interface Compiled {
  stamp: Stamp;
  script: Script;
  pack: Pack;
}
