import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, parse } from 'node:path';
import { text } from 'node:stream/consumers';
import { runChild, startChild } from '../base/child-process.js';
import { localIoError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isRunning, ownProcess, type WorkingProcess } from '../base/lock.js';
import { ownProgram } from '../base/own-program.js';
import { rehearsalVariable } from '../settings/paths.js';
import { rehearsalFile } from '../settings/rehearsal.js';

/**
 * A small process that outlives a rehearsal which was killed: once the pipe from it breaks, it ends what the rehearsal
 * started, and removes its folder.
 */

/** The hidden command that runs it. */
const janitorCommand = '__janitor';

interface Janitor {
  /** Says which process to end, with those that it started, where the rehearsal is killed. */
  watch(pid: number): void;
  /** The rehearsal ended by itself: nothing is to be done. */
  dismiss(): void;
}

/** Starts the janitor of a folder, in a session of its own, which no Ctrl-C reaches. */
export function startJanitor(io: Pick<Io, 'env'>, folder: string): Janitor {
  const { program, args } = ownProgram();
  const child = startChild(
    { env: io.env, cwd: parse(process.execPath).root },
    program,
    [...args, janitorCommand, folder],
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  // Without one the folder goes with the next rehearsal.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.unref();
  return { watch: (pid) => child.stdin?.write(`${pid}\n`), dismiss: () => child.stdin?.end('done\n') };
}

/** Waits for the end of the rehearsal, then cleans up after it. @param folder of the rehearsal */
export async function runJanitor(io: Pick<Io, 'stdin' | 'env' | 'sleep'>, folder: string): Promise<void> {
  const said = await text(io.stdin).catch(() => '');
  const lines = said.split('\n');
  if (lines.includes('done')) return;
  const roots = lines.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1);
  await endProcesses(io, folder, roots);
  removeFolder(folder);
}

/**
 * Ends what a rehearsal started and left running: its copy is gone, or will be.
 * @param roots the commands, with what descends from them where the system tells no more; none once they have ended,
 *   since their numbers may be those of others then
 */
export async function endProcesses(
  io: Pick<Io, 'env' | 'sleep'>,
  folder: string,
  roots: readonly number[],
): Promise<void> {
  // What is being started when the first are ended is found by the next look.
  for (let look = 0; look < 5; look += 1) {
    const found = await processesOf(io, join(folder, rehearsalFile), roots);
    if (found.length === 0) break;
    for (const pid of found) end(pid);
    await io.sleep(50);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** The processes of a rehearsal: on Linux all that have its variable, elsewhere those that descend from its command. */
async function processesOf(io: Pick<Io, 'env'>, file: string, roots: readonly number[]): Promise<number[]> {
  if (fs.existsSync('/proc/self/environ')) return withVariable(`${rehearsalVariable}=${file}`);
  if (process.platform === 'win32' || roots.length === 0) return roots.filter(isThere);
  const world = { env: io.env, cwd: '/' };
  const ended = await runChild(world, 'ps', ['-axo', 'pid=,ppid='], {}).catch(() => undefined);
  const listed = ended?.stdout.toString('utf8') ?? '';
  return descendants(listed, roots);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function withVariable(entry: string): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const environment = fs.readFileSync(`/proc/${name}/environ`, 'utf8');
      return environment.split('\0').includes(entry) ? [pid] : [];
    } catch {
      return []; // Another user's, or gone.
    }
  });
}

/** @param listed lines of process and parent @returns those of the roots that run, and what descends from them */
export function descendants(listed: string, roots: readonly number[]): number[] {
  const pairs = listed.split('\n').flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
  const found = new Set(pairs.filter(({ pid }) => roots.includes(pid)).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of pairs) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/**
 * The folder of a rehearsal, for its owner alone: the database of the copy, the file that the command is pointed to,
 * journals, and all else that the command keeps. It goes when the rehearsal ends, or with the next one.
 */

const prefix = 'docs-rehearsal-';

/** Makes a folder, and removes those whose processes are dead. @throws DocsError local-io */
export function makeFolder(): string {
  try {
    sweep();
    return fs.realpathSync(fs.mkdtempSync(join(tmpdir(), nameFor(ownProcess()))));
  } catch (cause) {
    throw localIoError(cause, `cannot make a folder in ${tmpdir()} for the rehearsal`);
  }
}

/** The owner is in the name, so that a folder has one from its first moment: a kill leaves none that nobody owns. */
function nameFor({ pid, started, host }: WorkingProcess): string {
  return `${prefix}${pid}.${started}.${host}.`;
}

function ownerOf(name: string): WorkingProcess | undefined {
  const [, pid, started, host] = /^(\d+)\.(\d+)\.([\w-]+)\.\w+$/.exec(name.slice(prefix.length)) ?? [];
  if (pid === undefined || started === undefined || host === undefined) return undefined;
  return { pid: Number(pid), started, host };
}

/** Removes the folder of a rehearsal, and no other. */
export function removeFolder(folder: string): void {
  if (!basename(folder).startsWith(prefix)) return;
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function sweep(): void {
  for (const name of namesIn(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    if (!isStale(folder, ownerOf(name))) continue;
    try {
      removeFolder(folder);
    } catch {
      // Another rehearsal is removing it, too.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether nobody works in it; folders of other users, and what no rehearsal made, are left alone. */
function isStale(folder: string, owner: WorkingProcess | undefined): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (owner === undefined || stats === undefined || !stats.isDirectory()) return false;
  return (uid === undefined || stats.uid === uid) && !isRunning(owner);
}
