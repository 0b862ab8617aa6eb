import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { savedWorld, variables } from './world.js';

/** Saved plans are shown as they were reviewed, and applied once. */

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
const [writers, support] = ['yX3ldFpdXkLA5PUzg2Ig', '58r3X1FgDS0A1SsD1Tls'];
// What the platform makes has these ids, one after the other.
const [first, second, third] = ['EpfZ43hEuXlmkVSBm9LN', 'fCowjZhOADDsx0rChrM5', 'DaMu5ypvNeSrAjMoZWzg'];

/** What `plan show` says of each, and the changes that applying it sends. */
const plans: [name: string, shown: string[], sent: string[]][] = [
  [
    'command',
    ['Plan for docs teams update: 1 to change', '~ Writers  title: Writers → Authors', '{"title":"Authors"}'],
    [`PATCH ${org}/teams/${writers}`],
  ],
  [
    'bulk',
    [
      'Plan for docs teams members set: 1 to create, 1 to change',
      '~ Writers/deniz@acme.example   role: member → owner',
      '+ Support/chiara@acme.example  role: member',
    ],
    [`PUT ${org}/teams/${writers}/members/${deniz}`, `PUT ${org}/teams/${support}/members/${chiara}`],
  ],
  [
    'organization',
    [
      'Plan for Acme Docs: 2 to create, 1 to change · 1 cannot be undone',
      `PUT ${org}/teams/{o1.id}/members/${emil} {"role":"member"}`,
      '~ acme-staff  sso_url: !env SSO_URL  (cannot be undone)',
      '{"ssoURL":{"$env":"SSO_URL"}}',
    ],
    [
      `PATCH ${org}/saml/xzKLU6hUoc9EtqEPqdLW`,
      `PUT ${org}/teams`,
      `PUT ${org}/teams/${first}/members/${emil}`,
    ],
  ],
  [
    'undo',
    [
      'Plan for docs undo members update: 4 to change',
      '~ emil@acme.example    role: read → comment',
      '~ bruno@acme.example   role: read → create',
    ],
    [emil, deniz, chiara, bruno].map((id) => `PATCH ${org}/members/${id}`),
  ],
  [
    'release',
    [
      'Plan for docs release cut: 2 to create, 4 to change, 1 to move, 1 to verify',
      '! Between two requests, visitors can see a copy before its condition is set.',
      `PATCH ${site}/site-spaces/{o3.siteSpaces.0.id} {"path":"api"}`,
    ],
    [
      'POST /v1/spaces/9Nh1nJPG0DsuwkVCx1mZ/duplicate',
      `PATCH /v1/spaces/${first}`,
      `POST ${site}/sections`,
      `PATCH ${site}/sections/${second}`,
      `PATCH ${site}/site-spaces/${third}`,
      `POST ${site}/section-groups/uF7DBTZ4UEglCp0do1v5/sections`,
      `POST ${site}/sections/${second}/move`,
    ],
  ],
];

test.each(plans)('a plan of %s', async (name, shown, sent) => {
  world.lay(`plans/${name}`);
  Object.assign(world.env, variables);
  const { code, stdout, stderr } = await world.run(['plan', 'show', 'plan.json']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'Not applied on this machine; "docs apply plan.json" applies it.\n',
  });
  for (const text of shown) expect(stdout).toContain(text);
  expect(JSON.parse(await world.ok(['plan', 'show', 'plan.json', '--json']))).toEqual(
    JSON.parse(world.read('plan.json')),
  );
  await world.ok(['apply', 'plan.json', '--yes', '--concurrency', '1']);
  expect([...world.forwarder.done].sort()).toEqual([...sent].sort());
  expect(await world.run(['apply', 'plan.json', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a plan is applied once. Nothing was sent.'),
  });
});

test('an edited one is refused', async () => {
  world.lay('plans/release');
  world.write('plan.json', world.read('plan.json').replace('"title":"2.1"', '"title":"3.0"'));
  expect(await world.run(['apply', 'plan.json', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was edited'),
  });
  expect(world.forwarder.done).toEqual([]);
});

test('values of the environment must be as they were when it was made', async () => {
  world.lay('plans/organization');
  world.env.SSO_URL = 'https://elsewhere.example/sso';
  expect(await world.run(['apply', 'plan.json', '--yes', '--json'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('env_changed'),
  });
});

test('a plan of corrected links makes its change request; a note says what is left', async () => {
  world.lay('plans/links-fix');
  const shown = await world.ok(['plan', 'show', 'plan.json']);
  expect(shown).toContain('+ Welcome  subject: Fix 1 broken link (f75a2b7a)');
  expect(shown).toContain('· broken links of Welcome (2): Left: nothing has its id or its title.');
  await world.ok(['links', 'fix', '--match-titles', '--out', 'content', '--yes']);
  await world.ok(['apply', 'plan.json', '--yes']);
  const request = '/v1/spaces/FVBgvClY2GOXVTOA3nXE/change-requests';
  expect(world.forwarder.done).toEqual([
    `POST ${request}`,
    `POST ${request}/${first}/content/import`,
    `PATCH ${request}/${first}`,
  ]);
});

test('a plan of an offboarding says what goes and what stays open', async () => {
  world.lay('plans/offboarding');
  const shown = await world.ok(['plan', 'show', 'plan.json']);
  expect(shown).toContain('Plan for docs members offboard: 2 to delete · 2 cannot be undone');
  expect(shown).toContain(
    '! farah@acme.example: anyone with an email address at acme.example may join again.',
  );
  expect(shown).toContain(`DELETE ${org}/teams/${support}/members/ZNu6dOpnNRoxuMW6OG4Y`);
});

test('an approved plan is applied; without its approvals, or a day later, nothing is sent', async () => {
  const laid = () => {
    world.lay('plans/approved');
    for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete world.env[name];
    world.env.DOCS_POLICY = world.at('policy.yaml');
  };
  const apply = ['apply', 'plan.json', '--yes'];
  laid();
  expect(await world.ok(['plan', 'show', 'plan.json'])).toContain(
    'Approvals: approved by lovelace@acme.example',
  );
  await world.ok(apply);
  expect(world.forwarder.done).toEqual([`PATCH ${org}/members/${chiara}`]);

  const refused = async () => {
    const { code, stderr } = await world.run([...apply, '--json']);
    expect(world.forwarder.done).toEqual([]);
    return [
      code,
      (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: { code: string } }).error.code,
    ];
  };
  laid();
  rmSync(world.at('plan.json.approvals'));
  expect(await refused()).toEqual([2, 'plan_unapproved']);
  laid();
  writeFileSync(
    world.at('plan.json.approvals'),
    world.read('plan.json.approvals').replace('lovelace@', 'eve@'),
  );
  expect(await refused()).toEqual([2, 'plan_unapproved']);
  laid();
  world.time.set(13 * 3_600_000);
  expect(await refused()).toEqual([2, 'plan_unapproved']);
});
