import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  test('with another profile, with the right one in the hint', async () => {
    await expectRefused(
      ['--profile', 'other'],
      {},
      /belongs to profile default, not to other/,
      /--profile default$/,
    );
  });

  test('at another address', async () => {
    await expectRefused(
      [],
      { DOCS_BASE_URL: 'http://127.0.0.1:9' },
      /belongs to http:\/\/127\.0\.0\.1:\d+, not to http:\/\/127\.0\.0\.1:9/,
    );
  });

  test('in another organization, with the right one in the hint', async () => {
    await expectRefused([], { DOCS_ORG: 'o2' }, /belongs to organization o1, not to o2/, /--org o1$/);
  });

  test('by another version', async () => {
    const [path = ''] = home.journalPaths();
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.1"'));
    await expectRefused([], {}, /It was created by docs 0\.0\.1, and this is /);
  });

  test('after the plan in its journal was edited', async () => {
    const [path = ''] = home.journalPaths();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"role":"read"', '"role":"admin"'));
    await expectRefused([], {}, /Its journal was edited/);
  });

  test('but not after the file was deleted: the journal holds the whole plan', async () => {
    writeFileSync(join(home.path, 'roles.csv'), '');
    const { rmSync } = await import('node:fs');
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

  test('older than 90 days is removed; jobs prune removes more', async () => {
    await home.ok(['members', 'update', 'u1', '--role', 'read']);
    const [path = ''] = home.journalPaths();
    const { renameSync } = await import('node:fs');
    renameSync(path, path.replace(/\d{8}-\d{6}/, '20200101-000000'));
    chmodSync(home.journals, 0o700);
    await home.ok(['members', 'update', 'u2', '--role', 'read']);
    expect(home.journalPaths()).toHaveLength(1);
    expect(home.journalPaths()[0]).not.toContain('20200101');
    expect(await home.json(['jobs', 'prune', '--days', '0'])).toMatchObject({ status: 'pruned', removed: 1 });
    expect(home.journalPaths()).toEqual([]);
  });
});
