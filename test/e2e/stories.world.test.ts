import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';

/** What admins do, told as stories: the built program, the embedded platform, its state after. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const sandbox = (...args: string[]) => ['--sandbox', ...args];

interface Listed {
  id: string;
  title: string;
  role: string | null;
  user: { displayName: string };
  organization: { id: string };
}

test('a guest gets a role, joins a team, and leaves again', async () => {
  const members = await home.json<Listed[]>(sandbox('members', 'list'));
  const person = members.find((member) => member.role === 'read') as Listed;
  const [team] = await home.json<Listed[]>(sandbox('teams', 'list'));
  const teamId = (team as Listed).id;

  const promoted = await home.json<Listed>(sandbox('members', 'update', person.id, '--role', 'edit'));
  expect(promoted.role).toBe('edit');

  expect(await home.json(sandbox('teams', 'members', 'set', teamId, person.id, '--role', 'owner'))).toEqual({
    id: person.id,
    status: 'set',
  });
  const inTeam = await home.json<Listed[]>(sandbox('teams', 'members', 'list', teamId));
  expect(inTeam.map((item) => item.organization.id)).toContain(person.id);

  const left = await home.run(sandbox('members', 'delete', person.id, '--yes', '--json'));
  expect(left).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify({ id: person.id, status: 'removed' }, null, 2)}\n`,
  });
  const after = await home.json<Listed[]>(sandbox('teams', 'members', 'list', teamId));
  expect(after.map((item) => item.organization.id)).not.toContain(person.id);
  expect((await home.run(sandbox('members', 'get', person.id))).code).toBe(6);
});

test('a space is deleted, gone, restored, and there again; after 7 days it is gone for good', async () => {
  const before = await home.json<Listed[]>(sandbox('spaces', 'list'));
  const space = before[0] as Listed;
  expect(await home.json(sandbox('spaces', 'delete', space.id, '--yes'))).toEqual({
    id: space.id,
    status: 'deleted',
  });
  const during = await home.json<Listed[]>(sandbox('spaces', 'list'));
  expect(during.map(({ id }) => id)).toEqual(before.map(({ id }) => id).filter((id) => id !== space.id));
  expect((await home.run(sandbox('spaces', 'get', space.id))).code).toBe(6);

  const restored = await home.json<Listed>(sandbox('spaces', 'restore', space.id));
  expect(restored).toMatchObject({ id: space.id, title: space.title });
  expect((await home.json<Listed[]>(sandbox('spaces', 'list'))).map(({ id }) => id)).toContain(space.id);

  await home.ok(sandbox('spaces', 'delete', space.id, '--yes'));
  await home.ok(['sandbox', 'clock', '+8d']);
  const late = await home.run(sandbox('spaces', 'restore', space.id));
  expect(late.code).toBe(6);
  expect(late.stdout).toBe('');
});

test('an invite gives less, and then nothing', async () => {
  const seeded = await home.json<{ id: string }[]>(['sandbox', 'export', '--jq', '.tables.invites']);
  const invite = (seeded[0] as { id: string }).id;
  expect(await home.json(sandbox('invites', 'update', invite, '--role', 'comment'))).toMatchObject({
    role: 'comment',
  });
  expect((await home.run(sandbox('invites', 'delete', invite))).code).toBe(2);
  await home.ok(sandbox('invites', 'delete', invite, '--yes'));
  expect((await home.run(sandbox('invites', 'get', invite))).code).toBe(6);
});

test('ids from one command go into another', async () => {
  const ids = await home.ok(sandbox('spaces', 'list', '-o', 'id'));
  const two = ids.split('\n').slice(0, 2);
  const ran = await home.run(sandbox('spaces', 'delete', '-', '--yes', '-o', 'ndjson'), {
    stdin: `${two.join('\n')}\n`,
  });
  expect(ran.code).toBe(0);
  expect(
    ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { index: 0, id: two[0], status: 'ok' },
    { index: 1, id: two[1], status: 'ok' },
  ]);
});

test('one of three ids is wrong: the others are done, the exit code is 3', async () => {
  const ids = (await home.ok(sandbox('teams', 'list', '-o', 'id'))).trim().split('\n');
  const ran = await home.run(
    sandbox('teams', 'delete', ids[0] as string, 'nobody', ids[1] as string, '--yes', '--json'),
  );
  expect(ran.code).toBe(3);
  expect(
    (JSON.parse(ran.stdout) as Listed[]).map((item) => (item as unknown as { status: string }).status),
  ).toEqual(['ok', 'failed', 'ok']);
  expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'partial', exitCode: 3 } });
  expect(await home.ok(sandbox('teams', 'list', '-o', 'id'))).toBe('');
});
