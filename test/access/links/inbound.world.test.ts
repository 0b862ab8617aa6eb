import { expect, test } from 'vitest';
import { readInbound } from '../../../src/access/links/inbound.js';
import { listSpaceLinks } from '../../../src/api/resources/spaces.js';
import { DocsError } from '../../../src/base/errors.js';
import { publishedUrl, spaceId, stateOf } from '../generated-links/organization.js';
import { readingOf, worldOfFile } from '../generated-links/properties.js';

/** What is said of spaces whose links are not read; what is found, generated-links has. */

const space = { pages: 1, nested: false, files: 1, published: true, state: 'live' as const, title: 'S' };
const link = (from: number, to: number, kind: string) => ({
  ...{ from: { space: from, page: 0 }, to: { space: to, thing: 0 }, kind },
});
const org = {
  spaces: [space, space, space],
  links: [
    link(1, 0, 'page'),
    link(2, 0, 'page'),
    link(2, 0, 'file'),
    link(0, 0, 'file'),
    link(1, 0, 'published'),
  ],
};
const wanted = { spaces: new Set([spaceId(0)]) };

const world = await worldOfFile();
world.load(stateOf(org));

test('a space that cannot be read is unread, and the rest is found', async () => {
  world.addFault({ match: `GET /v1/spaces/${spaceId(1)}/links*`, status: 403 });
  const seen: number[][] = [];
  const found = await readInbound(readingOf(world, false), wanted, { onSpace: (...of) => seen.push(of) });
  world.clearFaults();
  expect(found).toMatchObject({ read: 1, unread: [{ kind: 'space', id: spaceId(1), title: 'S' }] });
  expect(found.links.map(({ from }) => from.space.id)).toEqual([spaceId(2), spaceId(2)]);
  expect(seen.at(-1)).toEqual([1, 2]);
});

test('what other addresses begin with is not what is wanted', async () => {
  const addresses = [new URL('/', publishedUrl(0)).href];
  const all = await readInbound(readingOf(world, false), { addresses });
  expect(all.links).toMatchObject([{ via: 'published-address', to: { kind: 'address', path: 'at-0/p0' } }]);
  const none = await readInbound(readingOf(world, false), { addresses, otherAddresses: [publishedUrl(0)] });
  expect(none.links).toEqual([]);
});

test('a page of links that is too large is read in smaller ones, each link once', async () => {
  const reading = readingOf(world, false);
  const limits: unknown[] = [];
  const call = (...given: Parameters<typeof reading.client.call>) => {
    const limit = (given[1] as { query?: { limit?: number } }).query?.limit;
    if (given[0] !== listSpaceLinks) return reading.client.call(...given);
    limits.push(limit);
    if (limit !== undefined && limit <= 5) return reading.client.call(...given);
    const tooLarge = new DocsError('bad-response', 'too_large', 'The response is larger than 64 MB.');
    return { pages: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(tooLarge) }) }) };
  };
  const client = { ...reading.client, call: call as typeof reading.client.call };
  const found = await readInbound({ ...reading, client }, wanted);
  expect(found).toMatchObject({ read: 2, unread: [] });
  expect(found.links).toHaveLength(3);
  expect(limits).toEqual([undefined, undefined, 50, 50, 5, 5]);
});
