import { afterEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** Lists are complete, streamed, and say so where they were cut. */

let home: Home;
let platform: StubPlatform;
afterEach(async () => {
  home.remove();
  await platform.close();
});

/** Teams in pages; the cursor is the index of the next one. */
async function platformWith(total: number, lastNext: object | undefined = undefined): Promise<void> {
  platform = await stubPlatform((_, url) => {
    const limit = Number(url.searchParams.get('limit') ?? 50);
    const start = Number(url.searchParams.get('page') ?? 0);
    const items = Array.from({ length: Math.min(limit, total - start) }, (_, index) => ({
      id: `t${start + index}`,
    }));
    const end = start + items.length;
    const next = end < total ? { page: String(end) } : lastNext;
    return { body: { items, count: total, ...(next && { next }) } };
  });
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
}

test('2,500 items come over three pages, in order, each once', async () => {
  await platformWith(2500);
  const ids = (await home.ok(['teams', 'list', '-o', 'id'])).trimEnd().split('\n');
  expect(ids).toEqual(Array.from({ length: 2500 }, (_, index) => `t${index}`));
  expect(platform.requests).toEqual([
    'GET /v1/orgs/o1/teams?limit=1000',
    'GET /v1/orgs/o1/teams?limit=1000&page=1000',
    'GET /v1/orgs/o1/teams?limit=1000&page=2000',
  ]);
});

test('an empty object as next is the end', async () => {
  await platformWith(3, {});
  expect(await home.ok(['teams', 'list', '-o', 'id'])).toBe('t0\nt1\nt2\n');
  expect(platform.requests).toHaveLength(1);
});

test('--limit asks for no more than that and says what it left out', async () => {
  await platformWith(212);
  const ran = await home.run(['teams', 'list', '-o', 'id', '--limit', '30']);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(30);
  expect(ran.stderr).toBe('showing 30 of 212\n');
  expect(platform.requests).toEqual(['GET /v1/orgs/o1/teams?limit=30']);
});

test('--page-size and --page are sent as they are', async () => {
  await platformWith(25);
  expect(
    (await home.ok(['teams', 'list', '-o', 'id', '--page-size', '10', '--page', '5'])).split('\n'),
  ).toHaveLength(21);
  expect(platform.requests).toEqual([
    'GET /v1/orgs/o1/teams?limit=10&page=5',
    'GET /v1/orgs/o1/teams?limit=10&page=15',
  ]);
});

test('an empty list is exit 0: [] as JSON, nothing as TSV', async () => {
  await platformWith(0);
  expect(JSON.parse(await home.ok(['teams', 'list', '--json']))).toEqual([]);
  expect(await home.ok(['teams', 'list'])).toBe('');
});
