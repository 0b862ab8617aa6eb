import { writeSync } from 'node:fs';
import { version } from '../version.js';
import { load } from './load.js';

/**
 * Where `bin/docs.js` begins. Start-up is what people feel, so this file is bundled on its own, as
 * CommonJS, and loads nothing it can do without (docs/decisions/010).
 */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) {
  const { runProcess } = load<typeof import('../process.js')>('process.js');
  void runProcess();
}

/** Writes a line past the streams, which take their time to be made; false where they are needed after all. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
