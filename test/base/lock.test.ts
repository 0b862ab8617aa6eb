import { afterEach, expect, it, vi } from 'vitest';
import { isAlive } from '../../src/base/lock.js';

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
