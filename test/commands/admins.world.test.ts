import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { getMember, updateMember } from '../../src/api/resources/members.js';
import { startGateway } from '../e2e/gateway.js';
import { opened } from '../opened.js';
import { openOrgWorld, org, person } from './members/org-world.js';

/**
 * Changes of members that would leave an organization without an admin, or the owner of the token without
 * the role. Ada owns the token; she is the only admin but for farah, who is disabled.
 */

const world = opened(openOrgWorld);
const gateway = opened(() => startGateway(world.sandbox.url));
beforeEach(async () => {
  await world.control.reset();
  rmSync(world.home, { recursive: true });
  mkdirSync(world.home);
  gateway.requests.length = 0;
  gateway.rule = () => undefined;
});

const docs = (words: readonly string[], stdin?: string) =>
  world.run(words, { env: { DOCS_BASE_URL: gateway.url }, ...(stdin !== undefined && { stdin }) });

const [ada, bruno, emil] = [person('ada'), person('bruno'), person('emil')];

async function roleOf(userId: string): Promise<unknown> {
  return (await world.admin.ok(getMember, { path: { organizationId: org, userId } })).role;
}

async function makeAdmin(userId: string): Promise<void> {
  await world.admin.ok(updateMember, { path: { organizationId: org, userId }, body: { role: 'admin' } });
}

/** The requests that a run sent, oldest first, without ids and paging. */
async function sentBy(words: string[]): Promise<string[]> {
  expect(await docs(words)).toMatchObject({ code: 0 });
  return gateway.requests.map((line) => line.replace(`/v1/orgs/${org}`, '').replace(/&limit=\d+/, ''));
}

async function refused(words: string[], reason: string, stdin?: string): Promise<void> {
  const ran = await docs(words, stdin);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(reason),
  });
  expect(gateway.requests.filter((line) => !/^GET|\/ping$/.test(line))).toEqual([]);
  expect(await roleOf(ada)).toBe('admin');
}

describe('the last admin', () => {
  const reason =
    'ada@acme.example is the last admin of the organization; make another member an admin first.';

  test.each([
    ['demoted', ['members', 'update', ada, '--role', 'read', '--yes']],
    ['made a guest', ['members', 'update', ada, '--role', 'none', '--yes']],
    ['demoted by email', ['members', 'update', 'Ada@acme.example', '--role', 'read', '--yes']],
    ['removed', ['members', 'delete', ada, '--yes']],
    ['removed among others', ['members', 'delete', emil, ada, '--yes']],
  ])('is not %s', async (_, words) => {
    await refused(words, `${reason} Nothing was changed. (usage, exit 2)`);
    expect(await roleOf(emil)).not.toBeNull();
  });

  test('is not one of the ids on standard input', async () => {
    await refused(['members', 'update', '-', '--role', 'read', '--yes'], reason, `${emil}\n${ada}\n`);
  });

  test('is not demoted in a dry run, which shows the requests first', async () => {
    const words = ['members', 'update', emil, ada, '--role', 'read', '--dry-run'];
    await refused(words, reason);
    expect((await docs(words)).stdout).toContain(`/members/${ada}`);
  });

  test('are all admins that rows take the role from', async () => {
    await makeAdmin(bruno);
    writeFileSync(join(world.home, 'rows.csv'), `user,role\n${ada},edit\n${emil},read\n${bruno},none\n`);
    for (const more of ['--yes', '--dry-run']) {
      await refused(['bulk', 'members', 'update', '--from', 'rows.csv', more], 'are the last admins');
    }
    expect(await roleOf(bruno)).toBe('admin');
    writeFileSync(join(world.home, 'leavers.csv'), `user\n${ada}\n${bruno}\n`);
    await refused(['bulk', 'members', 'delete', '--from', 'leavers.csv', '--yes'], 'are the last admins');
  });

  test('is not one of two: the other is demoted', async () => {
    await makeAdmin(bruno);
    expect(await docs(['members', 'update', bruno, '--role', 'read'])).toMatchObject({ code: 0 });
    expect(await roleOf(bruno)).toBe('read');
  });
});

