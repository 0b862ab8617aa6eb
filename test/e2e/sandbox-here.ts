import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { sleepInFull } from './here.js';
import { copyPlanted } from './planted.js';
import type { Home } from './program.js';

/** A sandbox served from this process. */
export interface SandboxHere extends RunningSandbox {
  /** What `docs sandbox` does to its database, without a program for each. */
  readonly control: SandboxControl;
}

/**
 * Serves the database of a home from this process. `docs sandbox start` would start two programs for it, and
 * another one to stop it: for tests that are not about the server that is half of their time. Commands on the
 * database, such as `docs sandbox fault`, work as with a server of its own; `status` and `stop` know nothing of it.
 * @param contentFolder path in the home, as of `--content`
 * @param change what is different from the seed
 */
export async function sandboxHere(
  home: Pick<Home, 'path'>,
  seed?: string,
  contentFolder?: string,
  change?: (db: Database) => void,
): Promise<SandboxHere> {
  const file = join(home.path, '.local', 'share', 'docs', 'sandbox.db');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const io = { now: Date.now, sleep: sleepInFull };
  const made = seed ?? 'tiny';
  if ((made === 'tiny' || made === 'acme') && !existsSync(file)) await copyPlanted(made, file, io, change);
  const running = await startSandbox({
    file,
    io,
    ...(seed === undefined ? {} : { seed }),
    ...(contentFolder === undefined ? {} : { contentFolder: join(home.path, contentFolder) }),
  });
  const control = await openControl(file, io);
  return {
    ...running,
    control,
    async close() {
      control.close();
      await running.close();
    },
  };
}
