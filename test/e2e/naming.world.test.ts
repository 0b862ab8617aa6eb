import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type SpacesPlatform, spacesPlatform } from './spaces-platform.js';

/** How scripts name resources: by exact ids, by addresses, and by titles only where they say so. */

let home: Home;
let platform: SpacesPlatform;

const members = [
  { id: 'u1', role: 'read', user: { displayName: 'Ada', email: 'ada@acme.example' } },
  { id: 'u2', role: 'read', user: { displayName: 'Bob', email: 'bob@acme.example' } },
];

beforeEach(async () => {
  home = freshHome();
  platform = await spacesPlatform((method, url) => {
    if (method !== 'GET' || !url.pathname.startsWith('/v1/orgs/o1/members')) return undefined;
    const search = url.searchParams.get('search');
    const items = members.filter(({ user }) => JSON.stringify(user).includes(search ?? ''));
    return url.pathname.endsWith('/members') ? { body: { items, next: {} } } : { status: 404 };
  });
  home.env.DOCS_BASE_URL = platform.url;
  home.env.DOCS_TOKEN = 'a-token';
  home.env.DOCS_ORG = 'o1';
});
afterEach(async () => {
  await platform.close();
  home.remove();
});

describe('a title in a script', () => {
  it('is sent as an id, and nothing else is', async () => {
    const ran = await home.run(['spaces', 'get', 'Two words']);
    expect(ran.code).toBe(6);
    expect(platform.requests).toEqual(['GET /v1/spaces/Two%20words']);
    expect(ran.stderr).toContain("Try: docs spaces get 'Two words' --by-title");
  });

  it('is not what a deleted space is restored by: the trash knows those', async () => {
    const ran = await home.run(['--sandbox', 'spaces', 'restore', 'Two words', '--no-input']);
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('Try: docs spaces trash list');
  });

  it('is looked up with --by-title, in positionals, context and flags', async () => {
    expect(await home.run(['spaces', 'get', 'handbook', '--by-title', '-o', 'id'])).toEqual({
      code: 0,
      signal: null,
      stdout: 's2\n',
      stderr: 'Handbook is space s2.\n',
    });
    await home.ok(['change-requests', 'list', '--space', 'Two words', '--by-title']);
    expect(platform.requests.at(-1)).toContain('GET /v1/spaces/s6/change-requests');
    const moved = await home.run([
      ...['spaces', 'move', 'Guide', '--parent', 'All', '--before', 'Handbook'],
      ...['--by-title', '--dry-run', '--json'],
    ]);
    expect(JSON.parse(moved.stdout)).toEqual({
      method: 'POST',
      path: '/v1/spaces/s1/move',
      body: { parent: 'c1', position: { before: { type: 'space', space: 's2' } } },
    });
  });

  it('may be an email of a member, many of them in a file; ids stay ids', async () => {
    const stdin = 'ada@acme.example\nBob\n';
    const ran = await home.run(['members', 'delete', '-', '--by-title', '--yes', '-o', 'ndjson'], { stdin });
    expect(ran.code).toBe(0);
    expect(platform.changes()).toEqual(['DELETE /v1/orgs/o1/members/u1', 'DELETE /v1/orgs/o1/members/u2']);
  });

  it('that several have is refused with 2, before anything is changed', async () => {
    const ran = await home.run(['spaces', 'delete', 'Guide', 'Notes', '--by-title', '--yes', '--json']);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: {
        code: 'ambiguous_title',
        outcome: 'not-sent',
        details: {
          matches: [
            { id: 's3', title: 'Notes' },
            { id: 's4', title: 'Notes' },
          ],
        },
      },
    });
    expect(platform.changes()).toEqual([]);
  });

  it('that nothing has exits with 6', async () => {
    const ran = await home.run(['spaces', 'delete', 'Handbok', '--by-title', '--yes']);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain('no space has the id or title "Handbok". Did you mean Handbook (s2)?');
    expect(platform.changes()).toEqual([]);
  });
});

