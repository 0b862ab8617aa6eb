import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** `members list --sort lastSeenAt`: the platform lists only who was seen; the others come last. */

let home: Home;
let platform: StubPlatform;
const people = [
  { id: 'new', role: 'read' },
  { id: 'ada', role: 'admin', lastSeenAt: '2026-01-03T00:00:00Z' },
  { id: 'bot', role: null },
  { id: 'emil', role: 'read', lastSeenAt: '2026-01-01T00:00:00Z' },
  { id: 'cleo', role: 'read', lastSeenAt: '2026-01-02T00:00:00Z' },
];
beforeEach(async () => {
  platform = await stubPlatform((_, { searchParams: query }) => {
    const role = query.get('role');
    const fitting = people.filter((one) => role === null || one.role === role);
    const seen = fitting.filter(({ lastSeenAt }) => lastSeenAt !== undefined);
    const sorted = seen.sort((a, b) => String(b.lastSeenAt).localeCompare(String(a.lastSeenAt)));
    if (query.get('order') === 'asc') sorted.reverse();
    const all = query.get('sort') === 'lastSeenAt' ? sorted : fitting;
    const from = Number(query.get('page') ?? 0);
    const to = from + Math.min(2, Number(query.get('limit')));
    return {
      body: {
        items: all.slice(from, to),
        count: all.length,
        ...(to < all.length && { next: { page: String(to) } }),
      },
    };
  });
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret', DOCS_ORG: 'o1' });
});
afterEach(async () => {
  home.remove();
  await platform.close();
});

const list = async (...args: string[]) => {
  const ran = await home.run(['members', 'list', '-o', 'id', '--sort', 'lastSeenAt', ...args]);
  expect(ran.code).toBe(0);
  return { ids: ran.stdout.trim().split('\n'), stderr: ran.stderr };
};

test.each<[string, string[], string[]]>([
  ['by default', [], ['ada', 'cleo', 'emil', 'new', 'bot']],
  ['the other way round', ['--order', 'asc'], ['emil', 'cleo', 'ada', 'new', 'bot']],
  ['with a filter', ['--role', 'read'], ['cleo', 'emil', 'new']],
  ['up to a limit among them', ['--limit', '4'], ['ada', 'cleo', 'emil', 'new']],
])('those never seen come last: %s', async (_, args, ids) => {
  expect((await list(...args)).ids).toEqual(ids);
});

test('a limit says truly whether more follow', async () => {
  expect(await list('--limit', '3')).toEqual({
    ids: ['ada', 'cleo', 'emil'],
    stderr: 'showing 3; more follow\n',
  });
  expect(await list('--limit', '1', '--role', 'admin')).toEqual({ ids: ['ada'], stderr: '' });
});

test('other sorts, and a cursor, are the platform’s own list', async () => {
  await home.ok(['members', 'list', '-o', 'id']);
  expect(platform.requests.every((request) => !request.includes('sort='))).toBe(true);
  expect((await list('--page', '2')).ids).toEqual(['emil']);
});
