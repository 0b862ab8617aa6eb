import { writeSync } from 'node:fs';
import { version } from '../version.js';

/** Set at build time: the module that runs the program. */
declare const __DOCS_PROGRAM__: string;

/** The entry point of `bin/docs.js`: evaluates as little as possible, to start fast (docs/decisions/010). */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) void start();

async function start(): Promise<void> {
  const { load } = await import('./load.js');
  const { exports, refused } = load<typeof import('../process.js')>(__DOCS_PROGRAM__);
  await exports.runProcess(refused);
}

/** Writes a line without Node's streams, which are slow to create; false if the write was incomplete. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
