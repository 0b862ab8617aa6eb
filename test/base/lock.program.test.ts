import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../src/base/lock.js';

/** Containers often run without an init process, so a process that has ended may stay a zombie for ever. */
describe('a process', () => {
  it('is alive while it runs, and not once it has ended', async () => {
    const child = spawn('sleep', ['30']);
    const pid = child.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(0)).toBe(false);
  });

  it.skipIf(!existsSync('/proc/self/stat'))('is not alive as a zombie', async () => {
    // The shell becomes a program that never collects its child, which ends after that.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
