import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readSource } from '../../../src/cli/parse/typed-text.js';
import { fakeIo } from '../../fake-io.js';

it('a standard input that never ends is waited for until the run is interrupted', async () => {
  const io = fakeIo();
  io.stdin = new Readable({ read: () => {} });
  const reading = readSource({ io }, '-', '--input');
  io.abort(new Error('SIGINT'));
  await expect(reading).rejects.toThrow('SIGINT');
});

it('what was read before counts', async () => {
  const io = fakeIo({ stdin: 'text' });
  expect(await readSource({ io }, '-', '--input')).toBe('text');
  io.abort(new Error('SIGINT'));
});
