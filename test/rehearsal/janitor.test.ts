import fs from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { runJanitor } from '../../src/rehearsal/janitor.js';

/** The processes that the janitor of a rehearsal ends on a system without a list of them, such as Windows. */

afterEach(() => vi.restoreAllMocks());

/** The processes that are ended after these lines. */
async function ended(lines: string): Promise<number[]> {
  vi.spyOn(fs, 'existsSync').mockReturnValue(false);
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  const killed: number[] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (killed.includes(pid)) throw new Error('ESRCH');
    if (signal === 'SIGKILL') killed.push(pid);
    return true;
  });
  const io = {
    stdin: Object.assign(Readable.from([lines]), { isTTY: false }),
    env: {},
    sleep: async () => {},
  };
  await runJanitor(io, '/nowhere/docs-rehearsal');
  return killed;
}

it('ends the processes that it was told of, and never 0 (the whole process group) or 1 (the system)', async () => {
  expect(await ended('4711\n4712\n')).toEqual([4711, 4712]);
  expect(await ended('0\n1\n-1\n2.5\nx\n4711\n')).toEqual([4711]);
});

it('ends nothing if the rehearsal has ended by itself', async () => {
  expect(await ended('4711\ndone\n')).toEqual([]);
});
