import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orgHome } from './org-home.js';

/** What drift sees and what it needs for that: the lock, wherever and however the last apply ended. */

const { home, gateway, path, read, failed } = await orgHome();

interface Item {
  id: string;
  title?: string;
}
interface Plan {
  operations: { kind: string; key: string; action: string; finding?: { code: string } }[];
  notes?: { code: string; item: string }[];
}

const edit = (file: string, from: string | RegExp, to: string) => {
  const text = read(file).replace(from, to);
  expect(text).not.toBe(read(file));
  writeFileSync(path(file), text);
};
const drift = async () => {
  const { code, stdout } = await home.run(['drift', '--json']);
  const { operations, notes = [] } = JSON.parse(stdout) as Plan;
  return { code, found: operations.map(({ kind, key, action }) => `${action} ${kind}/${key}`), notes };
};

test('drift without a lock says so, asks the platform for nothing, and is not 0', async () => {
  await home.ok(['pull']);
  expect((await drift()).code).toBe(0);
  rmSync(path('docs.lock.json'));
  const before = gateway.requests.length;
  expect(await failed('drift')).toMatchObject({
    code: 14,
    error: {
      code: 'no_lock',
      message: expect.stringContaining('docs.lock.json not found'),
      hint: 'docs plan',
    },
  });
  expect(await failed('plan', '--only', 'drift')).toMatchObject({ code: 14 });
  expect(gateway.requests.length).toBe(before);
  expect((await home.run(['plan'])).code).toBe(0);
});

test('somebody without a team in the files is seen in one, where memberships are exact', async () => {
  await home.ok(['pull']);
  edit('people.yaml', 'memberships: additive', 'memberships: exact');
  expect((await drift()).found).toEqual([]);
  const [team] = await home.json<Item[]>(['teams', 'list']);
  const text = read('people.yaml');
  const people = text.split('  - email: ').slice(1);
  const alone = people.find((one) => !one.includes('teams:'))?.split('\n')[0] ?? '';
  const members = await home.json<{ id: string; user: { email?: string } }[]>(['members', 'list']);
  const id = members.find(({ user }) => user.email === alone)?.id ?? '';
  await home.ok(['teams', 'members', 'set', team?.id ?? '', id, '--role', 'owner']);
  expect(await drift()).toMatchObject({ code: 17, found: [`withheld memberships/${alone}`] });
  await home.ok(['apply', '--prune', '--yes']);
  expect((await drift()).found).toEqual([]);
});

test('what an apply made and put in order is drift once somebody changes it by hand', async () => {
  await home.ok(['pull']);
  const text = read('sites/acme-docs.yaml');
  const [first = '', second = ''] = text.split(/(?=^ {6}- section: )/m).slice(1);
  expect(second).not.toBe('');
  writeFileSync(path('sites/acme-docs.yaml'), text.replace(first + second, `${second.trimEnd()}\n${first}`));
  writeFileSync(path('teams.yaml'), `${read('teams.yaml')}  - key: reviewers\n    title: Reviewers\n`);
  writeFileSync(path('library.yaml'), `${read('library.yaml')}  - collection: drafts\n    title: Drafts\n`);
  await home.ok(['apply', '--yes']);
  // Also of the collection, whose fields beside its title only the platform has.
  expect(await drift()).toMatchObject({ code: 0, found: [] });

  const [site] = await home.json<Item[]>(['sites', 'list']);
  const sections = await home.json<Item[]>(['sections', 'list', '--site', site?.id ?? '']);
  const named = (block: string) =>
    sections.find(({ title }) => block.includes(`title: ${title}\n`))?.id ?? '';
  const where = ['--site', site?.id ?? '', '--before', named(second)];
  await home.ok(['sections', 'move', named(first), ...where]);
  await home.ok(['sections', 'update', named(first), '--site', site?.id ?? '', '--icon', 'rocket']);
  const found = await drift();
  expect(found).toMatchObject({ code: 17 });
  expect(found.found.map((one) => one.split(' ')[0]).sort()).toEqual(['drift', 'finding']);
});

test('a lock that cannot be written is told and not 0, and resuming elsewhere writes it there', async () => {
  await home.ok(['pull']);
  cpSync(path(''), join(home.path, 'other', 'org'), { recursive: true });
  const edited = `${read('teams.yaml')}  - key: reviewers\n    title: Reviewers\n`;
  writeFileSync(path('teams.yaml'), edited);
  writeFileSync(join(home.path, 'other', 'org', 'teams.yaml'), edited);
  gateway.rule = (line) => {
    if (!line.startsWith('GET') && line.includes('/teams')) renameSync(path(''), join(home.path, 'gone'));
    return undefined;
  };
  const { code, error } = await failed('apply', '--yes');
  expect([code, error]).toEqual([
    13,
    expect.objectContaining({
      code: 'lock_unwritten',
      message: expect.stringContaining('the changes are made, but docs.lock.json does not say so'),
      hint: expect.stringMatching(/^docs jobs resume /),
    }),
  ]);
  gateway.rule = () => undefined;
  const elsewhere = { cwd: join(home.path, 'other') };
  expect((await home.run(['jobs', 'resume', 'last'], elsewhere)).code).toBe(0);
  const lock = readFileSync(join(home.path, 'other', 'org', 'docs.lock.json'), 'utf8');
  expect(lock).toContain('"teams/reviewers"');
  expect((await home.run(['plan', '--exit-code'], elsewhere)).code).toBe(0);
  expect((await home.run(['drift'], elsewhere)).code).toBe(0);
});

test('drift reads what the lock knows, also where the files no longer have any of it', async () => {
  await home.ok(['pull']);
  rmSync(path('saml.yaml'));
  gateway.requests.length = 0;
  expect((await drift()).code).toBe(0);
  expect(gateway.requests.some((line) => line.includes('/saml'))).toBe(true);
});

test('apply refuses a field that its results lack before it reads anything', async () => {
  await home.ok(['pull']);
  edit('teams.yaml', 'title: Writers', 'title: Authors');
  gateway.requests.length = 0;
  const { code, stdout, stderr } = await home.run(['apply', '--yes', '--fields', 'nothing']);
  expect({ code, stdout, requests: gateway.requests }).toEqual({ code: 2, stdout: '', requests: [] });
  expect(stderr).toContain('nothing');
  await home.ok(['apply', '--yes', '--fields', 'id,key']);
});
