import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn } from './invariants.js';
import { inWorld, targets, token } from './run.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Secrets and origins": where the token goes, and where nothing goes. */

const methods = ['GET', 'DELETE', 'POST'] as const;
const words = (method: string): string[] => ['api', method, '/v1/x', '--yes', '--json'];

describe('a redirect is refused, and the other origin never called', () => {
  test.each([301, 302, 303, 307, 308])('%i, whatever the method', async (status) => {
    const steps: Step[] = [];
    await inWorld({ script: () => steps[0] as Step }, async ({ run, server, other }) => {
      steps.push({ status, redirect: `${other.url}/stolen?x=1` });
      for (const method of methods) {
        const ran = await run(words(method));
        expect({ method, code: ran.code, error: ran.error.code }).toEqual({
          method,
          code: 15,
          error: 'refused_redirect',
        });
        expect(ran.error.message).toBe(`refused redirect to ${other.url}/stolen`);
      }
      expect(server.requests.length).toBe(methods.length);
    });
  });

  test('to itself, to a relative path, to a script, to nowhere', async () => {
    const steps: Step[] = [
      { redirect: '/v1/y' },
      { redirect: 'javascript:alert(1)' },
      { status: 302 },
      { redirect: '//evil.example/x' },
      { redirect: 'http://user:pass@evil.example/x' },
    ];
    await inWorld({ script: steps }, async ({ run, server }) => {
      for (const _ of steps) {
        const ran = await run(words('GET'));
        expect({ code: ran.code, error: ran.error.code }).toEqual({ code: 15, error: 'refused_redirect' });
        expect(ran.stderr).not.toContain('pass@');
      }
      expect(server.requests.length).toBe(steps.length);
    });
  });
});

describe('a cursor is only ever a query value', () => {
  test.each(['ABSOLUTE', '//evil.example/x', '../../x', '/v1/secret', 'a&page=b#c', '\r\nX-Evil: 1'])(
    '%j',
    async (given) => {
      const pages: Step[] = [];
      await inWorld({ script: (_, number) => pages[number - 1] ?? { status: 500 } }, async (world) => {
        const cursor = given === 'ABSOLUTE' ? `${world.other.url}/v1/orgs?page=2` : given;
        pages.push({ json: { items: [{ id: 't1' }], next: { page: cursor } } }, { json: { items: [] } });
        const ran = await world.run(['teams', 'list', '--json']);
        expect(ran.code).toBe(0);
        const [, second] = world.server.requests;
        const url = new URL(second?.target ?? '', world.server.url);
        expect({ path: url.pathname, page: url.searchParams.getAll('page') }).toEqual({
          path: '/v1/orgs/o1/teams',
          page: [cursor],
        });
        expect(second?.headers['x-evil']).toBeUndefined();
      });
    },
  );
});

// All spellings are in test/api/transport/address.test.ts.
describe('the base URL', () => {
  test.each([
    'http://platform.example',
    'http://localhost.evil.example',
    'http://0.0.0.0:PORT',
    'http://[::]:PORT',
    'https://user:pass@platform.example',
  ])('%s is refused with 14, and nothing is sent', async (text) => {
    await inWorld({}, async ({ run, server }) => {
      const baseUrl = text.replace('PORT', String(server.port));
      for (const [flags, env] of [
        [[], { DOCS_BASE_URL: baseUrl }],
        [['--base-url', baseUrl], {}],
      ] as const) {
        const ran = await run(['api', '/v1/x', '--json', ...flags], { env });
        expect({ text, code: ran.code, stdout: ran.stdout }).toEqual({ text, code: 14, stdout: '' });
        expect(ran.stderr).not.toContain('user:pass');
      }
      expect(server.connections).toBe(0);
    });
  });

  test.each(['http://localhost:PORT', 'http://2130706433:PORT'])('%s is this machine', async (text) => {
    await inWorld({ script: () => ({ json: {} }) }, async ({ run, server }) => {
      const env = { DOCS_BASE_URL: text.replace('PORT', String(server.port)) };
      expect((await run(['api', '/v1/x'], { env })).code).toBe(0);
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    });
  });
});

