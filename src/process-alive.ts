import { readFileSync } from 'node:fs';

/** Whether a process of this machine is running; one of another user counts, a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended but nobody collected it, as in containers whose first process never does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false; // No /proc here, or gone meanwhile.
  }
}
