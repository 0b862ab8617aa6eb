import { expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';

/** Taken back, and taken out of the trash. */

const { home } = await forwardedHome();

interface Listed {
  id: string;
  title: string;
  role: string | null;
}
interface Item {
  index: number;
  id: string;
  status: string;
  error?: { code: string; message: string };
}

const ids = async (...args: string[]) => (await home.ok([...args, '-o', 'id'])).trim().split('\n');
const roleOf = async (id: string) => (await home.json<Listed>(['members', 'get', id])).role;

test('undoes the roles of three people, one of whom changed since and is named', async () => {
  const members = await home.json<Listed[]>(['members', 'list']);
  const people = members.filter(({ role }) => role !== 'admin' && role !== 'comment' && role !== 'edit');
  const [first = '', second = '', third = ''] = people.map(({ id }) => id);
  const roles = people.slice(0, 3).map(({ role }) => role);
  await home.ok(['members', 'update', first, second, third, '--role', 'comment']);
  const [{ id: job = '' } = {}] = await home.json<{ id: string }[]>(['jobs', 'list']);
  await home.ok(['members', 'update', second, '--role', 'edit']);

  const plan = await home.json<{ id: string; undo: string; now: string; why?: string }[]>([
    'undo',
    job,
    '--dry-run',
  ]);
  expect(plan.map(({ id, undo, now, why }) => [id, undo, now, why])).toEqual([
    [third, 'exact', 'as left', undefined],
    [second, 'exact', 'changed', 'role is edit, not comment'],
    [first, 'exact', 'as left', undefined],
  ]);
  const undone = await home.run(['undo', job, '--json']);
  expect(undone.code).toBe(3);
  expect(
    (JSON.parse(undone.stdout) as Item[]).map(({ id, status, error }) => [id, status, error?.code]),
  ).toEqual([
    [third, 'ok', undefined],
    [second, 'failed', 'changed_since'],
    [first, 'ok', undefined],
  ]);
  expect(await Promise.all([first, second, third].map(roleOf))).toEqual([roles[0], 'edit', roles[2]]);

  await home.ok(['undo', job, second]);
  expect(await roleOf(second)).toBe(roles[1]);
  const again = await home.run(['undo', job]);
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: '' });
  expect(again.stderr).toBe(`Nothing left to undo in job ${job}.\n`);
  expect(
    (await home.json<{ id: string; state: string }[]>(['jobs', 'list'])).find(({ id }) => id === job)?.state,
  ).toBe('undone');
});

test('a best-effort undo needs --yes', async () => {
  const [team = ''] = await ids('teams', 'list');
  const { title } = await home.json<Listed>(['teams', 'get', team]);
  await home.ok(['teams', 'delete', team, '--yes']);
  expect((await home.run(['undo', 'last'])).code).toBe(2);
  await home.ok(['undo', 'last', '--yes']);
  const again = (await home.json<Listed[]>(['teams', 'list'])).find((one) => one.title === title);
  expect(again).toBeDefined();
  expect(again?.id).not.toBe(team);
});

test('a change by docs api is one request and a job; undo covers what needs no state before', async () => {
  const [space = ''] = await ids('spaces', 'list');
  const count = async () => (await home.json<unknown[]>(['sandbox', 'requests'])).length;
  const sent = await count();
  const deleted = await home.run(['api', 'DELETE', `/v1/spaces/${space}`, '--yes']);
  expect({ code: deleted.code, sent: (await count()) - sent }).toEqual({ code: 0, sent: 1 });
  expect(deleted.stderr).toContain(`docs spaces restore ${space} brings it back until `);
  expect(await ids('trash', 'list')).toEqual([space]);
  await home.ok(['undo', 'last']);
  await home.ok(['api', 'PATCH', `/v1/spaces/${space}`, '-f', 'title=Other']);
  const [changed] = await home.json<{ id: string }[]>(['jobs', 'list']);
  const undone = await home.run(['undo', changed?.id ?? '', '--json']);
  expect(undone.code).toBe(2);
  expect(undone.stderr).toContain('the previous state is unknown');
  const refused = await home.run(['api', 'PATCH', '/v1/spaces/nowhere', '-f', 'title=Other', '--json']);
  expect(refused.code).toBe(6);
  const [failed] = await home.json<{ id: string }[]>(['jobs', 'list']);
  expect(await home.json(['jobs', 'show', failed?.id ?? ''])).toMatchObject({
    command: 'api',
    state: 'failed',
  });
});

