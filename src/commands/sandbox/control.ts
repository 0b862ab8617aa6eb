import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { meant, timestamp } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { makeFolders, readOwnFile } from '../../base/own-files.js';
import { commandLine, shellWord } from '../../base/shell-word.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/option.js';

import type { Session } from '../../cli/declare/session.js';
import type { SandboxControl } from '../../sandbox/control.js';
import type { DaemonState } from '../../sandbox/daemon.js';
import type { LoadPages } from '../../sandbox/server/front.js';
import type { Seed } from '../../sandbox/store/fill.js';
import { settingsPaths } from '../../settings/paths.js';
import * as typed from './typed.js';

/** A time by the sandbox's clock, which starts in January 2026. */
export const sandboxTime = meant('moment', timestamp);

/** What commands that change the sandbox have in common: nothing of a platform. */
export const changesHere = {
  danger: 'change',
  effect: 'local',
  here: { keeps: ['sandbox'] },
  local: true,
} as const;

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

/** Which databases are served: commands without `--file` must not take another one for that of the server. */

/** A folder with a file for each database that was served with `--file`, which has its path. */
function noteFolder({ io }: Session): string {
  return join(settingsPaths(io).dataDir, 'sandbox-servers');
}

function noteOf(session: Session, file: string): string {
  return join(noteFolder(session), createHash('sha256').update(file).digest('hex').slice(0, 32));
}

/** Records the server of a database, unless one is recorded that runs. @returns what removes the record */
export async function recordServed(session: Session, state: DaemonState): Promise<() => void> {
  const { file } = state;
  const { recordServer, forgetServer } = await import('../../sandbox/daemon.js');
  const { stateFile } = sandboxFiles(session, file);
  if ((await runningServer(session, file)) !== undefined) return () => {};
  recordServer(stateFile, state);
  const note = noteOf(session, file);
  const isUsual = file === sandboxFiles(session, undefined).file;
  if (!isUsual) {
    makeFolders(noteFolder(session), 0o700);
    rmSync(note, { force: true });
    writeFileSync(note, file, { mode: 0o600, flag: 'wx' });
  }
  return () => {
    forgetServer(stateFile, state);
    rmSync(note, { force: true });
  };
}

/** The server of a database; makes no database. */
export async function runningServer(session: Session, file: string): Promise<DaemonState | undefined> {
  const { stateFile } = sandboxFiles(session, file);
  if (readOwnFile(stateFile) === undefined || !existsSync(file)) return undefined;
  const { daemonStatus } = await import('../../sandbox/daemon.js');
  const token = await withControl(session, file, (control) => control.adminToken());
  const found = await daemonStatus({ file, stateFile, token });
  return found.running ? found : undefined;
}

/** The servers of other databases than the usual one. */
export async function serversElsewhere(session: Session): Promise<DaemonState[]> {
  const folder = noteFolder(session);
  if (!existsSync(folder)) return [];
  const running: DaemonState[] = [];
  for (const name of readdirSync(folder).sort()) {
    const file = readOwnFile(join(folder, name))?.toString('utf8') ?? '';
    const found = file === '' ? undefined : await runningServer(session, file);
    if (found !== undefined) running.push(found);
  }
  return running;
}

/**
 * The database that a command is about.
 * @param verb the command, as in `docs sandbox <verb>`
 * @throws DocsError usage `other_sandbox` if none is named, and only the server of another one runs
 */
export async function chosenFile(session: Session, verb: string, given: unknown): Promise<string> {
  const { file } = sandboxFiles(session, given);
  if (given !== undefined) return file;
  const [other] = await serversElsewhere(session);
  if (other === undefined || (await runningServer(session, file)) !== undefined) return file;
  const message =
    `the running server at ${other.url} uses ${other.file}, and docs --sandbox uses ${file}; ` +
    'name one with --file. Nothing was changed.';
  const { line, io } = session;
  const at = line.indexOf(verb) + 1;
  const words = [...line.slice(0, at), '--file', other.file, ...line.slice(at)];
  const hint = commandLine(words, io.platform);
  throw usageError('other_sandbox', message, { hint });
}

/** The pages of a server, as `docs sandbox open` shows them; loaded by their first visit. */
export function pagesOf(session: Session, file: string, groups: readonly GroupEntry[]): LoadPages {
  const { platform } = session.io;
  const isUsual = file === sandboxFiles(session, undefined).file;
  return async (parts) => {
    const { createPages } = await import('../../browser/serve.js');
    return createPages(parts, {
      groups,
      place: isUsual ? { sandbox: true } : { baseUrl: parts.origin() },
      platform,
      file: isUsual ? undefined : file,
      control: (work) => withControl(session, file, work),
      otherOf: notInPages,
      typed,
    });
  };
}

/** A backup is read with progress, checks and gaps to report: on a command line. @throws DocsError usage for one */
async function notInPages(source: string): Promise<undefined> {
  if (!source.startsWith('backup:')) return undefined;
  const message = 'the data came from a backup, which only the command can load again; nothing was changed';
  throw usageError('backup_source', message, { hint: 'docs sandbox reset' });
}

/** `--file`, where the database is not the usual one; with a space before it. */
export function fileFlag(session: Session, file: string): string {
  const isUsual = file === sandboxFiles(session, undefined).file;
  return isUsual ? '' : ` --file ${shellWord(file, session.io.platform)}`;
}
