import { isAbsolute, join, resolve } from 'node:path';
import type { Option } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { SandboxControl } from '../../sandbox/control.js';
import { settingsPaths } from '../../settings/paths.js';

/** What the commands of the sandbox share: its database, and a hold of it for the time of a command. */

export const fileOption: Partial<Option> = {
  name: 'file',
  value: '<file>',
  description: 'Database, instead of the one that --sandbox uses',
};

/** The database that is meant, and where a server in the background keeps its state beside it. */
export function sandboxFiles({ io }: Session, given: unknown): { file: string; stateFile: string } {
  const { dataDir } = settingsPaths(io);
  const own = join(dataDir, 'sandbox.db');
  const file = typeof given !== 'string' ? own : isAbsolute(given) ? given : resolve(io.cwd, given);
  return { file, stateFile: `${file.replace(/\.db$/, '')}.server.json` };
}

/** Runs the work with the database open; a new one is filled first. */
export async function withControl<T>(
  session: Session,
  file: string,
  work: (control: SandboxControl) => Promise<T> | T,
  seed?: string,
): Promise<T> {
  const { openControl } = await import('../../sandbox/control.js');
  const control = await openControl(file, session.io, seed);
  try {
    return await work(control);
  } finally {
    control.close();
  }
}

/** With `--dry-run` the sandbox stays as it is, which is said. */
export async function staysAsItIs({ globals, printer }: Session, file: string): Promise<boolean> {
  if (!globals.dryRun) return false;
  await printer.done({ id: file, status: 'not-changed' }, `Dry run: ${file} stays as it is.`);
  return true;
}
