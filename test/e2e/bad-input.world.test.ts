import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expectNextRuns, namedBy } from '../faults/next.js';
import { badFiles, badLines } from './bad-lines.js';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** Bad input: one line or two, exit 2, nothing sent. */

const platform = await stubPlatform();
const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
for (const [name, text] of Object.entries(badFiles)) writeFileSync(join(home.path, name), text);
afterAll(async () => {
  home.remove();
  await platform.close();
});

describe.each(badLines)('docs %s', (args, message) => {
  test('exits with 2, says why, sends nothing', async () => {
    const sent = platform.requests.length;
    const ran = await home.run(args);
    expect(ran.stderr).toContain(message);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(4);
    expect(platform.requests.length).toBe(sent);
  });
});

describe.each(badLines.filter(([args]) => !args.includes('--sandbox')))('docs --sandbox %s', (args) => {
  test('exits with 2 as well, and leaves no server that keeps it running', async () => {
    const own = { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
    const ran = await home.run(['--sandbox', ...args], { env: own });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('what their errors name as next runs as it is printed, and is not what failed', async () => {
  let count = 0;
  for (const [args] of badLines) {
    const own: Record<string, string> = args.includes('--sandbox')
      ? { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' }
      : {};
    const { stderr } = await home.run([...args, '--json'], { env: own });
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    const place = { env: { ...home.env, ...own }, cwd: home.path, url: platform.url };
    const named = namedBy(args, error);
    count += named.length;
    await expectNextRuns(named, place);
  }
  expect(count).toBeGreaterThan(20);
});

test('an id of ../x is one encoded segment, never another path', async () => {
  const ran = await home.run(['members', 'get', '../x', '--json']);
  expect(ran.code).toBe(0);
  expect(platform.requests.at(-1)).toBe('GET /v1/orgs/o1/members/..%2Fx');
});

test('a base URL without scheme is refused with 14', async () => {
  const ran = await home.run(['orgs', 'list'], { env: { DOCS_BASE_URL: 'api.example.com' } });
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 14, stdout: '' });
  expect(ran.stderr).toContain('DOCS_BASE_URL');
});

test('a corrupt settings file is named and kept', async () => {
  const other = freshHome({ DOCS_TOKEN: 'secret-token' });
  const folder = join(other.path, '.config', 'docs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'config.json'), '{"profiles": ');
  chmodSync(join(folder, 'config.json'), 0o600);
  const ran = await other.run(['orgs', 'list']);
  expect(ran.code).toBe(14);
  expect(ran.stderr).toContain(join(folder, 'config.json'));
  expect((await other.run(['commands', '-o', 'id'])).code).toBe(0);
  other.remove();
});

test('without sign-in every command says so, with the two ways on', async () => {
  const other = freshHome();
  const ran = await other.run(['orgs', 'list', '--json']);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 4, stdout: '' });
  const { error } = JSON.parse(ran.stderr) as { error: Record<string, unknown> };
  expect(error).toMatchObject({
    code: 'signed_out',
    exitCode: 4,
    hint: 'docs auth login',
    outcome: 'not-sent',
  });
  expect(error.message).toContain('--sandbox');
  other.remove();
});

test.each([
  [{}, [], 4, 'signed_out', 'docs auth login'],
  [{ DOCS_PROFILE: 'nope' }, [], 14, 'unknown_profile', 'docs auth login'],
  [{}, ['--profile', 'nope'], 2, 'unknown_profile', 'docs auth login --profile nope'],
])('signing in comes before the organization: %j %j', async (env, flags, code, error, hint) => {
  const other = freshHome(env);
  const ran = await other.run([...flags, 'members', 'list', '--json']);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
  expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: error, hint, outcome: 'not-sent' } });
  other.remove();
});

test('a missing organization is exit 2 and names the ways to give one', async () => {
  const ran = await home.run(['members', 'list'], { env: { DOCS_ORG: '' } });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Pass --org, set DOCS_ORG, or save a default (docs orgs use <org>).');
});