describe('an address', () => {
  it('of the platform is the id in it: nothing is sent to find out', async () => {
    for (const address of [
      `${platform.url}/v1/spaces/s2`,
      'https://app.sandbox.example/s/s2',
      'https://app.sandbox.example/o/o1/s/s2/some/page?q=1#part',
      'https://api.sandbox.example/v1/spaces/s2',
    ]) {
      expect(await home.ok(['spaces', 'get', address, '-o', 'id'])).toBe('s2\n');
    }
    expect(new Set(platform.requests)).toEqual(new Set(['GET /v1/spaces/s2']));
  });

  it('tells its parents, which must not be others than were given', async () => {
    const address = 'https://app.sandbox.example/o/o1/s/s2/~/changes/7';
    await home.run(['change-requests', 'get', address]);
    expect(platform.requests).toEqual(['GET /v1/spaces/s2/change-requests/7']);
    const ran = await home.run(['change-requests', 'get', address, '--space', 's1']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`--space is s1, but ${address} is in s2`);
    expect(platform.requests).toHaveLength(1);
  });

  it('that readers know a site by is that site, wherever in it they are', async () => {
    home.env.DOCS_ORG = '';
    const sites = await home.json<{ id: string; urls: { published: string } }[]>([
      ...['--sandbox', 'sites', 'list'],
    ]);
    const { id = '', urls } = sites.find(({ urls: { published } }) => published) ?? {};
    const published = urls?.published.replace(/\/$/, '') ?? '';
    for (const address of [published, `${published}/`, `${published}/guides/setup?q=1#part`]) {
      const ran = await home.run(['--sandbox', 'sites', 'get', address, '-o', 'id']);
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: `${id}\n` });
      expect(ran.stderr).toBe(`${address} is site Acme Docs (${id}).\n`);
    }
    for (const address of [`${published}.evil.example/`, published.replace('https', 'http')]) {
      const ran = await home.run(['--sandbox', 'sites', 'get', address]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('is not an address of your platform');
    }
  });

  it('of anything else is refused, with nothing sent', async () => {
    for (const [address, said] of [
      ['https://app.sandbox.example.evil.example/s/s2', 'is not an address of your platform'],
      ['https://evil.example/v1/spaces/s2', 'is not an address of your platform'],
      ['https://app.sandbox.example/o/o1', 'is not an address of a space'],
      ['https://app.sandbox.example/s/..%2Fs2', 'is not an address of a space'],
    ] as const) {
      const ran = await home.run(['spaces', 'get', address]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(said);
    }
    expect(platform.requests).toEqual([]);
  });
});

describe('flags that the output cannot follow', () => {
  it.each([
    [
      ['spaces', 'list', '-o', 'tsv', '--jq', '.'],
      '--jq and -o tsv contradict each other: --jq prints the output of its expression',
    ],
    [['spaces', 'list', '--json', '-o', 'csv'], '--json and -o csv contradict each other'],
    [['spaces', 'list', '--json', '--header'], '--header is for tsv; -o json has no header line'],
    [['spaces', 'list', '--csv-raw'], '--csv-raw is for -o csv'],
    [['config', 'path', '--fields', 'a'], 'remove --fields'],
    [['config', 'path', '-o', 'csv'], 'remove -o csv'],
    [
      ['config', 'set', 'org', 'o2', '--fields', 'nope'],
      'unknown field "nope" in --fields. Known fields: id, status,',
    ],
  ])('are refused: %j', async (args, said) => {
    const ran = await home.run(args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(platform.requests).toEqual([]);
  });

  it('are followed where they can be: a header over what a change did', async () => {
    expect(await home.ok(['spaces', 'delete', 's1', '--yes', '--header'])).toBe('id\tstatus\ns1\tdeleted\n');
  });
});

describe('--dry-run of what changes this machine', () => {
  it.each([
    [['config', 'set', 'org', 'o2'], { id: 'org', status: 'not-changed', value: 'o2' }],
    [['config', 'unset', 'org'], { id: 'org', status: 'not-changed', value: null }],
    [['auth', 'logout'], { id: 'default', status: 'not-changed' }],
    [['spaces', 'use', 's2'], { id: 's2', status: 'not-changed', title: 'Handbook' }],
  ])('changes nothing: %j', async (args, result) => {
    const before = await home.ok(['config', 'list', '--json']);
    expect(await home.json([...args, '--dry-run'])).toMatchObject(result);
    expect(await home.ok(['config', 'list', '--json'])).toBe(before);
  });
});
