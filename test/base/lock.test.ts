import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { isAlive, workersIn } from '../../src/base/lock.js';

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
