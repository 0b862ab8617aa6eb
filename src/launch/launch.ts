import { writeSync } from 'node:fs';
import { version } from '../version.js';

/**
 * Where `bin/docs.js` begins. Start-up is what people feel, so this file is bundled on its own, and
 * evaluates nothing it can do without (docs/decisions/010).
 */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) void start();

async function start(): Promise<void> {
  const { load } = await import('./load.js');
  const { runProcess } = load<typeof import('../process.js')>('process.js');
  await runProcess();
}

/** Writes a line past the streams, which take their time to be made; false where they are needed after all. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
