import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** Bad input: a server that would stay, and folders that are gone; all else: bad-input.world.test.ts. */

const platform = await stubPlatform();
const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
afterAll(async () => {
  home.remove();
  await platform.close();
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
  expect(failed.stderr).toMatch(/^error: the current folder no longer exists, .* \(local-io, exit 13\)\n/);
  expect(there('--version').status).toBe(0);
});
