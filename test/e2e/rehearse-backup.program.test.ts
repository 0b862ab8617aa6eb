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
  const rehearse = ['rehearse', '--from', 'backup', '--json-report', 'report.json'];
  const ran = await home.start([...rehearse, '--', ...words], Object.fromEntries(named)).ended;
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
  const remove = async (kind: string) => `docs ${kind} delete ${await home.firstId(kind)} --yes`;
  home.script('remove.sh', [await remove('teams'), await remove('spaces'), ''].join('\n'));
  expect((await home.rehearse('--from', 'backup', '--script', 'remove.sh')).code).toBe(0);
  for (const gap of [/^Access through teams stays as it was/, /^Counts of the spaces of teams/])
    expect(home.report().gaps).toContainEqual(expect.stringMatching(gap));
});

test('a backup stays as it is, and a plan that was made on it is for the platform', async () => {
  const manifest = () => readFileSync(join(home.path, 'backup', 'manifest.json'), 'utf8');
  const before = manifest();
  const words = ['members', 'update', member, '--role', 'comment'];
  const tried = await home.rehearse('--from', 'backup', '--save-plan', 'plan.json', '--', ...words);
  expect(tried).toMatchObject({ code: 0 });
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
  // Outside of it, and on the latest run, the team is there.
  expect((await home.rehearse('--from', 'kept', '--at', '1', ...get)).code).toBe(6);
});
