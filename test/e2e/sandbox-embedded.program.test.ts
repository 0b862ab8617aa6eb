import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { freshHome, type Home } from './program.js';

/** `docs sandbox exec` and `--sandbox`: a platform for the length of one command. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

test('what is said before a deletion names the way back in the sandbox, not on a platform', async () => {
  const [space] = await home.json<{ id: string }[]>(['--sandbox', 'spaces', 'list']);
  await home.ok(['--sandbox', 'spaces', 'delete', space?.id ?? '', '--save-plan', 'plan.json']);
  const risks = JSON.parse(await home.ok(['plan', 'show', 'plan.json', '--json'])).risks.join('\n');
  expect(risks).toContain(`docs spaces restore ${space?.id} --sandbox`);
});

describe('exec', () => {
  test('gives the command address, token and organization, and ends with its exit code', async () => {
    const script =
      'console.log([process.env.DOCS_BASE_URL, process.env.DOCS_TOKEN, process.env.DOCS_ORG].join())';
    const ran = await home.run([
      'sandbox',
      'exec',
      '--',
      process.execPath,
      '-e',
      `${script}; process.exit(7)`,
    ]);
    const { org, tokens } = await home.json<{ org: string; tokens: Record<string, string> }>([
      'sandbox',
      'status',
    ]);
    expect(ran.code).toBe(7);
    const [url, ...rest] = ran.stdout.trim().split(',');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(rest).toEqual([tokens.admin, org]);
  });

  test('with --seed leaves the data of --sandbox alone', async () => {
    const docsItself = [...docsWords, 'orgs', 'update', '--title', 'Rehearsed', '--json'];
    const ran = await home.run(['sandbox', 'exec', '--seed', 'tiny', '--', ...docsItself]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ title: 'Rehearsed' });
    expect(await home.json(['--sandbox', 'orgs', 'get'])).toMatchObject({ title: 'Acme Docs' });
  });

  test('of what is no program fails with 13, without one with 2', async () => {
    const failed = await home.run(['sandbox', 'exec', '--', process.execPath, '-e', 'process.exit(7)']);
    expect(failed).toMatchObject({ code: 7, stderr: `error: ${process.execPath} exited with code 7\n` });
    expect((await home.run(['sandbox', 'exec', '--', './nothing-here'])).code).toBe(13);
    expect((await home.run(['sandbox', 'exec'])).code).toBe(2);
  });
});

test.each([
  [{ DOCS_ORG: 'another' }],
  [{ DOCS_TOKEN: 'sbx_of_a_sandbox_that_is_gone' }],
  [{ DOCS_TOKEN: 'token-of-the-real-platform', DOCS_BASE_URL: 'https://docs.example' }],
  [{ DOCS_PROFILE: 'unknown' }],
])('%j does not override --sandbox', async (env) => {
  expect(await home.run(['--sandbox', 'orgs', 'get', '--jq', '.id'], { env })).toMatchObject({
    code: 0,
    stderr: '',
    stdout: await home.ok(['--sandbox', 'orgs', 'get', '--jq', '.id']),
  });
});

describe('a setting that is refused', () => {
  test.each([
    [{ DOCS_OUTPUT: 'xml' }, [], 14],
    [{ DOCS_PAGE_SIZE: '0' }, [], 14],
    [{ DOCS_TIMEOUT: 'soon' }, [], 14],
    [{}, ['-o', 'xml'], 2],
    [{}, ['--timeout', 'soon'], 2],
    [{}, ['--json', '-o', 'csv'], 2],
    [{}, ['--fields', 'nonsense'], 2],
    [{}, ['--jq', '.['], 2],
  ])('%j %j ends --sandbox at once, with its server closed', async (env, flags, code) => {
    // Longer than any start, and shorter than the limit of a test: a server left open would run for ever.
    const child = spawn(docsFile, [...docsFirst, '--sandbox', 'spaces', 'list', ...flags], {
      env: { ...home.env, ...env },
      cwd: home.path,
      stdio: 'ignore',
      timeout: 180_000,
    });
    expect(await once(child, 'exit')).toEqual([code, null]);
  });
});

test('rows of docs bulk name members by email', async () => {
  const deniz = await home.json<{ id: string }>(['--sandbox', 'members', 'get', 'deniz@acme.example']);
  const words = ['--sandbox', 'bulk', 'members', 'update', '--from', '-'];
  const rows = 'user,role\nDeniz@acme.example,comment\n';
  expect(await home.ok(words, { stdin: rows })).toBe(`${deniz.id}\tok\t\n`);
  const role = ['--sandbox', 'members', 'get', deniz.id, '--jq', '.role', '-o', 'json'];
  expect(await home.ok(role)).toContain('comment');
  const unknown = await home.run(words, { stdin: `${rows}nobody@acme.example,read\n` });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Line 3: No member has the email "nobody@acme.example".');
});
