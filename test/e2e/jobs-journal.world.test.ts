import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { failure } from './job-home.js';
import { bulk, memberHome, update } from './member-home.js';

/** When resume is refused; and the journal: its content, an unwritable one, none. */

const { platform, home } = await memberHome(10);

describe('resume is refused, and nothing is sent', () => {
  beforeEach(async () => {
    platform.onChange = (count) => (count > 5 ? 403 : 'done');
    expect((await home.run(bulk)).code).toBe(3);
    platform.onChange = () => 'done';
  });

  async function expectRefused(
    args: readonly string[],
    env: Record<string, string>,
    message: RegExp,
    hint?: RegExp,
  ) {
    const sent = platform.requests.length;
    const job = home.journalPaths()[0]?.split('/').at(-1)?.split('.')[0] ?? '';
    const ran = await home.run(['jobs', 'resume', job, '--json', ...args], { env });
    expect({ code: ran.code, stdout: ran.stdout, sent: platform.requests.length }).toEqual({
      code: 2,
      stdout: '',
      sent,
    });
    const error = failure(ran.stderr);
    expect(error.code).toBe('job_mismatch');
    expect(error.message).toMatch(message);
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  }

  test('after the file was edited', async () => {
    appendFileSync(join(home.path, 'roles.csv'), 'u11,read\n');
    await expectRefused([], {}, /roles\.csv was edited after the job was created; nothing was sent/);
  });

  test.each<{ name: string; words?: string[]; env?: Record<string, string>; message: RegExp; hint?: RegExp }>(
    [
      {
        name: 'with another profile, with the right one in the hint',
        words: ['--profile', 'other'],
        message: /belongs to profile default, not to other/,
        hint: /--profile default$/,
      },
      {
        name: 'at another address',
        env: { DOCS_BASE_URL: 'http://127.0.0.1:9' },
        message: /belongs to http:\/\/127\.0\.0\.1:\d+, not to http:\/\/127\.0\.0\.1:9/,
      },
      {
        name: 'in another organization, with the right one in the hint',
        env: { DOCS_ORG: 'o2' },
        message: /belongs to organization o1, not to o2/,
        hint: /--org o1$/,
      },
    ],
  )('$name', async ({ words = [], env = {}, message, hint }) => {
    await expectRefused(words, env, message, hint);
  });

  test('by another version', async () => {
    const [path = ''] = home.journalPaths();
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.1"'));
    await expectRefused([], {}, /It was created by docs 0\.0\.1, and this is /);
  });

  test('but not after the file was deleted: the journal holds the whole plan', async () => {
    rmSync(join(home.path, 'roles.csv'));
    expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
    expect(platform.changes).toHaveLength(10);
  });
});

describe('the journal', () => {
  test('holds no token and is readable by its owner only', async () => {
    await home.ok(update);
    await home.ok(['members', 'update', 'u1', '--role', 'comment']);
    for (const text of home.journalTexts()) expect(text).not.toContain('secret-token');
  });

  test('that cannot be written is exit 13 with nothing sent; turned off, changes work', async () => {
    mkdirSync(join(home.path, '.local'), { recursive: true });
    writeFileSync(join(home.path, '.local', 'state'), 'in the way');
    for (const args of [update, ['members', 'update', 'u1', '--role', 'read']]) {
      const ran = await home.run([...args, '--json']);
      expect(ran.code).toBe(13);
      expect(failure(ran.stderr)).toMatchObject({ code: 'journal_unwritable', exitCode: 13 });
    }
    expect(platform.requests.filter((request) => request.startsWith('PATCH'))).toEqual([]);
    await home.ok(['config', 'set', 'journal', 'off']);
    await home.ok(update);
    expect(platform.changes).toHaveLength(10);
  });

  test('turned off leaves no file and reads no state before a change', async () => {
    await home.ok(['config', 'set', 'journal', 'off']);
    await home.ok(update);
    expect(existsSync(home.journals)).toBe(false);
    expect(platform.requests.filter((request) => !request.startsWith('PATCH'))).toEqual([
      'GET /v1/orgs/o1/members?role=admin&limit=1000',
    ]);
    await home.ok(['config', 'set', 'journal', 'on']);
    await home.ok(['members', 'update', 'u1', '--role', 'edit']);
    expect(platform.requests.slice(-2)).toEqual([
      'GET /v1/orgs/o1/members/u1',
      'PATCH /v1/orgs/o1/members/u1',
    ]);
    expect(home.journalPaths()).toHaveLength(1);
  });
});
