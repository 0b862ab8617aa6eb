import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import type { TransportRequest } from '../../src/api/transport.js';
import { findSpaces } from '../../src/backup/organization.js';
import { expired, parseKeep } from '../../src/backup/records.js';
import { DocsError } from '../../src/base/errors.js';

/** A space of an earlier run that no list has now is asked for before it counts as gone. */

const space = { object: 'space', id: 's1', title: 'Notes', organization: 'o1', revision: 'r1' };

/** Lists are empty. @param answer what the space itself answers */
function find(answer: () => unknown) {
  const asked: string[] = [];
  const client = createClient({
    async send({ path }: TransportRequest) {
      const own = path.startsWith('/v1/spaces/');
      if (own) asked.push(path);
      return { status: 200, headers: {}, body: own ? answer() : { items: [], next: {} }, attempts: 1 };
    },
    download: () => Promise.reject(new Error()),
    close: async () => {},
    platformNowMs: undefined,
  });
  const reading = { client, organizationId: 'o1', concurrency: 2, signal: new AbortController().signal };
  return { asked, found: findSpaces(reading, [{ id: 's1', title: 'Notes' }]) };
}
const failing = (kind: 'not-found' | 'forbidden' | 'server-error') => () => {
  throw new DocsError(kind, kind, 'No.');
};

test('still there: found', async () => {
  const { asked, found } = find(() => space);
  expect(await found).toEqual({ spaces: [space], all: ['s1'], unread: [], orders: [] });
  expect(asked).toEqual(['/v1/spaces/s1']);
});

test.each([
  ['not found', failing('not-found')],
  ['transferred to another organization', () => ({ ...space, organization: 'o2' })],
  ['deleted', () => ({ ...space, deletedAt: '2026-01-01T00:00:00Z' })],
])('%s: gone', async (_, answer) => {
  expect(await find(answer).found).toEqual({ spaces: [], all: [], unread: [], orders: [] });
});

test.each(['forbidden', 'server-error'] as const)('%s: unread, so nothing is gone', async (kind) => {
  const { spaces, unread } = await find(failing(kind)).found;
  expect(spaces).toEqual([]);
  expect(unread).toMatchObject([{ kind: 'space', id: 's1', title: 'Notes', error: { code: kind } }]);
});

/** What `--keep` means. */

test.each([
  ['30', { runs: 30 }],
  ['90d', { days: 90 }],
  ['0', undefined],
  ['0d', undefined],
  ['none', undefined],
])('%s', (text, keep) => {
  expect(parseKeep(text)).toEqual(keep);
});

test.each(['', '-1', '1.5', '90h', 'all', '100001', '99999999999999999999', '٣'])('%j is refused', (text) => {
  expect(() => parseKeep(text)).toThrow(expect.objectContaining({ code: 'invalid_keep', exitCode: 2 }));
});

test('runs expire by number or by age, the oldest first', () => {
  const runs = [1, 2, 3].map((day) => ({ startedAt: `2026-01-0${day}T00:00:00.000Z` }));
  const now = Date.parse('2026-01-04T00:00:00.000Z');
  expect(expired(runs, { runs: 2 }, now)).toEqual(runs.slice(0, 1));
  expect(expired(runs, { runs: 9 }, now)).toEqual([]);
  expect(expired(runs, { days: 2 }, now)).toEqual(runs.slice(0, 1));
  expect(expired(runs, { days: 9 }, now)).toEqual([]);
});
