import fs, { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocsError, notSent, systemCode } from './errors.js';
import type { Io } from './io.js';
import { kindOf, removeFile, removeQuietly, unsafePath } from './own-files.js';
import { shellWord } from './shell-word.js';

/** Whether a process still runs: of this machine, and as far as one can tell of another. */

/** A process, so that another one can tell later whether it still runs. */
export interface WorkingProcess {
  pid: number;
  /** Start time of the process, if the system reports it. */
  started: string;
  host: string;
}

export function ownProcess(): WorkingProcess {
  return { pid: process.pid, started: startOf(process.pid), host: hostTag() };
}

/** Whether a process may still be at work; of another machine nothing shows that it is not. */
export function isRunning({ pid, started, host }: WorkingProcess): boolean {
  if (host !== hostTag()) return host !== '';
  // The system may have reused the pid; the start time then differs.
  return isAlive(pid) && startOf(pid) === started;
}

/** Whether a process of this machine is running; one of another user counts, a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** This machine; several may share a home directory. */
function hostTag(): string {
  // Loaded here: reads lock nothing.
  const { hostname } = process.getBuiltinModule('node:os');
  return (
    hostname()
      .replaceAll(/[^\w-]/g, '-')
      .slice(0, 60) || 'host'
  );
}

/** Whether a process has ended but nobody collected it, as in containers whose first process never does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false; // No /proc here, or gone meanwhile.
  }
}

/** Start time of a process in clock ticks since boot; 0 where the system has no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}

/**
 * Locks between processes. `withLock` is for work of milliseconds, and waits for its turn. `takeWork` is for work of any
 * length, such as a job, and refuses it while another process does it.
 */

/** A lock this old was left by a process that died: work under a lock takes milliseconds. System clock. */
const staleMs = 10_000;
/** How long to wait for the lock: longer than `staleMs`, so that a dead process cannot block. */
const patienceMs = 20_000;

/** `held` tells whether the lock is still held: after a long suspend another process may have removed it. */
export type UnderLock<T> = (held: () => boolean) => Promise<T>;

/**
 * Runs work under a lock between processes: a folder, which only one process can create.
 * (docs/decisions/003-settings-file.md says why it is not a library's.)
 * @param path of the lock, in an existing folder
 * @param failed what is thrown where the folder cannot be created, from the system's error
 * @throws DocsError local-io `settings_locked` after 20 seconds of waiting; configuration `unsafe_path`;
 *   whatever `work` throws
 */
export async function withLock<T>(
  io: Io,
  path: string,
  work: UnderLock<T>,
  failed: (cause: unknown) => Error,
): Promise<T> {
  const mark = await acquire(io, path, failed);
  const held = (): boolean => markOf(path) === mark;
  try {
    return await work(held);
  } finally {
    if (held()) release(path);
  }
}

async function acquire(io: Io, path: string, failed: (cause: unknown) => Error): Promise<string> {
  const attempt = () => {
    const mark = tryAcquire(io, path, failed);
    if (mark === undefined) removeStale(path);
    return mark;
  };
  return attempts(io, attempt, () => {
    const message = `another docs process holds the lock ${path}; nothing was changed`;
    return locked(message, `rmdir ${shellWord(path, io.platform)}`);
  });
}

/** Tries until it succeeds. @throws what `refused` makes, after 20 seconds */
async function attempts<T>(io: Io, attempt: () => T | undefined, refused: () => DocsError): Promise<T> {
  for (let waitedMs = 0; waitedMs < patienceMs; ) {
    const found = attempt();
    if (found !== undefined) return found;
    const waitMs = 20 + io.random() * 60;
    await io.sleep(waitMs, io.signal);
    waitedMs += waitMs;
  }
  throw refused();
}

function locked(message: string, hint: string): DocsError {
  return notSent('local-io', 'settings_locked', message, { retryable: true, hint });
}

function tryAcquire({ platform }: Io, path: string, failed: (cause: unknown) => Error): string | undefined {
  try {
    fs.mkdirSync(path);
    return markOf(path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') {
      refuseOther(path);
      return undefined;
    }
    // Windows reports EPERM for a folder that is being removed.
    if (platform === 'win32' && systemCode(error) === 'EPERM') return undefined;
    throw failed(error);
  }
}

/** Nothing but a folder is ever released: waiting for a file or a link would be in vain. */
function refuseOther(path: string): void {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw unsafePath(path, kindOf(stats), 'directory');
}

/**
 * Removes a stale lock. One process at a time, and only if it is still stale: otherwise one of several
 * processes could remove the fresh lock that another has just created.
 */
function removeStale(path: string): void {
  if (!isStale(path)) return;
  const guard = `${path}.break`;
  try {
    if (isStale(guard)) fs.rmdirSync(guard);
    fs.mkdirSync(guard);
    try {
      if (isStale(path)) fs.rmdirSync(path);
    } finally {
      fs.rmdirSync(guard);
    }
  } catch {
    // Another process is removing it; the next attempt sees the result.
  }
}

function release(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch {
    // It becomes stale; the work under it is complete either way.
  }
}

