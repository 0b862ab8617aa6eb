import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

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
export function hostTag(): string {
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
