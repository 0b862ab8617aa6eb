import { expect, it, test } from 'vitest';
import { type Client, createClient } from '../../src/api/client.js';
import { pathParameters } from '../../src/api/operation-facts.js';
import { operations } from '../../src/api/resources/index.js';
import type { Organization } from '../../src/api/resources/orgs.js';
import { DocsError } from '../../src/base/errors.js';
import { Platform } from '../../src/copy/lazy.js';
import { addByTime, ListChange } from '../../src/copy/merge.js';
import { knowsPath } from '../../src/copy/needs.js';
import { toldRole } from '../../src/copy/platform.js';

const at = (...days: number[]) => days.map((day) => ({ createdAt: `2026-01-0${day}T00:00:00.000Z` }));
const page = { first: true, last: true };

test('a new item goes where its time is, on a page that is sorted by time', () => {
  expect(addByTime(at(1, 2, 4), at(3), at(1, 2, 4), page)).toEqual(at(1, 2, 3, 4));
  expect(addByTime(at(4, 2, 1), at(3), at(4, 2, 1), page)).toEqual(at(4, 3, 2, 1));
  // One of them alone is out of its order.
  expect(addByTime(at(1, 5, 2, 6), at(3), at(1, 5, 2, 6), page)).toBeUndefined();
  expect(addByTime(at(2, 2), at(3), at(2, 2), page)).toBeUndefined();
});

test('what the platform lists by now is not added again', () => {
  const [old, made] = [{ id: 'a' }, { id: 'b' }];
  expect(new ListChange([old], [old, made], (told) => told).apply([old, made], page)).toEqual([old, made]);
});

test.each([
  [{ admin: true, createContent: true }, 'admin'],
  [{ createContent: true, listMembers: true }, 'create'],
  [{ listMembers: true }, 'read'],
  [{ listMembers: false }, null],
])('of an organization where %j is allowed, the token has the role %s', (permissions, role) => {
  expect(toldRole({ permissions } as Organization)).toBe(role);
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

test('answers of more than 32 MB are not kept: the oldest is read again', async () => {
  const body = Buffer.alloc(17 * 1024 * 1024);
  const real = { send: async () => ({ status: 200, headers: {}, body }) } as unknown as Client;
  const platform = new Platform(real, { now: () => 0 });
  for (const path of ['/v1/a', '/v1/b', '/v1/b', '/v1/a'])
    await platform.get({ method: 'GET', path, read: 'bytes' });
  expect(platform.reads.map(({ path }) => path)).toEqual(['/v1/a', '/v1/b', '/v1/a']);
});

it.each(operations.map(({ id, path }) => ({ id, path })))(
  'a copy knows what to read for the path of $id',
  ({ path }) => expect(knowsPath(pathParameters(path))).toBe(true),
);
