import { writeSync } from 'node:fs';
import { version } from './base/version.js';
import type { JqRequest } from './output/jq-program.js';

/** The entry point of the program without Node (docs/decisions/043): evaluates as little as possible, to start fast. */
const { argv } = process;
if (argv.length !== 3 || argv[2] !== '--version' || !isPrinted(`${version}\n`)) void start();

async function start(): Promise<void> {
  if (argv[2] === '__keychain') return answerFromKeychain();
  if (argv[2] === '__jq') return answerFromJq();
  const { runProcess } = await import('./process.js');
  await runProcess();
}

/** What `systemKeychain` starts: the module with its native part is inside. That it does not load is an answer, too. */
async function answerFromKeychain(): Promise<void> {
  const { answerKeychain } = await import('./settings/keychain.js');
  const [loaded] = await Promise.allSettled([import('@napi-rs/keyring')]);
  answerKeychain(() => {
    if (loaded.status === 'rejected') throw loaded.reason;
    return loaded.value;
  });
}

/** What a filter is run by, which is ended in the middle of its work. */
async function answerFromJq(): Promise<void> {
  const [{ Worker }, { createInterface }, { answerJq }] = await Promise.all([
    import('node:worker_threads'),
    import('node:readline'),
    import('./output/jq-program.js'),
  ]);
  // Whoever started it may be killed, and a filter that never ends would go on alone.
  const watch = `setInterval(() => {
    try { process.kill(${process.ppid}, 0); } catch { process.kill(process.pid, 'SIGKILL'); }
  }, 500)`;
  new Worker(watch, { eval: true }).unref();
  const answer = answerJq(
    () => import('jq-wasm'),
    (code) => process.exit(code),
  );
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as JqRequest))}\n`);
}

/** Writes a line without the streams, which are slow to create; false if the write was incomplete. */
function isPrinted(line: string): boolean {
  try {
    return writeSync(1, line) === line.length;
  } catch {
    return false;
  }
}
