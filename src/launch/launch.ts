import { existsSync, writeSync } from 'node:fs';
import { version } from '../base/version.js';
import { keptFirst } from './kept.js';
import { firstFiles, type Module } from './pack.js';

/**
 * `bin/docs.js`: evaluates as little as possible, to start fast (docs/decisions/010). No cache has
 * its code, so each function here is compiled at each start; what can wait is in `loader.ts`.
 */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) start();

function start(): void {
  const folder = `${__dirname.slice(0, -'bin'.length)}dist`;
  // One file in place of three. Above 128 KB, V8 keeps a source apart, and a read collects no garbage.
  const isRecorded = existsSync(`${folder}/records/${argv[2]}.${argv[3]}.json`);
  const file = isRecorded ? firstFiles.recorded : firstFiles.plain;
  const first =
    keptFirst(folder, file) ?? (require(`${folder}/load.js`) as typeof import('./load.js')).readFirst(file);
  const loader: Module = { exports: undefined };
  first.pack[1](require, loader, folder);
  (loader.exports as typeof import('./loader.js')).runProgram(first, require);
}

/** Writes a line without Node's streams, which are slow to create; false if the write was incomplete. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
