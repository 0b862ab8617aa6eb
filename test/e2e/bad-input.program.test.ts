import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNextRuns, namedBy } from '../faults/next.js';
import { docsWords } from '../started.js';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** Bad input: one line or two, exit 2, nothing sent. */

let home: Home;
let platform: StubPlatform;
beforeAll(async () => {
  platform = await stubPlatform();
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
  writeFileSync(join(home.path, 'broken.json'), '{"title": ');
  writeFileSync(join(home.path, 'unknown.json'), '{"tilte": "x"}');
  writeFileSync(join(home.path, 'list.json'), '[1]');
});
afterAll(async () => {
  home.remove();
  await platform.close();
});

const cases: [string[], string][] = [
  [
    ['members', 'update', 'u1', '--role', 'boss'],
    '--role must be one of admin, create, review, edit, comment, read, not "boss".',
  ],
  [['members', 'update', 'u1'], '--role is required.'],
  [['members', 'list', '--limit', 'abc'], '--limit must be a number, not "abc".'],
  [['members', 'list', '--limit', '0'], '--limit must be a whole number of at least 1, not "0".'],
  [['members', 'list', '--page-size', '1001'], '--page-size must be a number from 1 to 1000, not 1001.'],
  [['members', 'list', '--page', ''], '--page must be at least 1 character long, not 0.'],
  [['teams', 'create', '--title', ''], '--title must be 1 to 64 characters long, not 0.'],
  [['teams', 'create', '--title', 'x'.repeat(65)], '--title must be 1 to 64 characters long, not 65.'],
  [['orgs', 'update', '--logo', 'logo.png'], '--logo must be an absolute URL, not "logo.png".'],
  [['orgs', 'update'], 'Nothing to change: give at least one of --title,'],
  [
    ['orgs', 'update', '--logo', 'https://x.example/l.png', '--unset', 'logo'],
    '--logo and --unset logo contradict each other.',
  ],
  [['orgs', 'update', '--unset', 'title'], '--unset must be one of'],
  [['members', 'get', '..'], '<user> must be an id, not "..".'],
  [['members', 'get', ''], '<user> must be an id, not "".'],
  [['teams', 'update', 't1', '--input', 'broken.json'], '--input: broken.json is not JSON:'],
  [['teams', 'update', 't1', '--input', 'unknown.json'], '--input: tilte is not known; known: title.'],
  [['teams', 'update', 't1', '--input', 'list.json'], '--input: the body must be a JSON object.'],
  [['members', 'list', '--fields', 'nope'], 'nope'],
  [['members', 'list', '--fields', 'email'], 'Unknown field "email" in --fields. Did you mean user.email?'],
  [['members', 'list', '--role', 'admn'], '--role must be one of admin,'],
  [['spaces', 'move', 's1'], 'Nothing to change: give at least one of --parent, --before, --after.'],
  [['collections', 'move', 'c1'], 'Nothing to change: give at least one of --parent, --before, --after.'],
  [['sections', 'move', 'x1', '--site', 't1'], '--before or --after is required.'],
  [['members', 'list', '--jq', '.['], '--jq'],
  [['members', 'list', '-o', 'xml'], 'xml'],
  [
    ['members', 'list', '--rol', 'admin'],
    'unknown flag "--rol" for "docs members list". Did you mean --role?',
  ],
  [['members', 'lst'], 'unknown command "lst" for "docs members". Did you mean docs members list?'],
  [
    ['member', 'list', 'extra'],
    'unexpected argument "extra" for "docs members list", which takes no arguments.',
  ],
  [['members', 'delete', 'u1'], 'Add --yes'],
  [['spaces', 'delete', 's1'], 'Add --yes'],
  [['members', 'delete', '-'], 'No ids given for <user>; add --allow-empty to allow that.'],
  [['teams', 'members', 'update', 't1', '--membership', 'u1'], '--membership must be user=role, not "u1".'],
  [['spaces', 'fields', 'set', 's1', 'owner'], '<name=value> must be name=value, not "owner".'],
  [
    ['spaces', 'fields', 'set', 's1', 'seats:=null'],
    '<name=value> cannot be null: seats= clears a text and seats:=[] a list; the platform cannot clear other values.',
  ],
  [['spaces', 'move', 's1', '--before', 'page:x'], '--before'],
  [['--sandbox', 'orgs', 'search', 'x'.repeat(513)], '<query> must be at most 512 characters long, not 513.'],
];

describe.each(cases)('docs %s', (args, message) => {
  test('exits with 2, says why, sends nothing', async () => {
    const sent = platform.requests.length;
    const ran = await home.run(args);
    expect(ran.stderr).toContain(message);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(4);
    expect(platform.requests.length).toBe(sent);
  });
});

describe.each(cases.filter(([args]) => !args.includes('--sandbox')))('docs --sandbox %s', (args) => {
  test('exits with 2 as well, and leaves no server that keeps it running', async () => {
    const own = { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
    const ran = await home.run(['--sandbox', ...args], { env: own, deadlineMs: 60_000 });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('what their errors name as next runs as it is printed, and is not what failed', async () => {
  let count = 0;
  for (const [args] of cases) {
    const own = args.includes('--sandbox') ? { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' } : {};
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

test('a current folder that was removed is told as such, exit 13; what needs none works there', () => {
  mkdirSync(join(home.path, 'gone'));
  const there = (words: string) =>
    spawnSync(
      'sh',
      [
        '-c',
        `cd gone && rmdir ../gone && "$@" ${words}; code=$?; mkdir -p "$HOME/gone"; exit $code`,
        'sh',
        ...docsWords,
      ],
      {
        cwd: home.path,
        env: home.env,
        encoding: 'utf8',
      },
    );
  const failed = there('members list');
  expect(failed.status).toBe(13);
  expect(failed.stderr).toMatch(/^error: The current folder no longer exists, .* \(local-io, exit 13\)\n/);
  expect(there('--version').status).toBe(0);
});
