import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';

/** `docs sandbox exec` and `--sandbox`: a platform for the length of one command. */

let home: JobHome;
beforeAll(() => {
  home = jobHome({});
  runsHere(home);
});
afterAll(() => home.remove());

const exec = (...words: string[]) => home.start(['sandbox', 'exec', ...words]).ended;

describe('exec', () => {
  test('gives the command address, token and organization, and ends with its exit code', async () => {
    const variables = '[process.env.DOCS_BASE_URL, process.env.DOCS_TOKEN, process.env.DOCS_ORG]';
    const script = `console.log(${variables}.join()); process.exit(7)`;
    const ran = await exec('--', process.execPath, '-e', script);
    const { org, tokens } = await home.json<{ org: string; tokens: Record<string, string> }>([
      ...['sandbox', 'status'],
    ]);
    expect(ran).toMatchObject({ code: 7, stderr: `error: ${process.execPath} exited with code 7\n` });
    const [url, ...rest] = ran.stdout.trim().split(',');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(rest).toEqual([tokens.admin, org]);
  });

  test('with --seed leaves the data of --sandbox alone', async () => {
    const docsItself = [...docsWords, 'orgs', 'update', '--title', 'Rehearsed', '--json'];
    const ran = await exec('--seed', 'tiny', '--', ...docsItself);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ title: 'Rehearsed' });
    expect(await home.json(['--sandbox', 'orgs', 'get'])).toMatchObject({ title: 'Acme Docs' });
  });

  test('of what is no program fails with 13, without one with 2', async () => {
    expect((await home.run(['sandbox', 'exec', '--', './nothing-here'])).code).toBe(13);
    expect((await home.run(['sandbox', 'exec'])).code).toBe(2);
  });
});

// All settings that are refused: sandbox-embedded.world.test.ts.
test.each([
  [{ DOCS_OUTPUT: 'xml' }, [], 14],
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
