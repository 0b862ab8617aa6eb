import { writeSync } from 'node:fs';
import { version } from './version.js';

/** The entry point of the program without Node (docs/decisions/043): evaluates as little as possible, to start fast. */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) void start();

async function start(): Promise<void> {
  if (argv[2] === '__keychain') return answerFromKeychain();
  const { runProcess } = await import('./process.js');
  await runProcess();
}

/** What `systemKeychain` starts: the module with its native part is inside. That it does not load is an answer, too. */
async function answerFromKeychain(): Promise<void> {
  const { answerKeychain } = await import('./settings/keychain-child.js');
  const [loaded] = await Promise.allSettled([import('@napi-rs/keyring')]);
  answerKeychain(() => {
    if (loaded.status === 'rejected') throw loaded.reason;
    return loaded.value;
  });
}

/** Writes a line without the streams, which are slow to create; false if the write was incomplete. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
