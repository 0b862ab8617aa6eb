import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { sandboxHere } from './sandbox-here.js';
import { stubPlatform } from './stub-platform.js';

/** `docs doctor` and `docs status`: what holds, where it comes from, what is wrong. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

interface Check {
  check: string;
  state: string;
  detail: string;
  hint?: string;
}

const states = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map(({ check, state }) => [check, state]));

test('against the sandbox all is well: exit 0; it names what runs docs, and whose certificates are trusted', async () => {
  const checks = await home.json<Check[]>(['--sandbox', 'doctor']);
  const names = ['node', 'install', 'settings', 'project file', 'proxy', 'certificates', 'sign-in'];
  const all = [...names, 'connection', 'clock'];
  expect(states(checks)).toEqual(Object.fromEntries(all.map((name) => [name, 'ok'])));
  const detailOf = (name: string) => checks.find(({ check }) => check === name)?.detail ?? '';
  expect(detailOf('node')).toMatch(/^(?:v|Bun )\d+\./);
  const runtime = detailOf('node').startsWith('v') ? 'Node' : 'Bun';
  expect(detailOf('certificates')).toBe(`${runtime}'s own`);
});

test('without a token it says so and exits as the token would: 4', async () => {
  const ran = await home.run(['doctor', '--json']);
  expect(ran.code).toBe(4);
  expect((JSON.parse(ran.stdout) as Check[]).at(-1)).toMatchObject({
    check: 'sign-in',
    state: 'problem',
    hint: 'docs auth login',
  });
});

test('a broken settings file and a broken CA file are problems, each with its place', async () => {
  const folder = join(home.path, '.config', 'docs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'config.json'), '{', { mode: 0o600 });
  writeFileSync(join(home.path, 'ca.pem'), 'not a certificate');
  const ran = await home.run(['doctor', '--json', '--ca-file', 'ca.pem']);
  const checks = JSON.parse(ran.stdout) as Check[];
  expect(ran.code).toBe(14);
  expect(states(checks)).toMatchObject({ settings: 'problem', certificates: 'problem' });
  expect(checks.find(({ check }) => check === 'settings')?.detail).toContain(join(folder, 'config.json'));
});

test('nothing listening is a problem of the connection: 11, and the token is in no output', async () => {
  const ran = await home.run(['doctor'], {
    env: { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 'very-secret' },
  });
  expect(ran.code).toBe(11);
  expect(ran.stdout).toContain('token from DOCS_TOKEN');
  expect(ran.stdout + ran.stderr).not.toContain('very-secret');
});

test('a proxy with credentials is shown without them', async () => {
  const env = { DOCS_BASE_URL: 'https://platform.invalid', HTTPS_PROXY: 'http://user:pass@127.0.0.1:9' };
  const ran = await home.run(['doctor', '--json'], { env });
  expect((JSON.parse(ran.stdout) as Check[]).find(({ check }) => check === 'proxy')?.detail).toBe(
    'http://127.0.0.1:9/',
  );
  expect(ran.stdout + ran.stderr).not.toContain('pass');
});

test('status names the source of each part of the context', async () => {
  writeFileSync(join(home.path, '.docs.json'), '{"space": "from-file"}');
  const env = { DOCS_ORG: 'from-env', DOCS_BASE_URL: 'http://127.0.0.1:9' };
  const ran = await home.run(['status', '--json', '--site', 'x'], { env });
  expect(ran.code).toBe(2);
  const shown = await home.run(['status', '--json'], { env });
  expect(JSON.parse(shown.stdout)).toMatchObject({
    org: { value: 'from-env', where: 'DOCS_ORG' },
    space: { value: 'from-file', where: join(home.path, '.docs.json') },
    site: { value: null },
    works: false,
    problem: 'not signed in',
  });
});

test('use looks the resource up, keeps it, and refuses one that is not there', async () => {
  const { url, token, defaults, close } = await sandboxHere(home);
  const { org } = defaults;
  await home.ok(['auth', 'login', '--with-token', '--base-url', url], { stdin: `${token}\n` });
  const [space] = await home.json<{ id: string; title: string }[]>(['spaces', 'list', '--org', org]);
  const used = await home.run(['spaces', 'use', space?.id ?? '', '--json']);
  expect(JSON.parse(used.stdout)).toMatchObject({ id: space?.id, status: 'in-use', title: space?.title });
  expect((await home.run(['spaces', 'use', 'nope'])).code).toBe(6);
  expect(await home.ok(['config', 'get', 'space'])).toBe(`${space?.id}\n`);
  await close();
});

test.each([
  ['settings of another layout', { 'config.json': '{"version": 9}' }, {}],
  ['a proxy that is no URL', {}, { HTTPS_PROXY: '::' }],
  ['an unknown host', {}, {}],
  ['a CA file that is not there', {}, { NODE_EXTRA_CA_CERTS: '/nowhere.pem' }],
  ['a wrong token', {}, { DOCS_TOKEN: 'a b' }],
])('it never suggests itself: with %s', async (_, files, env) => {
  const folder = join(home.path, '.config', 'docs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const base = { DOCS_BASE_URL: 'https://platform.invalid', DOCS_TOKEN: 'very-secret' };
  const ran = await home.run(['doctor', '--no-retry', '--json'], { env: { ...base, ...env } });
  expect(ran.code).not.toBe(0);
  expect(ran.stdout + ran.stderr).toContain('"hint":');
  expect(ran.stdout + ran.stderr).not.toContain('docs doctor');
});

test('nor where the platform fails it', async () => {
  for (const [status, body] of [
    [500, {}],
    [200, {}],
    [302, {}],
    [429, {}],
    [200, { items: [], next: { page: 5 } }],
  ] as const) {
    const platform = await stubPlatform(() => ({ status, body }));
    const env = { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'very-secret' };
    const ran = await home.run(['doctor', '--no-retry'], { env });
    await platform.close();
    expect(ran.code).not.toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('docs doctor');
    expect(ran.stderr).toMatch(/\n {2}Try: docs /);
  }
});
