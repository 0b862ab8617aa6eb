import { join, resolve } from 'node:path';
import { meant, timestamp } from '../../api/shapes.js';
import { option } from '../../cli/declare/flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { SandboxControl } from '../../sandbox/control.js';
import type { Seed } from '../../sandbox/store/fill.js';
import { settingsPaths } from '../../settings/paths.js';

/** A time by the sandbox's clock, which starts in January 2026. */
export const sandboxTime = meant('moment', timestamp);

export const fileOption = option('--file <file>', 'Database file; default: the one --sandbox uses', {
  path: { use: 'writes' },
});

/** The database, and the file beside it where a server in the background keeps its state. */
export function sandboxFiles({ io }: Session, given: unknown): { file: string; stateFile: string } {
  const { dataDir } = settingsPaths(io);
  const file = typeof given === 'string' ? resolve(io.cwd, given) : join(dataDir, 'sandbox.db');
  return { file, stateFile: `${file.replace(/\.db$/, '')}.server.json` };
}

/** Runs the work with the database open. A new one is seeded first. */
export async function withControl<T>(
  session: Session,
  file: string,
  work: (control: SandboxControl) => Promise<T> | T,
  seed?: Seed,
): Promise<T> {
  const { openControl } = await import('../../sandbox/control.js');
  const control = await openControl(file, session.io, seed);
  try {
    return await work(control);
  } finally {
    control.close();
  }
}

/** Whether this is a dry run, which is said: nothing is changed then. */
export async function isDryRun({ globals, printer }: Session, file: string): Promise<boolean> {
  if (!globals.dryRun) return false;
  await printer.done({ id: file, status: 'not-changed' }, `Dry run: ${file} was not changed.`);
  return true;
}
