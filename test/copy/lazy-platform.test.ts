import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import { DocsError } from '../../src/base/errors.js';
import { Platform } from '../../src/copy/lazy.js';

/** What a copy reads of the platform: a failure is kept as an answer is, but not that somebody went away. */

test.each([
  ['interrupted', 2],
  ['server-error', 1],
] as const)('after a read that ended as %s, %i requests were sent', async (kind, count) => {
  const failure = new DocsError(kind, 'x', 'It failed.');
  const real = createClient({
    send: () => Promise.reject(failure),
    download: () => Promise.reject(new Error('no download')),
    platformNowMs: undefined,
    close: async () => {},
  });
  const platform = new Platform(real, { now: () => 0 });
  const get = () => platform.get({ method: 'GET', path: '/v1/x', read: 'bytes' });
  for (const _ of [1, 2]) await expect(get()).rejects.toBe(failure);
  expect(platform.reads).toHaveLength(count);
});