test('deleted spaces: each deletion says how to bring it back, and the trash lists them', async () => {
  const before = await home.json<Listed[]>(['spaces', 'list']);
  const [first, second, third] = before as [Listed, Listed, Listed];
  const one = await home.run(['spaces', 'delete', first.id, '--yes']);
  expect(one.stderr).toMatch(
    new RegExp(
      `^docs spaces restore ${first.id} brings it back until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC by the platform's clock\\.\\n$`,
    ),
  );
  const two = await home.run(['spaces', 'delete', second.id, third.id, '--yes']);
  expect(two.stderr).toMatch(/docs undo \S+ brings them back until /);

  const deleted = await home.json<{ id: string; title: string; hoursLeft: number; job: string }[]>([
    'trash',
    'list',
  ]);
  expect(deleted.map((space) => space.id).sort()).toEqual([first.id, second.id, third.id].sort());
  expect(deleted.find((space) => space.id === first.id)).toMatchObject({
    id: first.id,
    title: first.title,
    hoursLeft: 167,
  });

  await home.ok(['trash', 'restore', first.title, second.id]);
  expect(await ids('trash', 'list')).toEqual([third.id]);
  await home.ok(['undo', deleted.find((space) => space.id === third.id)?.job ?? '', '--yes']);
  expect(await home.ok(['trash', 'list'])).toBe('');
  expect((await home.json<Listed[]>(['spaces', 'list'])).map(({ id }) => id).sort()).toEqual(
    before.map(({ id }) => id).sort(),
  );
});

test('the trash counts by the clock of the platform, and asks it what is still gone', async () => {
  const [first = '', second = ''] = await ids('spaces', 'list');
  await home.ok(['spaces', 'delete', first, second, '--yes']);
  await home.ok(['sandbox', 'clock', '+6.01d']);
  expect(
    (await home.json<{ hoursLeft: number }[]>(['trash', 'list'])).map(({ hoursLeft }) => hoursLeft),
  ).toEqual([23, 23]);
  await home.ok(['spaces', 'restore', first]);
  expect(await ids('trash', 'list')).toEqual([second]);
  await home.ok(['sandbox', 'clock', '+25h']);
  expect(await home.ok(['trash', 'list'])).toBe('');
});

test('a title that two deleted spaces have must be told apart; an unknown one is refused', async () => {
  const [first = '', second = ''] = await ids('spaces', 'list');
  for (const id of [first, second]) await home.ok(['spaces', 'update', id, '--title', 'Two of a kind']);
  await home.ok(['spaces', 'delete', first, second, '--yes']);
  const twice = await home.run(['trash', 'restore', 'Two of a kind']);
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('2 deleted spaces are called "Two of a kind"');
  const unknown = await home.run(['trash', 'restore', 'Two of a kin']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Did you mean "Two of a kind"?');
  await home.ok(['trash', 'restore', first]);
});

test('two changes of one space in a job are undone by one, and then neither is left to undo', async () => {
  const [space = ''] = await ids('spaces', 'list');
  const before = await home.json<Listed>(['spaces', 'get', space]);
  const rows = [
    { space, title: 'Once' },
    { space, emoji: '1f4d8' },
  ];
  await home.ok(['bulk', 'spaces', 'update', '--from', '-', '--yes'], { stdin: JSON.stringify(rows) });
  const [{ id: job = '' } = {}] = await home.json<{ id: string }[]>(['jobs', 'list']);
  await home.ok(['undo', job]);
  expect(await home.json<Listed>(['spaces', 'get', space])).toMatchObject({ title: before.title });
  for (const flags of [['--dry-run', '--json'], ['--json'], ['--yes', '--json']])
    expect(await home.run(['undo', job, ...flags])).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: `Nothing left to undo in job ${job}.\n`,
    });
  expect(await home.run(['undo', job, '--dry-run'])).toMatchObject({ code: 0, stdout: '' });
});
