import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RehearseHome, rehearseHome } from './rehearse-home.js';

/** `docs rehearse --from`: on a copy that a backup is, without a platform and without a token. */

let home: RehearseHome;
let member: string;
let plain: Record<string, string>;

beforeAll(async () => {
  home = await rehearseHome();
  const members = await home.json<{ id: string; role: string }[]>(['members', 'list']);
  member = members.find(({ role }) => role === 'edit')?.id ?? '';
  await home.ok(['backup', 'run', '--out', 'backup']);
  await home.forget();
  plain = home.env;
});
afterAll(async () => {
  home.env = plain;
  await home.end();
});

test('the platform is sent nothing, not even a read, and no token is needed', async () => {
  const words = ['members', 'update', member, '--role', 'read', '--yes', '--json'];
  const { TMPDIR = '' } = plain;
  const own = Object.assign(home, { env: { ...home.offline, TMPDIR } });
  const ran = await own.run(['rehearse', '--from', 'backup', '--json-report', 'report.json', '--', ...words]);
  home.env = plain;
  expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: member, role: 'read' });
  expect(await home.sent()).toEqual([]);
  const { requests, reads, source, changes } = home.report();
  expect({ source, reads }).toEqual({ source: 'backup', reads: [] });
  expect(requests).toEqual([
    { method: 'PATCH', path: `/v1/orgs/${home.org}/members/${member}`, status: 200 },
  ]);
  expect(changes[0]?.fields?.role).toEqual({ before: 'edit', after: 'read' });
});

test('what the copy of a backup shows otherwise after a change is named', async () => {
  const [team] = await home.json<{ id: string }[]>(['teams', 'list']);
  const remove = ['teams', 'delete', team?.id ?? '', '--yes'];
  await home.ok(['rehearse', '--from', 'backup', '--json-report', 'report.json', '--', ...remove]);
  expect(home.report().gaps).toContainEqual(expect.stringMatching(/^Access through teams stays as it was/));
  const [space] = await home.json<{ id: string }[]>(['spaces', 'list']);
  const lose = ['spaces', 'delete', space?.id ?? '', '--yes'];
  await home.ok(['rehearse', '--from', 'backup', '--json-report', 'report.json', '--', ...lose]);
  expect(home.report().gaps).toContainEqual(expect.stringMatching(/^Counts of the spaces of teams/));
  await home.ok(['rehearse', '--json-report', 'report.json', '--', ...lose]);
  expect(home.report().gaps).toContainEqual(
    expect.stringMatching(/^Links from other spaces to one that was deleted/),
  );
  await home.forget();
});

test('a backup stays as it is, and a plan that was made on it is for the platform', async () => {
  const manifest = () => readFileSync(join(home.path, 'backup', 'manifest.json'), 'utf8');
  const before = manifest();
  const words = ['members', 'update', member, '--role', 'comment'];
  await home.ok(['rehearse', '--from', 'backup', '--save-plan', 'plan.json', '--', ...words]);
  expect(manifest()).toBe(before);
  expect(await home.sent()).toEqual([]);
  await home.ok(['apply', 'plan.json', '--yes']);
  const { role } = await home.json<{ role: string }>(['members', 'get', member]);
  expect(role).toBe('comment');
});

test('--at rehearses on an earlier run', async () => {
  await home.ok(['backup', 'run', '--out', 'kept', '--keep', '9']);
  const { id } = await home.json<{ id: string }>(['teams', 'create', '--title', 'Later']);
  await home.ok(['backup', 'run', '--out', 'kept']);
  const get = ['--', 'teams', 'get', id];
  expect((await home.run(['rehearse', '--from', 'kept', '--at', '1', ...get])).code).toBe(6);
  expect((await home.run(['rehearse', '--from', 'kept', '--at', '2', ...get])).code).toBe(0);
  expect(await home.run(['rehearse', '--at', '1', ...get])).toMatchObject({
    ...{ code: 2, stdout: '', stderr: expect.stringContaining('--at requires --from') },
  });
});
