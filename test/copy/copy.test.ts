import { expect, it, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import { pathParameters } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import { DocsError } from '../../src/base/errors.js';
import { Platform } from '../../src/copy/lazy.js';
import { addByTime } from '../../src/copy/merge.js';
import { knowsPath } from '../../src/copy/needs.js';

const at = (...days: number[]) => days.map((day) => ({ createdAt: `2026-01-0${day}T00:00:00.000Z` }));
const page = { first: true, last: true };

test('a new item goes where its time is, on a page that is sorted by time', () => {
  expect(addByTime(at(1, 2, 4), at(3), at(1, 2, 4), page)).toEqual(at(1, 2, 3, 4));
  expect(addByTime(at(4, 2, 1), at(3), at(4, 2, 1), page)).toEqual(at(4, 3, 2, 1));
  // One of them alone is out of its order.
  expect(addByTime(at(1, 5, 2, 6), at(3), at(1, 5, 2, 6), page)).toBeUndefined();
  expect(addByTime(at(2, 2), at(3), at(2, 2), page)).toBeUndefined();
});

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

it.each(operations.map(({ id, path }) => ({ id, path })))(
  'a copy knows what to read for the path of $id',
  ({ path }) => expect(knowsPath(pathParameters(path))).toBe(true),
);
