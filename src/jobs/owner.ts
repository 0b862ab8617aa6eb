import fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isAlive } from '../process-alive.js';
import { journalFailure } from './journal-file.js';

/**
 * The lock of a job: a file beside its journal, named for the process that works on it. Of two processes
 * that take it at once each sees the other's file and both give way, so a job never has two workers.
 */

/** Locks a job for this process until `release`. @throws DocsError local-io `job_running`, `journal_unwritable` */
export function takeJob(io: Pick<Io, 'platform'>, folder: string, job: string): { release(): void } {
  try {
    return takeWork(folder, job, (other) => ({
      code: 'job_running',
      message: `Job ${job} is already running (${other}).`,
      hint: `docs jobs show ${job}`,
    }));
  } catch (cause) {
    throw journalFailure(io, join(folder, `${job}${ending(process.pid)}`), cause);
  }
}

/**
 * Locks any named work in a folder for this process until `release`.
 * @param job letters, digits, `_` and `-`
 * @param refusal the error where another process holds the lock, named as `pid 42`
 * @throws DocsError local-io: the refusal; the system's error where the folder is not writable
 */
export function takeWork(
  folder: string,
  job: string,
  refusal: (other: string) => { code: string; message: string; hint: string },
): { release(): void } {
  const own = `${job}${ending(process.pid)}`;
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  fs.closeSync(fs.openSync(join(folder, own), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600));
  const release = () => fs.rmSync(join(folder, own), { force: true });
  const other = workersIn(folder, own).get(job);
  if (other === undefined) return { release };
  release();
  const { code, message, hint } = refusal(other);
  throw new DocsError('local-io', code, message, { outcome: 'not-sent', retryable: true, hint });
}

/** Whether a file name is that of a lock, held or stale. */
export function isWorker(name: string): boolean {
  return workerName.test(name);
}

/**
 * The running processes by job: `pid 42`, or `pid 42 on <host>` for another machine, where nothing shows
 * whether it still runs. Removes the locks of dead processes.
 * @param except a file name to ignore
 */
export function workersIn(folder: string, except?: string): Map<string, string> {
  const workers = new Map<string, string>();
  for (const name of namesIn(folder)) {
    const [, job, pid, started, host] = workerName.exec(name) ?? [];
    if (name === except || job === undefined) continue;
    if (host !== hostTag()) workers.set(job, `pid ${pid} on ${host}`);
    else if (isSame(Number(pid), started ?? '')) workers.set(job, `pid ${pid}`);
    else removeStale(join(folder, name));
  }
  return workers;
}

/** Removes the locks of other machines, where nothing can be locked between machines. */
export function forgetOthers(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, , , , host] = workerName.exec(name) ?? [];
    if (host !== undefined && host !== hostTag()) removeStale(join(folder, name));
  }
}

/** A lock that cannot be removed, as on a disk that is read only, holds nothing. */
function removeStale(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch {
    // It stays until a process that may write finds it.
  }
}

const workerName = /^([\w-]+)\.(\d+)~(\d+)~([\w-]+)\.running$/;

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function ending(pid: number): string {
  return `.${pid}~${startOf(pid)}~${hostTag()}.running`;
}

/** This machine; several may share a home directory. */
function hostTag(): string {
  return (
    hostname()
      .replaceAll(/[^\w-]/g, '-')
      .slice(0, 60) || 'host'
  );
}

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
  return isSame(pid, started);
}

/** The system may have reused the pid; the start time then differs. */
function isSame(pid: number, started: string): boolean {
  return isAlive(pid) && startOf(pid) === started;
}

/** Start time of a process in clock ticks since boot; 0 where the system has no /proc. */
function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}