describe('the owner of the token', () => {
  const reason = 'ada@acme.example owns the token in use; another admin has to do this. Nothing was changed';
  beforeEach(() => makeAdmin(bruno));

  const demote = ['members', 'update', ada, '--role', 'edit'];
  const remove = ['members', 'delete', ada];
  const path = `/v1/orgs/${org}/members/${ada}`;

  test.each([
    ['demoted', demote],
    ['made a guest', ['members', 'update', ada, '--role', 'null']],
    ['demoted among others', ['members', 'update', ada, emil, '--role', 'edit']],
    ['removed', remove],
    ['removed by email', ['members', 'delete', 'Ada@acme.example']],
    ['removed among others', ['members', 'delete', ada, emil]],
    ['removed by docs api', ['api', 'DELETE', path]],
    ['demoted by docs api', ['api', 'PATCH', path, '-f', 'role=read']],
    ['made a guest by docs api', ['api', 'PATCH', path, '-F', 'role=null']],
  ])('is not %s, --yes or not', async (_, words) => {
    await refused([...words, '--yes'], reason);
  });

  test('is not removed or demoted by rows', async () => {
    writeFileSync(join(world.home, 'rows.csv'), `user,role\n${emil},edit\n${ada},read\n`);
    await refused(['bulk', 'members', 'update', '--from', 'rows.csv', '--yes'], reason);
    writeFileSync(join(world.home, 'leavers.csv'), `user\n${ada}\n`);
    await refused(['bulk', 'members', 'delete', '--from', 'leavers.csv', '--yes'], reason);
  });

  test.each([
    ['of a command', demote],
    ['of many ids', [...remove, emil]],
    ['of docs api', ['api', 'DELETE', path]],
  ])('is not removed or demoted by a plan %s, which sends no ping itself', async (_, words) => {
    expect(await docs([...words, '--save-plan', 'plan.json'])).toMatchObject({ code: 0 });
    expect(gateway.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
    const { risks } = JSON.parse(readFileSync(join(world.home, 'plan.json'), 'utf8')) as { risks: string[] };
    expect(risks.join()).toContain('ada@acme.example may own the token in use');
    await refused(['apply', 'plan.json', '--yes'], reason);
  });

  test('is not demoted by undoing what made them an admin', async () => {
    const DOCS_TOKEN = world.sandbox.tokens.find(({ name }) => name === 'create')?.token ?? '';
    for (const role of ['edit', 'admin']) {
      const words = ['members', 'update', ada, '--role', role, '--yes'];
      expect(await world.run(words, { env: { DOCS_TOKEN, DOCS_BASE_URL: gateway.url } })).toMatchObject({
        code: 0,
      });
    }
    gateway.requests.length = 0;
    await refused(['undo', 'last', '--yes'], reason);
    const shown = await docs(['undo', 'last', '--dry-run']);
    expect(shown.stderr).toContain('ada@acme.example may own the token in use');
  });

  test('is not demoted by the files of the organization, whatever their guards allow', async () => {
    await makeAdmin(emil);
    const change = (file: string, from: string | RegExp, to: string) => {
      const path = join(world.home, 'org', file);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    expect(await docs(['pull'])).toMatchObject({ code: 0 });
    change('org.yaml', 'guards:', 'guards:\n  require_self: false');
    expect(await docs(['apply', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    change('people.yaml', /(ada@acme\.example[^-]*role: )admin/, '$1edit');
    gateway.requests.length = 0;
    await refused(['apply', '--yes'], reason);
  });

  test('may be unknown: then no admin is changed', async () => {
    gateway.rule = (line) => (line.endsWith('/ping') ? 403 : undefined);
    const ran = await docs(['members', 'update', bruno, '--role', 'read', '--yes']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('bruno@acme.example may own the token in use: the ping that identifies');
    expect(await roleOf(bruno)).toBe('admin');
  });

  test('is demoted and removed by another admin', async () => {
    await makeAdmin(emil);
    expect(await docs(['members', 'update', bruno, '--role', 'read', '--yes'])).toMatchObject({ code: 0 });
    expect(await docs(['api', 'DELETE', `/v1/orgs/${org}/members/${emil}`, '--yes'])).toMatchObject({
      code: 0,
    });
  });

  test('is named in a dry run, which sends no ping', async () => {
    const ran = await docs([...remove, '--dry-run']);
    expect(ran.stderr).toContain('ada@acme.example may own the token in use');
    expect(gateway.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  });
});

describe('what it costs', () => {
  test('nothing to make an admin, and a script is not asked', async () => {
    expect(await sentBy(['members', 'update', emil, '--role', 'admin'])).toEqual([
      `GET /members/${emil}`,
      `PATCH /members/${emil}`,
    ]);
  });

  test('one list to take another role from any number of members', async () => {
    const sent = await sentBy(['members', 'update', emil, bruno, '--role', 'read', '--concurrency', '1']);
    expect(sent).toEqual([
      'GET /members?role=admin',
      `GET /members/${emil}`,
      `PATCH /members/${emil}`,
      `GET /members/${bruno}`,
      `PATCH /members/${bruno}`,
    ]);
  });

  test('two lists and a ping where one of them is an admin', async () => {
    await makeAdmin(bruno);
    const sent = await sentBy(['members', 'update', bruno, '--role', 'read']);
    expect(sent.map((line) => line.replace(/&.*|[?]sort.*/, ''))).toEqual([
      'GET /members?role=admin',
      'GET /members',
      'POST /ping',
      'GET /members',
      `GET /members/${bruno}`,
      `PATCH /members/${bruno}`,
    ]);
  });

  test('nothing where the change was not allowed to be sent', async () => {
    expect(await docs(['members', 'delete', emil])).toMatchObject({ code: 2 });
    expect(gateway.requests).toEqual([]);
  });
});

test('a list that is refused leaves it to the platform; one that fails sends nothing', async () => {
  const isList = (line: string) => line.includes('role=admin');
  gateway.rule = (line) => (isList(line) ? 403 : undefined);
  expect(await docs(['members', 'update', ada, '--role', 'read'])).toMatchObject({ code: 7 });
  gateway.rule = (line) => (isList(line) ? 500 : undefined);
  const ran = await docs(['members', 'update', emil, '--role', 'read', '--no-retry']);
  expect(ran.code).toBe(10);
  expect(gateway.requests.at(-1)).toContain('role=admin');
  const shown = await docs(['members', 'update', emil, '--role', 'read', '--dry-run', '--no-retry']);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('PATCH') });
  expect(shown.stderr).toContain('Could not check whether this would be refused');
});
