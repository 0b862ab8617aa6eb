/**
 * The program as it was shipped: a script that Node runs, beside its files; or one executable without Node, with its
 * files inside (docs/decisions/043).
 */

/** Set at build time in the program without Node. */
declare const __DOCS_BINARY__: true | undefined;

/** Whether this is the program without Node. */
export const isBinary: boolean = typeof __DOCS_BINARY__ !== 'undefined';

/** A program, and the words before those that docs is given. */
export interface OwnProgram {
  program: string;
  args: readonly string[];
}

/** What starts this very program again. */
export function ownProgram(): OwnProgram {
  return { program: process.execPath, args: isBinary ? [] : [process.argv[1] ?? ''] };
}

/** The path by which it was started. */
export function startedAs(): string {
  return isBinary ? process.execPath : (process.argv[1] ?? '');
}

/** What runs it: `v20.20.2`, `Bun 1.4.5`. */
export function runtimeName(): string {
  const { bun } = process.versions;
  return bun === undefined ? process.version : `Bun ${bun}`;
}

/** What the certificates that it trusts came with: each runtime has those of Mozilla inside. */
export function runtimeMaker(): string {
  return process.versions.bun === undefined ? 'Node' : 'Bun';
}

/** The path of a package, or of a file of one, that is installed beside the program: on Node alone. */
export function packageFile(name: string): string {
  // Loaded here: most starts do without it.
  return process
    .getBuiltinModule('node:module')
    .createRequire(import.meta.filename)
    .resolve(name);
}
