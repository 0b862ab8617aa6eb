import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { savedWorld, variables } from './world.js';

/** Saved journals are shown, resumed where they broke off, and undone. */

const world = await savedWorld();
afterAll(() => world.close());

const org = '/v1/orgs/jtBm07Y5RKnqZVIW3UZg';
const site = `${org}/sites/MMeDFTQG7CxSHog1TZLV`;
const [emil, deniz, chiara, bruno] = [
  'nJgsieCcHgkslK7qbBbS',
  'YJCwgLDPoeShgq2bAkWo',
  'u9wK127qcc5p3EZxo1tB',
  'ooGH8zAnAQh0yOgbkWwe',
];
const members = [bruno, chiara, deniz, emil];
const [writers, support] = ['yX3ldFpdXkLA5PUzg2Ig', '58r3X1FgDS0A1SsD1Tls'];
const [first, second, third] = ['EpfZ43hEuXlmkVSBm9LN', 'fCowjZhOADDsx0rChrM5', 'DaMu5ypvNeSrAjMoZWzg'];
const roleOf = (id: string | undefined) => `PATCH ${org}/members/${id}`;

interface Shown {
  command: string;
  state: string;
  ok: number;
  failed: number;
  unknown: number;
  left: number;
  items: { id: string; status: string; undo: string; before?: unknown }[];
}
const show = () => world.json<Shown>(['jobs', 'show', 'last']);
const lay = (name: string) => {
  world.lay(`journals/${name}`);
  Object.assign(world.env, variables);
};
/** What was sent since the last time this was asked. */
const sent = () => world.forwarder.done.splice(0);

/** Each: what `jobs show` says, and what resuming and then undoing it sends; null where nothing can be undone. */
const jobs: [name: string, shown: Partial<Shown>, resumed: string[], undone: string[] | null][] = [
  ['done', { command: 'members update', state: 'done', ok: 4 }, [], members.map(roleOf).reverse()],
  [
    'unfinished',
    { command: 'members update', state: 'unfinished', ok: 2, unknown: 1, left: 1 },
    [roleOf(emil)],
    members.map(roleOf).reverse(),
  ],
  [
    'failed',
    { command: 'members update', state: 'failed', ok: 3, failed: 1 },
    [roleOf(chiara)],
    members.map(roleOf).reverse(),
  ],
  ['undo', { command: 'undo members update', state: 'done', ok: 4 }, [], members.map(roleOf)],
  [
    'undo-unfinished',
    { command: 'undo members update', state: 'unfinished', ok: 2, unknown: 1, left: 1 },
    [roleOf(chiara), roleOf(bruno)],
    members.map(roleOf),
  ],
  [
    'bulk',
    { command: 'teams members set', state: 'unfinished', ok: 1, unknown: 1, left: 0 },
    [`PUT ${org}/teams/${support}/members/${chiara}`],
    [`DELETE ${org}/teams/${support}/members/${chiara}`, `PUT ${org}/teams/${writers}/members/${deniz}`],
  ],
  [
    'plan',
    { command: 'teams members set', state: 'unfinished', ok: 1, unknown: 1, left: 0 },
    [],
    [`DELETE ${org}/teams/${support}/members/${chiara}`, `PUT ${org}/teams/${writers}/members/${deniz}`],
  ],
  [
    'offboarding',
    { command: 'members offboard', state: 'unfinished', ok: 1, unknown: 1, left: 1 },
    [`DELETE ${org}/members/${chiara}`],
    null,
  ],
  [
    'sso-link',
    { command: 'sso link', state: 'unfinished', ok: 1, unknown: 2, left: 1 },
    [`POST ${org}/members/${emil}/sso`],
    null,
  ],
  [
    'release',
    { command: 'release cut', state: 'unfinished', ok: 2, unknown: 1, left: 5 },
    [
      `PATCH ${site}/sections/${second}`,
      `PATCH ${site}/site-spaces/${third}`,
      `POST ${site}/section-groups/uF7DBTZ4UEglCp0do1v5/sections`,
      `POST ${site}/sections/${second}/move`,
    ],
    [
      `POST ${site}/sections/${second}/move`,
      `DELETE ${site}/section-groups/uF7DBTZ4UEglCp0do1v5/sections/${second}`,
      `POST ${site}/sections/${second}/move`,
      `POST ${site}/section-groups/uF7DBTZ4UEglCp0do1v5/move`,
      `PATCH ${site}/site-spaces/${third}`,
      `PATCH ${site}/sections/${second}`,
      `DELETE ${site}/sections/${second}`,
      `PATCH /v1/spaces/${first}`,
      `DELETE /v1/spaces/${first}`,
    ],
  ],
];

