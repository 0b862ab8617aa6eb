import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** `docs rehearse --from`: on a copy that a backup is, without a platform and without a token. */

const home = rehearseHomeOfFile();
let member: string;
beforeAll(async () => {
  const members = await home.json<{ id: string; role: string }[]>(['members', 'list']);
  member = members.find(({ role }) => role === 'edit')?.id ?? '';
  await home.ok(['backup', 'run', '--out', 'backup']);
});

test('the platform is sent nothing, not even a read, and no token is needed', async () => {
  const words = ['members', 'update', member, '--role', 'read', '--yes', '--json'];
  const named = ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG'].map((name) => [name, ''] as const);
  const ran = await home.run(
    ['rehearse', '--from', 'backup', '--json-report', 'report.json', '--', ...words],
    { env: Object.fromEntries(named) },
  );
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
  const from = ['--from', 'backup'];
  const remove = (kind: string, id: string) => ['--', kind, 'delete', id, '--yes'];
  const space = remove('spaces', await home.firstId('spaces'));
  for (const [words, gap] of [
    [[...from, ...remove('teams', await home.firstId('teams'))], /^Access through teams stays as it was/],
    [[...from, ...space], /^Counts of the spaces of teams/],
    [space, /^Links from other spaces to one that was deleted/],
  ] as const) {
    expect((await home.rehearse(...words)).code).toBe(0);
    expect(home.report().gaps).toContainEqual(expect.stringMatching(gap));
  }
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
});
