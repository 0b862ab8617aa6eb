import { expect, it } from 'vitest';
import { Deadline } from '../../../src/api/transport/pacing.js';
import { fakeIo } from '../../fake-io.js';

// A longer delay would be over at once.
it.each([
  [2 ** 31 - 1, [2 ** 31 - 1]],
  [2 ** 31, []],
  [Number.POSITIVE_INFINITY, []],
])('a limit of %d ms sleeps for %j', (limitMs, sleeps) => {
  const io = fakeIo();
  new Deadline(io, limitMs, io.now(), []).close();
  expect(io.sleeps).toEqual(sleeps);
});
