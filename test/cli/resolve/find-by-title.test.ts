import { describe, expect, it, test } from 'vitest';
import { DocsError, notSent } from '../../../src/base/errors.js';
import { findAmong, isOwnHost, readAddress } from '../../../src/cli/resolve/find-by-title.js';
import { type Resource, type ResourceName, resources } from '../../../src/model/resources.js';

const kinds = [resources.space, resources.collection];
const notFound = () => notSent('not-found', 'unknown_title', 'not found');

/** @param ids that each kind has @param titles that each kind has, with the id of each */
function find(
  text: string,
  ids: Record<string, string[]>,
  titles: Record<string, Record<string, string>> = {},
) {
  const idOf = async ({ name }: Resource) => titles[name]?.[text] ?? Promise.reject(notFound());
  const hasId = async ({ name }: Resource) => ids[name]?.includes(text) ?? false;
  return findAmong(
    kinds,
    { text, place: '--before', isName: Object.keys(titles).length > 0 },
    { hasId, idOf },
  );
}

test('an id is that of the kind that has it', async () => {
  expect(await find('c1', { space: ['s1'], collection: ['c1'] })).toBe('collection:c1');
  expect(await find('s1', { space: ['s1'], collection: ['c1'] }, { collection: { s1: 'c9' } })).toBe(
    'space:s1',
  );
});

test('a title that two kinds have is refused, with both ids', async () => {
  const titles = { space: { Guides: 's1' }, collection: { Guides: 'c1' } };
  const failed = await find('Guides', {}, titles).catch((cause: unknown) => cause as DocsError);
  expect(failed).toMatchObject({
    code: 'ambiguous_title',
    message: '--before: space:s1, collection:c1 are all called "Guides". Pass one of these ids.',
  });
});

test('a failure other than that there is none ends the search', async () => {
  const forbidden = new DocsError('forbidden', 'forbidden', 'no');
  const ways = { hasId: () => Promise.reject(forbidden), idOf: () => Promise.reject(forbidden) };
  await expect(findAmong(kinds, { text: 'x', place: '--after', isName: false }, ways)).rejects.toBe(
    forbidden,
  );
});

const base = 'https://api.docs.example';
const read = (address: string, kind: ResourceName, baseUrl = base) => {
  return readAddress(address, resources[kind], baseUrl);
};

describe('the address of a resource', () => {
  it.each<[string, ResourceName, string, Record<string, string>]>([
    [`${base}/v1/orgs/o1`, 'organization', 'o1', {}],
    [`${base}/v1/orgs/o1/members/u1/teams`, 'member', 'u1', { organizationId: 'o1' }],
    [`${base}/v1/orgs/o1/sites/w1`, 'site', 'w1', { organizationId: 'o1' }],
    [`${base}/v1/orgs/o1/sites/w1/sections/x1`, 'section', 'x1', { organizationId: 'o1', siteId: 'w1' }],
    [`${base}/v1/spaces/s1/change-requests/7`, 'change-request', '7', { spaceId: 's1' }],
    [`${base}/v1/spaces/s1/content/page/p1`, 'page', 'p1', { spaceId: 's1' }],
    [
      'https://app.docs.example/o/o1/s/s1/~/changes/7/diff',
      'change-request',
      '7',
      { organizationId: 'o1', spaceId: 's1' },
    ],
    ['https://app.docs.example/o/o1/c/c1', 'collection', 'c1', { organizationId: 'o1' }],
    ['https://docs.example/o/o1/openapi/public-api', 'openapi-spec', 'public-api', { organizationId: 'o1' }],
  ])('%s is %s %s', (address, kind, id, parents) => {
    expect(read(address, kind)).toEqual({ id, parents });
  });

  it('may have the path of the platform before it', () => {
    expect(
      read('https://acme.example/gateway/v1/spaces/s1', 'space', 'https://acme.example/gateway'),
    ).toEqual({
      id: 's1',
      parents: {},
    });
  });

  it.each([
    'https://app.docs.example/o/o1',
    'https://app.docs.example/o/o1/s/a%2Fb',
    'https://app.docs.example/o/o1/s/',
    `${base}/v1/spaces`,
    `${base}/v2/spaces/s1`,
  ])('%s is none of a space', (address) => {
    expect(() => read(address, 'space')).toThrow('is not an address of a space');
  });
});

describe('the hosts of a platform', () => {
  it.each([
    ['api.docs.example', base, true],
    ['app.docs.example', base, true],
    ['docs.example', base, true],
    ['evil.example', base, false],
    ['docs.example.evil.example', base, false],
    ['notdocs.example', base, false],
    ['other.co.uk', 'https://api.co.uk', false],
    ['other.acme.example', 'https://docs.acme.example', false],
    ['app.docs.acme.example', 'https://docs.acme.example', true],
    ['1.0.0.1', 'https://10.0.0.1', false],
    ['app.sandbox.example', 'http://127.0.0.1:4000', true],
    ['app.sandbox.example', base, false],
  ])('%s for %s: %s', (host, baseUrl, own) => {
    expect(isOwnHost(host, baseUrl)).toBe(own);
  });
});