/** Identifies a lock: no two folders at the same path share inode and time. */
function markOf(path: string): string | undefined {
  try {
    const { ino, mtimeMs } = fs.statSync(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

function isStale(path: string): boolean {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - staleMs;
}

/** By key, what this process does under it: the last in a queue. */
const turns = new Map<string, Promise<unknown>>();

/** Runs work after whatever this process does under the same key, however that ends. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve();
  const own = before.catch(() => {}).then(work);
  turns.set(key, own);
  return own;
}

/**
 * As `withLock`, in a folder of several accounts, where nobody can remove the files of others: whoever wants the lock adds a
 * file that is named for its process, and holds it unless there is another's. What a killed process left, whose pid is
 * dead, holds nothing, whoever owns it. No deadlock: of two at once both give way, each for a time of its own.
 * @param name letters, digits, `_` and `-`
 * @throws DocsError local-io `settings_locked` after 20 seconds of waiting; whatever `failed` makes, and `work` throws
 */
export async function withSharedLock<T>(
  io: Io,
  folder: string,
  name: string,
  work: UnderLock<T>,
  failed: (cause: unknown) => Error,
): Promise<T> {
  const own = workerFile(name);
  const path = join(folder, own);
  const held = () => fs.existsSync(path);
  let other: string | undefined;
  const attempt = () => {
    other = holderIn(folder, name, own);
    if (other !== undefined) return undefined;
    try {
      addWorker(path);
    } catch (cause) {
      throw failed(cause);
    }
    other = holderIn(folder, name, own);
    if (other === undefined) return own;
    removeQuietly(path);
    return undefined;
  };
  return inTurn(path, async () => {
    await attempts(io, attempt, () => heldBy(io, folder, other ?? ''));
    try {
      return await work(held);
    } finally {
      removeQuietly(path);
    }
  });
}

/** The file of another process that holds a lock. Removes what dead ones left, where this account may. */
function holderIn(folder: string, name: string, own: string): string | undefined {
  return namesIn(folder).find((one) => {
    const worker = one === own ? undefined : workerIn(one);
    if (worker?.work !== name) return false;
    const path = join(folder, one);
    // In a container of the same name its pid means nothing here, so a young file may be of one that runs.
    const isYoung = fs.existsSync(path) && !isStale(path);
    const isHeld = isYoung || (worker.host === hostTag() && isRunning(worker));
    if (!isHeld) removeQuietly(path);
    return isHeld;
  });
}

function heldBy({ platform }: Io, folder: string, file: string): DocsError {
  const path = join(folder, file);
  const { pid = 0, host = '' } = workerIn(file) ?? {};
  const isHere = host === hostTag();
  const process = isHere ? `pid ${pid}` : `pid ${pid} on ${host}`;
  const show = platform === 'win32' ? `tasklist /fi "PID eq ${pid}"` : `ps -fp ${pid}`;
  const message = `another docs process (${process}) holds the lock ${path}; nothing was changed`;
  return locked(message, isHere ? show : `ls -l ${shellWord(path, platform)}`);
}

/**
 * Locks named work in a folder for this process until `release`: a file that is named for the process. Of two processes
 * that take the work at once each sees the other's file and both give way, so it is never done twice at a time.
 * @param work letters, digits, `_` and `-`
 * @param refusal the error where another process holds the lock, named as `pid 42`
 * @throws DocsError local-io: the refusal; the system's error where the folder is not writable
 */
export function takeWork(
  folder: string,
  work: string,
  refusal: (other: string) => { code: string; message: string; hint: string },
): { release(): void } {
  const own = workerFile(work);
  addWorker(join(folder, own));
  const release = () => removeFile(join(folder, own));
  const other = workersIn(folder, own).get(work);
  if (other === undefined) return { release };
  release();
  const { code, message, hint } = refusal(other);
  throw new DocsError('local-io', code, message, { outcome: 'not-sent', retryable: true, hint });
}

function addWorker(path: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  fs.closeSync(fs.openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600));
}

/** The name of the file by which this process locks work. */
export function workerFile(work: string): string {
  const { pid, started, host } = ownProcess();
  return `${work}.${pid}~${started}~${host}.running`;
}

/** Whether a file name is that of a lock, held or stale. */
export function isWorker(name: string): boolean {
  return workerIn(name) !== undefined;
}

/**
 * The running processes by work: `pid 42`, or `pid 42 on <host>` for another machine, where nothing shows
 * whether it still runs. Removes the locks of dead processes.
 * @param except a file name to ignore
 */
export function workersIn(folder: string, except?: string): Map<string, string> {
  const workers = new Map<string, string>();
  for (const name of namesIn(folder)) {
    const worker = name === except ? undefined : workerIn(name);
    if (worker === undefined) continue;
    const { work, pid, host } = worker;
    if (!isRunning(worker)) removeQuietly(join(folder, name));
    else workers.set(work, host === hostTag() ? `pid ${pid}` : `pid ${pid} on ${host}`);
  }
  return workers;
}

/** Removes the locks of other machines, where nothing can be locked between machines. */
export function forgetOthers(folder: string): void {
  for (const name of namesIn(folder)) {
    const worker = workerIn(name);
    if (worker !== undefined && worker.host !== hostTag()) removeQuietly(join(folder, name));
  }
}

function workerIn(name: string): (WorkingProcess & { work: string }) | undefined {
  const [, work, pid, started = '', host = ''] = /^([\w-]+)\.(\d+)~(\d+)~([\w-]+)\.running$/.exec(name) ?? [];
  return work === undefined ? undefined : { work, pid: Number(pid), started, host };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