test.each(jobs)('%s', async (name, shown, resumed, undone) => {
  lay(name);
  const [newest] = await world.json<object[]>(['jobs', 'list']);
  expect(newest).toMatchObject(shown);
  expect(await show()).toMatchObject(shown);
  const { stderr } = await world.run(['jobs', 'resume', 'last', '--concurrency', '1']);
  expect(stderr).toMatch(/is finished: all \d items are done\.\n/);
  expect(sent().sort()).toEqual([...resumed].sort());
  const undo = await world.run(['undo', 'last', '--yes', '--concurrency', '1']);
  if (undone === null)
    expect(undo).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be undone') });
  else
    expect(undo).toMatchObject({ code: 0, stderr: expect.stringMatching(/\d items undone\. Read again: /) });
  expect(sent()).toEqual(undone ?? []);
});

test('what was there before each change is shown, and comes back', async () => {
  lay('done');
  const { items } = await show();
  expect(items.map(({ id, before }) => [id, before])).toEqual([
    [bruno, { role: 'create' }],
    [chiara, { role: 'review' }],
    [deniz, { role: 'edit' }],
    [emil, { role: 'comment' }],
  ]);
  await world.ok(['undo', 'last', '--yes']);
  const now = await world.json<{ id: string; role: string }[]>(['members', 'list']);
  expect(
    now
      .filter(({ id }) => members.includes(id))
      .map(({ role }) => role)
      .sort(),
  ).toEqual([...['comment', 'create', 'edit', 'review']]);
});

test('the rows of a bulk job must be those that it began with', async () => {
  lay('bulk');
  world.write('teams.csv', 'team,user,role\n');
  expect(await world.run(['jobs', 'resume', 'last'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('teams.csv was edited after the job was created'),
  });
  expect(sent()).toEqual([]);
});

test('an offboarding goes on by its evidence, which says who is out', async () => {
  lay('offboarding');
  const [evidence = ''] = readdirSync(world.at('evidence')).filter((name) => name.endsWith('.json'));
  await world.ok(['members', 'offboard', '--resume', `evidence/${evidence}`, '--yes']);
  expect(sent()).toContain(`DELETE ${org}/members/${chiara}`);
  expect(readFileSync(world.at('evidence', evidence), 'utf8')).toContain('"state": "complete"');
});

describe('the organization as code', () => {
  const lock = () =>
    JSON.parse(world.read('org/docs.lock.json')) as { items: Record<string, { id: string }> };

  test('resumed, the lock has what was made, and no file has the value of the environment', async () => {
    lay('organization');
    expect(await show()).toMatchObject({ command: 'plan', ok: 1, unknown: 1, left: 1 });
    await world.ok(['jobs', 'resume', 'last']);
    expect(sent()).toEqual([`PUT ${org}/teams/${first}/members/${emil}`]);
    expect(lock().items['teams/translators']?.id).toBe(first);
    expect(await world.ok(['plan'])).toContain('nothing to do');
    for (const [name] of Object.entries(lock().items)) expect(name).not.toContain(variables.SSO_URL);
    expect(world.read('org/docs.lock.json')).not.toContain(variables.SSO_URL);
  });

  test('undone, the lock is as before', async () => {
    lay('organization-done');
    expect(lock().items).toHaveProperty(['teams/translators']);
    const { code, stdout } = await world.run(['undo', 'last', '--yes', '--concurrency', '1']);
    expect([code, stdout]).toEqual([3, expect.stringContaining('ssoURL came from the environment')]);
    expect(sent()).toEqual([`DELETE ${org}/teams/${first}/members/${emil}`, `DELETE ${org}/teams/${first}`]);
    expect(lock().items).not.toHaveProperty(['teams/translators']);
  });

  test('without the variable nothing is sent', async () => {
    lay('organization');
    delete world.env.SSO_URL;
    expect(await world.run(['jobs', 'resume', 'last', '--json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('env_unset'),
    });
    expect(sent()).toEqual([]);
  });
});
