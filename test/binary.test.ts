import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { version } from '../src/base/version.js';
import { exceptions } from './exceptions.js';

/** The start of the program without Node: `--version` alone is answered before anything else is loaded. */

const { written, runProcess } = vi.hoisted(() => ({ written: [] as string[], runProcess: vi.fn() }));
vi.mock('../src/process.js', () => ({ runProcess }));
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  writeSync: (_fd: number, text: string) => written.push(text) && text.length,
}));

it.each([
  [['--version'], true],
  [['--version', '--json'], false],
  [['spaces', 'list'], false],
  [[], false],
])('docs %j: answered at once %s', async (words, atOnce) => {
  const { argv } = process;
  process.argv = ['docs', 'docs', ...words];
  written.length = 0;
  runProcess.mockClear();
  vi.resetModules();
  try {
    await import('../src/binary.js');
    if (!atOnce) await expect.poll(() => runProcess.mock.calls.length).toBe(1);
  } finally {
    process.argv = argv;
  }
  expect(written).toEqual(atOnce ? [`${version}\n`] : []);
  expect(runProcess).toHaveBeenCalledTimes(atOnce ? 0 : 1);
});

it('what it may do otherwise is named by tests that there are', () => {
  expect(exceptions.filter(({ file }) => !existsSync(`test/${file}`))).toEqual([]);
});
