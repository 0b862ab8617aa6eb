import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** `--sort-by` reads all of a list, then prints it; `--fields +a,-b` changes the usual columns. */

let home: Home;
let platform: StubPlatform;
/** Items that the platform says it has, and those that it answers. */
let [count, answered] = [5, 5];
/** Whether the pages after the first are forbidden. */
let lost = false;

beforeAll(async () => {
  platform = await stubPlatform((_, url) => {
    const limit = Number(url.searchParams.get('limit') ?? 50);
    const start = Number(url.searchParams.get('page') ?? 0);
    if (lost && start > 0) return { status: 403, body: { error: { code: 403, message: 'No.' } } };
    const end = Math.min(start + limit, answered);
    const items = Array.from({ length: end - start }, (_item, index) => {
      const number = start + index;
      return { id: `t${number}`, title: `Team ${answered - number}`, members: number % 2 };
    });
    return { body: { items, count, ...(end < answered && { next: { page: String(end) } }) } };
  });
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
});
beforeEach(() => {
  [count, answered] = [5, 5];
  lost = false;
  platform.requests.length = 0;
});
afterAll(async () => {
  home.remove();
  await platform.close();
});

const list = ['teams', 'list', '-o', 'id'];
const refused = async (...words: string[]) => {
  const ran = await home.run(['teams', 'list', ...words]);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
  return ran.stderr;
};

describe('--sort-by', () => {
  test('reads every page, whatever the limit, and cuts what is sorted', async () => {
    const ran = await home.run([...list, '--sort-by', 'title', '--limit', '2', '--page-size', '2']);
    expect(ran).toMatchObject({ code: 0, stdout: 't4\nt3\n', stderr: 'showing 2 of 5\n' });
    expect(platform.requests).toEqual([
      'GET /v1/orgs/o1/teams?limit=2',
      'GET /v1/orgs/o1/teams?limit=2&page=2',
      'GET /v1/orgs/o1/teams?limit=2&page=4',
    ]);
  });

  test('sorts by several fields, each in its direction', async () => {
    expect(await home.ok([...list, '--sort-by', 'members:desc,title'])).toBe('t3\nt1\nt4\nt2\nt0\n');
  });

  test('sends nothing where it is wrong', async () => {
    expect(await refused('--sort-by', 'titel')).toContain('Did you mean title?');
    expect(await refused('--sort-by', 'title:down')).toContain('expected <field> or <field>:desc');
    expect(await refused('--sort-by', 'title', '--page', 'x')).toContain(
      '--sort-by and --page contradict each other',
    );
    expect(await refused('--sort-by', 'title', '--limit', '0')).toContain('--limit must be a whole number');
    expect(platform.requests).toEqual([]);
  });

  test('reads no second page of a list that is too long', async () => {
    [count, answered] = [200_001, 1000];
    expect(await refused('--sort-by', 'title', '--page-size', '100')).toContain(
      'the list has 200,001 items; --sort-by sorts at most 200,000. Nothing was printed.',
    );
    expect(platform.requests).toEqual(['GET /v1/orgs/o1/teams?limit=100']);
  });

  test('prints nothing where a later page fails', async () => {
    lost = true;
    const failing = await home.run([...list, '--sort-by', 'title', '--page-size', '2']);
    expect({ code: failing.code, stdout: failing.stdout }).toEqual({ code: 5, stdout: '' });
  });
});

describe('--fields with signs', () => {
  test.each([
    ['--fields', '-members'],
    ['--fields=-members'],
    ['--fields', '-members,+title'],
    ['--fields=+title,-members'],
  ])('%s %s', async (...words) => {
    const text = await home.ok(['teams', 'list', '--header', '--limit', '1', ...words]);
    const [head = ''] = text.split('\n');
    expect(head.split('\t')).not.toContain('members');
    expect(head.split('\t')).toContain('title');
  });

  test('errors come before any request', async () => {
    platform.requests.length = 0;
    expect(await refused('--fields', '-members,title')).toContain('"title" has no sign, and others have one');
    expect(await refused('--fields', '+membres')).toContain('unknown field "membres" in --fields');
    expect(platform.requests).toEqual([]);
  });
});
