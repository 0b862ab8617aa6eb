import { expect, test } from 'vitest';
import { createClient } from '../../../src/api/client.js';
import { listPages } from '../../../src/api/resources/content.js';
import { listMembers } from '../../../src/api/resources/members.js';
import { listSpaceLinks } from '../../../src/api/resources/spaces.js';
import { misfitOf } from '../../../src/api/validate.js';
import { checkedClient, misfitsOf } from '../../../src/snapshot/checked-client.js';

const link = { status: 'ok', relation: 'reference', locationReferences: [{ page: 'p1' }] };

function member(changes: Record<string, unknown> = {}) {
  const user = { object: 'user', id: 'm1', displayName: 'Ada', urls: {} };
  const facts = { disabled: false, joinedAt: '2026-01-01T00:00:00Z', sso: false, spaces: 0, teams: 0 };
  return { object: 'member', id: 'm1', role: 'read', user, ...facts, ...changes };
}

function clientFor(body: unknown) {
  const send = async () => ({ status: 200, headers: {}, body, attempts: 1 });
  const download = () => Promise.reject(new Error('There are no downloads here.'));
  return checkedClient(createClient({ send, download, platformNowMs: undefined, close: async () => {} }));
}

test('a list gives what fits, and fails at its end with the items that do not', async () => {
  const items = [member({ user: undefined, id: 'm0' }), null, member(), member({ role: 'owner', id: 'm2' })];
  const given: string[] = [];
  const reading = (async () => {
    const listing = clientFor({ items }).call(listMembers, { path: { organizationId: 'o1' } });
    for await (const { id } of listing) given.push(id);
  })();
  const cause: unknown = await reading.catch((error: unknown) => error);
  expect(given).toEqual(['m1']);
  expect(cause).toMatchObject({
    kind: 'bad-response',
    code: 'wrong_shape',
    failure: {
      path: '/v1/orgs/o1/members',
      details: {
        count: 3,
        misfits: [
          { index: 0, id: 'm0', field: 'user' },
          { index: 1, field: '' },
          { index: 3, id: 'm2', field: 'role' },
        ],
      },
    },
  });
  expect(misfitsOf(cause, 'member')?.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'member m0',
    'member #2',
    'member m2',
  ]);
});

test.each<[string, Record<string, unknown>, string | undefined]>([
  ['as declared', {}, undefined],
  ['further fields', { more: 1 }, undefined],
  ['null in place of an optional value', { lastSeenAt: null }, undefined],
  ['a guest', { role: null }, undefined],
  ['another type of an optional value', { lastSeenAt: 5 }, 'lastSeenAt'],
  ['a role that is none of the six', { role: 'owner' }, 'role'],
  ['a count that is missing', { spaces: undefined }, 'spaces'],
  ['a field of a field', { user: { ...member().user, displayName: 7 } }, 'user.displayName'],
])('a member: %s', (_, changes, field) => {
  expect(misfitOf(listMembers.returns.item, member(changes))).toBe(field);
});

test.each<[string, Record<string, unknown>, string | undefined]>([
  ['references as ids', { targetReference: { space: 's1' } }, undefined],
  ['references as whole resources', { targetReference: { space: { id: 's1', title: 'One' } } }, undefined],
  ['a status of a newer platform', { status: 'stale' }, undefined],
  ['no places', { locationReferences: undefined }, 'locationReferences'],
  ['null among the places', { locationReferences: [null] }, 'locationReferences.0'],
])('a link: %s', (_, changes, field) => {
  expect(misfitOf(listSpaceLinks.returns.item, { ...link, ...changes })).toBe(field);
});

test('pages below pages are checked to any depth', () => {
  const page = (pages: unknown[]) => ({ id: 'p', title: 'Page', type: 'document', pages });
  let tree: unknown = page([]);
  let broken: unknown = page([null]);
  for (let depth = 0; depth < 20_000; depth += 1) [tree, broken] = [page([tree]), page([broken])];
  expect(misfitOf(listPages.returns.schema, { pages: [tree] })).toBeUndefined();
  expect(misfitOf(listPages.returns.schema, { pages: [broken] })).toBe('ContentPage');
});
