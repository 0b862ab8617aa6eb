import fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { journalFailure } from './journal-failure.js';

/**
 * Who works on a job: a file beside its journal, named after the process. Two that come at once see
 * each other's and both give way, so a job never has two workers.
 */

/**
 * Takes a job for this process, until `release`.
 * @param folder of the journals
 * @throws DocsError local-io `job_running`, `journal_unwritable`
 */
export function takeJob(io: Pick<Io, 'platform'>, folder: string, job: string): { release(): void } {
  try {
    return takeWork(folder, job, (other) => ({
      code: 'job_running',
      message: `Another process (${other}) works on job ${job} now.`,
      hint: `docs jobs show ${job}`,
    }));
  } catch (cause) {
    throw journalFailure(io, join(folder, `${job}${ending(process.pid)}`), cause);
  }
}

/**
 * Takes work of any name in a folder for this process, until `release`.
 * @param job letters, digits, `_` and `-`
 * @param refusal what to say where another process has it, given as `pid 42`
 * @throws DocsError local-io: the refusal; the system's error where the folder cannot be written
 */
export function takeWork(
  folder: string,
  job: string,
  refusal: (other: string) => { code: string; message: string; hint: string },
): { release(): void } {
  const own = `${job}${ending(process.pid)}`;
  fs.writeFileSync(join(folder, own), '', { mode: 0o600 });
  const release = () => fs.rmSync(join(folder, own), { force: true });
  const other = workersIn(folder, own).get(job);
  if (other === undefined) return { release };
  release();
  const { code, message, hint } = refusal(other);
  throw new DocsError('local-io', code, message, { outcome: 'not-sent', retryable: true, hint });
}

/** Whether a file name is that of a worker, live or dead. */
export function isWorker(name: string): boolean {
  return workerName.test(name);
}

/**
 * The live processes that work on jobs, by job: `pid 42`, with the name of its machine where that is
 * another one. Files of dead processes are removed.
 * @param except a file name to pass over
 */
export function workersIn(folder: string, except?: string): Map<string, string> {
  const workers = new Map<string, string>();
  for (const name of namesIn(folder)) {
    const [, job, pid, started, host] = workerName.exec(name) ?? [];
    if (name === except || job === undefined) continue;
    if (host !== hostTag()) workers.set(job, `pid ${pid} on ${host}`);
    else if (isAlive(Number(pid), started ?? '')) workers.set(job, `pid ${pid}`);
    else fs.rmSync(join(folder, name), { force: true });
  }
  return workers;
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

/** The machine: homes may be shared between several. */
function hostTag(): string {
  return (
    hostname()
      .replaceAll(/[^\w-]/g, '-')
      .slice(0, 60) || 'host'
  );
}

function isAlive(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // The number may have been given to another process since; where the system tells, its start differs.
  return startOf(pid) === started;
}

/** When a process started, in the system's own count; 0 where it does not tell. */
function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}
