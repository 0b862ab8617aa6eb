import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expectNextRuns, namedBy } from '../faults/next.js';
import { docsWords } from '../started.js';
import { badFiles, badLines } from './bad-lines.js';
import { runHere } from './here.js';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** Bad input: the line that the error names, and folders that are gone. */

const platform = await stubPlatform();
const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
for (const [name, text] of Object.entries(badFiles)) writeFileSync(join(home.path, name), text);
afterAll(async () => {
  home.remove();
  await platform.close();
});

test('what their errors name as next runs as it is printed, and is not what failed', async () => {
  let count = 0;
  for (const [args] of badLines) {
    const own = args.includes('--sandbox') ? { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' } : {};
    const { stderr } = await runHere([...args, '--json'], { ...home.env, ...own }, home.path, undefined);
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    const place = { env: { ...home.env, ...own }, cwd: home.path, url: platform.url };
    const named = namedBy(args, error);
    count += named.length;
    await expectNextRuns(named, place);
  }
  expect(count).toBeGreaterThan(20);
});

test('a command of the sandbox that is refused leaves no server that keeps it running', async () => {
  const own = { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
  const ran = await home.run(['--sandbox', 'members', 'update', 'u1', '--role', 'boss'], { env: own });
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
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
