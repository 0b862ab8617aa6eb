import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.js';
import type { Home } from './program.js';

/**
 * Serves the database of a home from this process. `docs sandbox start` would start two programs for it, and
 * another one to stop it: for tests that are not about the server that is half of their time. Commands on the
 * database, such as `docs sandbox fault`, work as with a server of its own; `status` and `stop` know nothing of it.
 * @param contentFolder path in the home, as of `--content`
 */
export function sandboxHere(home: Home, seed?: string, contentFolder?: string): Promise<RunningSandbox> {
  const file = join(home.path, '.local', 'share', 'docs', 'sandbox.db');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return startSandbox({
    file,
    io: { now: Date.now, sleep: (ms) => sleep(ms) },
    ...(seed === undefined ? {} : { seed }),
    ...(contentFolder === undefined ? {} : { contentFolder: join(home.path, contentFolder) }),
  });
}