test('DOCS_TOKEN does not go to the origin of --base-url: exit 14, nothing sent', async () => {
  await inWorld({}, async ({ run, server, other }) => {
    const ran = await run(['api', '/v1/x', '--json', '--base-url', other.url]);
    expect({ code: ran.code, outcome: ran.error.outcome }).toEqual({ code: 14, outcome: 'not-sent' });
    expect(server.connections).toBe(0);
  });
});

test('a stored token goes to no other origin, and lies in a 0600 file alone', async () => {
  const env = { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined };
  await inWorld(
    { env, script: () => ({ json: { items: [], id: 'u1' } }) },
    async ({ run, server, other }) => {
      const login = await run(['auth', 'login', '--with-token', '--base-url', server.url], {
        stdin: `${token}\n`,
      });
      expect(login.code).toBe(0);
      const sent = server.requests.length;
      const ran = await run(['api', '/v1/x', '--json', '--base-url', other.url]);
      expect(ran.code).not.toBe(0);
      expect(ran.error.outcome).toBe('not-sent');
      expect(server.requests.length).toBe(sent);
    },
  );
});

test('a token with a newline inside is exit 4 and nothing is sent; one at its end is trimmed', async () => {
  await inWorld({ script: () => ({ json: {} }) }, async ({ run, server }) => {
    for (const bad of [`${token}\nX-Evil: 1`, `${token}\r\nx`, `${token}\n\n`]) {
      const ran = await run(['api', '/v1/x', '--json'], { env: { DOCS_TOKEN: bad } });
      expect({ code: ran.code, outcome: ran.error.outcome }).toEqual({ code: 4, outcome: 'not-sent' });
    }
    expect(server.connections).toBe(0);
    expect((await run(['api', '/v1/x'], { env: { DOCS_TOKEN: `${token}\n` } })).code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });
});

test('there is no --token flag', async () => {
  await inWorld({}, async ({ run, server }) => {
    const ran = await run(['api', '/v1/x', '--token', 'abcdefgh']);
    expect(ran.code).toBe(2);
    expect(server.connections).toBe(0);
    expect((await run(['commands', '--json'])).stdout).not.toMatch(/--token\b/);
  });
});

describe('a project file may not say', () => {
  test.each([
    { baseUrl: 'OTHER' },
    { token: 'gb_x' },
    { proxy: 'http://127.0.0.1:1' },
    { caFile: 'ca.pem' },
    { editor: 'sh -c id' },
    { profiles: {} },
    { path: '/tmp/x' },
    { 'base-url': 'OTHER' },
  ])('%j: exit 14, nothing sent', async (values) => {
    await inWorld({}, async ({ run, server, other, work }) => {
      const text = JSON.stringify(values).replace('OTHER', other.url);
      writeFileSync(join(work, '.docs.json'), text);
      const ran = await run(['api', '/v1/x', '--json']);
      expect({ code: ran.code, outcome: ran.error.outcome ?? 'not-sent' }).toEqual({
        code: 14,
        outcome: 'not-sent',
      });
      expect(ran.stderr).toContain(join(work, '.docs.json'));
      expect(server.connections).toBe(0);
    });
  });

  test('more than org, space, site, output, fields, page size and profile, which it may', async () => {
    const files = {
      '.docs.json': JSON.stringify({ org: 'o2', space: 's2', site: 'x2', output: 'id', pageSize: 7 }),
    };
    await inWorld(
      { files, env: { DOCS_ORG: undefined }, script: () => ({ json: { items: [] } }) },
      async (world) => {
        expect((await world.run(['teams', 'list'])).code).toBe(0);
        expect(targets(world.server)).toEqual(['GET /v1/orgs/o2/teams?limit=7']);
      },
    );
  });
});

test('no .env is read', async () => {
  const files = { '.env': 'DOCS_TOKEN=gb_from_env_file\nDOCS_BASE_URL=https://evil.example\n' };
  await inWorld({ files, env: { DOCS_TOKEN: undefined } }, async ({ run, server }) => {
    expect((await run(['api', '/v1/x'])).code).toBe(4);
    expect(server.connections).toBe(0);
  });
});

describe('an id is one segment', () => {
  test.each(['a/b', '../x', 'a?b=c', 'a#b', '%2e%2e', 'a b', '\u202e'])('%j', async (id) => {
    await inWorld({ script: () => ({ json: { id: 'u1' } }) }, async ({ run, server }) => {
      expect((await run(['members', 'get', '--json', '--', id])).code).toBe(0);
      expect(server.requests[0]?.target).toBe(`/v1/orgs/o1/members/${encodeURIComponent(id)}`);
    });
  });

  test.each(['', '.', '..'])('%j is none: exit 2, nothing sent', async (id) => {
    await inWorld({}, async ({ run, server }) => {
      expect((await run(['members', 'get', '--', id])).code).toBe(2);
      expect(server.connections).toBe(0);
    });
  });
});

describe('debug output', () => {
  test('with bodies hides the token in every form, the header, and what looks secret', async () => {
    const json = {
      echo: token,
      encoded: encodeURIComponent(token),
      base64: Buffer.from(`Bearer ${token}`).toString('base64'),
      password: 'hunter2-value',
      link: 'https://user:swordfish@x.example/',
    };
    await inWorld(
      { script: () => ({ json, headers: { 'set-cookie': 'sid=cookie-value' } }) },
      async ({ run }) => {
        // The answer echoes the token, which is an error, too.
        const ran = await run(['api', '/v1/x?access_token=query-value', '--debug', '--jq', '.nothing'], {
          env: { DOCS_DEBUG: 'body' },
        });
        expect(ran.code).toBe(15);
        expect(ran.stderr).toContain('> GET ');
        expect(ran.stderr).toContain('[redacted]');
        for (const secret of ['hunter2-value', 'swordfish', 'cookie-value', 'query-value'])
          expect(ran.stderr).not.toContain(secret);
        expect(ran.stderr).not.toMatch(/^> authorization/im);
      },
    );
  });

  test('shows control characters of the platform as something visible', async () => {
    await inWorld(
      { script: () => ({ json: { title: 'a\u009b31m' }, headers: { 'x-odd': 'a\u0080b' } }) },
      async (world) => {
        const ran = await world.run(['api', '/v1/x', '--jq', '.nothing'], { env: { DOCS_DEBUG: 'body' } });
        expect(ran.stderr).not.toMatch(/[\u0080-\u009f\u001b]/);
      },
    );
  });
});

test('a credentials folder that others can read is tightened, with one warning', async () => {
  const env = { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined };
  await inWorld({ env, script: () => ({ json: { items: [], id: 'u1' } }) }, async ({ run, server, home }) => {
    await run(['auth', 'login', '--with-token', '--base-url', server.url], { stdin: `${token}\n` });
    const file = filesIn(home).find((path) => path.endsWith('credentials.json')) ?? '';
    const modes = () => [file, join(file, '..')].map((path) => statSync(path).mode & 0o777);
    expect(modes()).toEqual([0o600, 0o700]);
    chmodSync(file, 0o644);
    const ran = await run(['api', '/v1/x']);
    expect({ code: ran.code, lines: ran.stderr.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 1 });
    expect(modes()).toEqual([0o600, 0o700]);
    expect((await run(['api', '/v1/x'])).stderr).toBe('');
  });
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://x.example/',
  'https://evil.example/$(id)',
  'not an address',
])('docs open starts nothing but https of the platform or its published hosts: %s', async (app) => {
  const script = () => ({ json: { id: 's1', title: 'S', urls: { app } } });
  await inWorld({ script }, async ({ run }) => {
    // Whatever it started would fail otherwise in a world test, which starts no process.
    const { code, error } = await run(['open', 'space', 's1', '--json'], { env: { DISPLAY: ':0' } });
    expect({ code, error: error.code }).toEqual({ code: 15, error: 'unsafe_address' });
  });
});
