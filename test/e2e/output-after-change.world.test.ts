import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** Exit 2 says that nothing was sent: a filter that does not compile is refused before, any other comes with the change. */

const { home, reset } = await sandboxHome();
const members = await home.json<{ id: string; role: string }[]>(['members', 'list']);
const member = members.find(({ role }) => role === 'read')?.id ?? '';
beforeEach(async () => {
  await reset();
  rmSync(join(home.path, '.local/state/docs'), { recursive: true, force: true });
});

const roleNow = async () => (await home.json<{ role: string }>(['members', 'get', member])).role;
const teams = async () => (await home.json<{ title: string }[]>(['teams', 'list'])).map(({ title }) => title);
const errorOf = (stderr: string) =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: Record<string, unknown> }).error;

describe('what does not compile is refused before anything is sent', () => {
  test('in a change of one, and in docs api', async () => {
    const ran = await home.run(['members', 'update', member, '--role', 'comment', '--jq', '.role[']);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    const args = ['api', 'PATCH', `/v1/orgs/{org}/members/${member}`, '-f', 'role=edit', '--jq', '.['];
    expect((await home.run(args)).code).toBe(2);
    expect(await roleNow()).toBe('read');
  });

  test('in an offboarding, which leaves no evidence either', async () => {
    const ran = await home.run(['members', 'offboard', member, '--yes', '--jq', '.nosuch[']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('--jq does not compile');
    expect(await roleNow()).toBe('read');
    expect(readdirSync(home.path).filter((name) => name.startsWith('offboarding'))).toEqual([]);
  });

  test('in links of members to SSO', async () => {
    const ran = await home.run(['sso', 'link', member, '--yes', '--json', '--fields', 'nosuch']);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(errorOf(ran.stderr)).toMatchObject({ code: 'unknown_field' });
    expect(await home.json<object>(['members', 'get', member])).toMatchObject({ sso: false });
  });

  test('in bulk, undo, resume and backup', async () => {
    writeFileSync(join(home.path, 't.csv'), 'title\nA\nB\n');
    const before = await teams();
    const bulk = ['bulk', 'teams', 'create', '--from', 't.csv'];
    expect((await home.run([...bulk, '--jq', '.[].nosuch['])).code).toBe(2);
    expect(await teams()).toEqual(before);
    await home.ok(bulk);
    expect((await home.run(['undo', 'last', '--yes', '--jq', '.status['])).code).toBe(2);
    expect((await home.run(['jobs', 'resume', 'last', '--jq', '.status['])).code).toBe(2);
    expect(await teams()).toHaveLength(before.length + 2);
    expect((await home.run(['backup', 'run', '--out', 'b', '--jq', '.nosuch['])).code).toBe(2);
    expect(readdirSync(home.path)).not.toContain('b');
  });

  test('a dry run prints requests, so its filter is not tried on answers', async () => {
    const args = ['members', 'update', member, '--role', 'edit', '--dry-run', '--jq', '.body.role'];
    expect(await home.ok(args)).toBe('edit\n');
  });
});

describe('a filter that fails on the answer comes with the change, which is printed whole', () => {
  test.each<[string, string]>([
    ['that raises an error', '.role | error'],
    ['of a field that is not there', '.nosuch.foo[]'],
    ['of the wrong type', '.role[]'],
  ])('of one, %s', async (_, filter) => {
    const args = ['members', 'update', member, '--role', 'comment', '--json', '--jq', filter];
    const ran = await home.run(args);
    expect(ran.code).toBe(13);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: member, role: 'comment' });
    expect(errorOf(ran.stderr)).toMatchObject({ code: 'jq_failed', exitCode: 13, outcome: 'done' });
    expect(await roleNow()).toBe('comment');
  });

  test('of one that answers nothing', async () => {
    const ran = await home.run(['members', 'delete', member, '--yes', '--jq', '.id | error']);
    expect({ code: ran.code, stdout: JSON.parse(ran.stdout) as unknown }).toEqual({
      code: 13,
      stdout: { id: member, status: 'removed' },
    });
    expect(ran.stderr).toContain('the command is done, but its output failed: --jq failed:');
  });

  test('of docs api, whose answers are not declared', async () => {
    const path = `/v1/orgs/{org}/members/${member}`;
    const ran = await home.run(['api', 'PATCH', path, '-f', 'role=edit', '--jq', '.nosuch[]']);
    expect({ code: ran.code, role: (JSON.parse(ran.stdout) as { role: string }).role }).toEqual({
      code: 13,
      role: 'edit',
    });
    const ids = await home.run(['api', 'POST', `${path}/sso`, '-o', 'id']);
    expect([0, 13]).toContain(ids.code);
  });

  test('of many, and of their undo', async () => {
    writeFileSync(join(home.path, 't.csv'), 'title\nA\nB\n');
    const ran = await home.run([
      'bulk',
      'teams',
      'create',
      '--from',
      't.csv',
      '--json',
      '--jq',
      '.[] | .id | error',
    ]);
    expect({ code: ran.code, results: JSON.parse(ran.stdout) as unknown }).toMatchObject({
      code: 13,
      results: [
        { index: 0, status: 'ok' },
        { index: 1, status: 'ok' },
      ],
    });
    expect(errorOf(ran.stderr)).toMatchObject({ code: 'jq_failed', exitCode: 13, outcome: 'done' });
    const undone = await home.run(['undo', 'last', '--yes', '--jq', '.[].id | error']);
    expect(undone.code).toBe(13);
    expect(await teams()).not.toContain('A');
  });

  test('of a backup', async () => {
    const ran = await home.run(['backup', 'run', '--out', 'b', '--json', '--jq', '.nosuch[]']);
    expect({ code: ran.code, result: JSON.parse(ran.stdout) as unknown }).toMatchObject({
      code: 13,
      result: { status: expect.any(String) },
    });
    expect(errorOf(ran.stderr)).toMatchObject({ code: 'jq_failed', outcome: 'done' });
    expect(readdirSync(home.path)).toContain('b');
    rmSync(join(home.path, 'b'), { recursive: true });
  });

  test('of an offboarding, with its evidence', async () => {
    const args = ['members', 'offboard', member, '--yes', '--json', '--jq', '.people[].user.id | error'];
    const ran = await home.run(args);
    expect({ code: ran.code, state: (JSON.parse(ran.stdout) as { state: string }).state }).toEqual({
      code: 13,
      state: 'complete',
    });
    expect(errorOf(ran.stderr)).toMatchObject({ exitCode: 13, outcome: 'done' });
    expect(readdirSync(home.path).filter((name) => name.startsWith('offboarding'))).toHaveLength(2);
  });

  test('where some items failed, that is what the exit code says', async () => {
    const ran = await home.run([
      'members',
      'update',
      member,
      'nobody',
      '--role',
      'edit',
      '--jq',
      '.[].id | error',
    ]);
    expect(ran.code).toBe(3);
    expect((JSON.parse(ran.stdout) as unknown[]).length).toBe(2);
    expect(ran.stderr).toContain('its output failed');
  });

  test('of a read nothing is printed, as before', async () => {
    const ran = await home.run(['members', 'get', member, '--jq', '.role | error']);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('-o csv with --jq', () => {
  test('has a row for each object, a column for each key', async () => {
    const filter = 'map({id, "a.b": .role, n: 12345678901234567890, list: [1]})';
    const text = await home.ok(['members', 'list', '--limit', '1', '-o', 'csv', '--jq', filter]);
    expect(text).toMatch(/^id,a\.b,n,list\n\w+,\w*,12345678901234567890,\[1\]\n$/);
    const rows = await home.ok([
      'teams',
      'list',
      '-o',
      'csv',
      '--jq',
      '.[0] | ({title: "=1"}, {other: "x,y"})',
    ]);
    expect(rows).toBe('title,other\n\'=1,\n,"x,y"\n');
    const raw = ['teams', 'list', '-o', 'csv', '--csv-raw', '--jq', '.[0] | {title: "=1"}'];
    expect(await home.ok(raw)).toBe('title\n=1\n');
  });

  test('refuses what is not an object; after a change it prints the whole answer', async () => {
    const read = await home.run(['teams', 'list', '-o', 'csv', '--jq', '.[].title']);
    expect({ code: read.code, stdout: read.stdout }).toEqual({ code: 2, stdout: '' });
    expect(read.stderr).toContain('-o csv takes objects from --jq, and it yields "');
    const change = ['members', 'update', member, '--role', 'edit', '-o', 'csv', '--jq', '.role'];
    const changed = await home.run(change);
    expect({ code: changed.code, id: (JSON.parse(changed.stdout) as { id: string }).id }).toEqual({
      code: 13,
      id: member,
    });
    expect(await roleNow()).toBe('edit');
  });
});
