import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAlive, ownProcess, withSharedLock, workersIn } from '../../src/base/lock.js';
import { fakeIo } from '../fake-io.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['EPERM', true],
  ['ESRCH', false],
])('a process whose signal fails with %s is alive: %s', (code, alive) => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  expect(isAlive(4711)).toBe(alive);
});

it('a process of another machine is named with it, since nothing shows whether it runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-locks-'));
  try {
    writeFileSync(join(folder, 'job.42~1~elsewhere.running'), '');
    expect([...workersIn(folder)]).toEqual([['job', 'pid 42 on elsewhere']]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a lock in a folder of several accounts', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-locks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = <T>(work: () => Promise<T>) => {
    const io = fakeIo({ sleep: 'skips' });
    return withSharedLock(io, folder, 'audit', work, (cause) => cause as Error);
  };
  /** The file of another process, written a minute ago. */
  function other(pid: number, started: string, host = ownProcess().host): string {
    const path = join(folder, `audit.${pid}~${started}~${host}.running`);
    const past = Date.now() / 1000 - 60;
    writeFileSync(path, '');
    utimesSync(path, past, past);
    return path;
  }
  const startOf = (pid: number) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  };

  it('is held by one piece of work of a process at a time, and leaves nothing', async () => {
    let [now, most] = [0, 0];
    const work = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
    };
    await Promise.all([lock(work), lock(() => Promise.reject(new Error('x'))).catch(() => {}), lock(work)]);
    expect([most, readdirSync(folder)]).toEqual([1, []]);
  });

  it.each([
    ['a process that ended', 4_194_305, '1', undefined],
    ['another process of the same pid', process.pid, '1', undefined],
    ['a process of another machine that wrote it long ago', process.pid, '1', 'elsewhere'],
  ])('is not held by %s', async (_, pid, started, host) => {
    other(pid, started, host);
    expect(await lock(() => Promise.resolve('mine'))).toBe('mine');
  });

  it.skipIf(process.platform !== 'linux')(
    'is held by a process that runs, which the error names with its file and how to see it',
    async () => {
      const pid = process.ppid;
      const path = other(pid, startOf(pid));
      await expect(lock(() => Promise.resolve())).rejects.toMatchObject({
        code: 'settings_locked',
        message: `another docs process (pid ${pid}) holds the lock ${path}; nothing was changed`,
        failure: { hint: `ps -fp ${pid}`, retryable: true },
      });
      expect(readdirSync(folder)).toHaveLength(1);
    },
  );
});
