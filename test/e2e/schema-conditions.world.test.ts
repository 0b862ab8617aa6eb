import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** `docs sites schema diff`, `set` and `eval`: what a schema breaks, and what a visitor sees. */

const { home } = await sandboxHome();
let site: string;
let api: string;

const schemaOf = (...claims: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }])),
  additionalProperties: false,
});

beforeAll(async () => {
  const sites = await home.json<{ id: string; title: string }[]>(['sites', 'list']);
  site = sites.find(({ title }) => title === 'Acme Docs')?.id ?? '';
  const sections = await home.json<{ id: string; title: string }[]>([
    ...['sections', 'list', '--site', site],
  ]);
  api = sections.find(({ title }) => title === 'API')?.id ?? '';
  writeFileSync(join(home.path, 'same.json'), JSON.stringify(schemaOf('beta', 'partner', 'gold')));
  writeFileSync(join(home.path, 'less.json'), JSON.stringify(schemaOf('partner')));
  writeFileSync(join(home.path, 'claims.json'), '{"beta": false}');
});

const schema = (...words: string[]) => home.run(['sites', 'schema', ...words]);
const claims = async () =>
  Object.keys(
    (await home.json<{ jsonSchema: { properties: object } }>(['sites', 'schema', 'get', site])).jsonSchema
      .properties,
  );
const errorOf = (stderr: string): unknown => JSON.parse(stderr.trim().split('\n').at(-1) ?? '');

test('diff lists the claims, and each condition that breaks with its place; exit 17', async () => {
  const { code, stdout, stderr } = await schema('diff', site, 'less.json', '--json');
  expect(code).toBe(17);
  const rows = JSON.parse(stdout) as { status: string; id: string }[];
  expect(rows).toContainEqual({
    ...{ status: 'removed', kind: 'claim', claims: ['beta'], why: 'is removed', id: 'beta' },
  });
  expect(rows.filter(({ status }) => status === 'breaks')).toEqual([
    {
      ...{ status: 'breaks', kind: 'section', claims: ['beta'], title: 'API', path: 'api' },
      ...{ condition: 'visitor.claims.beta', why: 'beta is removed', id: api },
    },
  ]);
  expect(errorOf(stderr)).toMatchObject({ error: { code: 'conditions_break', exitCode: 17 } });
});

test('diff exits 0 where no condition breaks, and 3 where conditions could not be read', async () => {
  expect(await schema('diff', site, '@same.json')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^\d+ claims? changes?; no condition breaks\.\n$/),
  });
  await home.ok(['sandbox', 'fault', '--match', 'GET /v1/orgs/*/sections*', '--status', '500']);
  try {
    const ran = await schema('diff', site, 'less.json', '--json', '--no-retry');
    expect({ code: ran.code, error: errorOf(ran.stderr) }).toMatchObject({
      code: 3,
      error: { error: { code: 'not_all_read', details: { unread: [{ kind: 'sections', id: site }] } } },
    });
    const set = await schema('set', site, '@less.json', '--json', '--no-retry');
    expect({ code: set.code, error: errorOf(set.stderr) }).toMatchObject({
      code: 2,
      error: { error: { code: 'conditions_unread', outcome: 'not-sent' } },
    });
  } finally {
    await home.ok(['sandbox', 'fault', '--clear']);
  }
});

test('set goes on where the schema cannot be read, and the site has no condition', async () => {
  const created = ['sites', 'create', '--title', 'Free', '--type', 'basic', '--new-space', 'empty'];
  const { id } = await home.json<{ id: string }>(created);
  const match = (target: string) => ['--match', `GET /v1/orgs/*/sites/${target}/adaptive-schema`];
  await home.ok(['sandbox', 'fault', ...match('*'), '--status', '403']);
  try {
    expect((await schema('set', id, '@less.json', '--yes')).code).toBe(0);
    const { code, stderr } = await schema('set', site, '@less.json', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('To set it without looking at the conditions, add --allow-broken.');
  } finally {
    await home.ok(['sandbox', 'fault', '--clear']);
    await home.ok(['sites', 'delete', id, '--yes']);
  }
});

test.each([[], ['--dry-run'], ['--save-plan', 'refused.json']])(
  'set refuses what breaks a condition (%s)',
  async (...flags) => {
    const { code, stderr } = await schema('set', site, '@less.json', ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain('1 condition would break; nothing was sent');
    expect(stderr).toContain(`Section API (${api}) at api, shown if visitor.claims.beta: beta is removed.`);
    expect(stderr).toContain(`Try: docs sites schema diff ${site} @less.json`);
    expect(await claims()).toContain('beta');
  },
);

test('diff lists apart what is broken whether or not the schema is set; exit 0', async () => {
  await home.ok(['sites', 'schema', 'set', site, '@less.json', '--allow-broken', '--yes']);
  try {
    const again = await schema('diff', site, 'less.json', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject([
      { status: 'broken', claims: ['beta'], id: api, why: 'beta is in neither schema' },
    ]);
    expect(again.stderr).toBe('No claim changes; no condition breaks; 1 condition was broken before.\n');
    // It breaks nothing that worked, so setting it again is not refused.
    expect((await schema('set', site, '@less.json', '--yes')).code).toBe(0);
  } finally {
    await home.ok(['sites', 'schema', 'set', site, '@same.json', '--yes']);
  }
});

test('claims that the schema lacks are named up to a limit', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`claim${at}`, true]));
  writeFileSync(join(home.path, 'many.json'), `\uFEFF${JSON.stringify(many)}`);
  const { code, stderr } = await schema('eval', site, '--claims', 'many.json');
  expect(code).toBe(0);
  expect(stderr).toContain('The schema has no claim claim19.\n4,980 more claims do not fit the schema.\n');
});

test('--allow-broken sets it, a plan says so, and docs undo takes it back', async () => {
  await home.ok([
    ...['sites', 'schema', 'set', site, '@less.json', '--allow-broken', '--save-plan', 'less.plan.json'],
  ]);
  expect(await home.ok(['plan', 'show', 'less.plan.json'])).toContain('beta is removed');
  await home.ok(['apply', 'less.plan.json', '--yes']);
  expect(await claims()).toEqual(['partner']);
  await home.ok(['undo', 'last', '--yes']);
  expect(await claims()).toContain('beta');
});

test('a plan that breaks nothing when it is made is refused once it does', async () => {
  const words = ['sections', 'update', api, '--site', site];
  await home.ok([...words, '--condition', 'visitor.claims.partner']);
  await home.ok(['sites', 'schema', 'set', site, '@less.json', '--save-plan', 'later.json']);
  await home.ok([...words, '--condition', 'visitor.claims.beta']);
  const { code, stderr } = await home.run(['apply', 'later.json', '--yes', '--json']);
  expect({ code, error: errorOf(stderr) }).toMatchObject({
    code: 2,
    error: { error: { code: 'conditions_break' } },
  });
  expect(await claims()).toContain('beta');
});

test('eval tells what a visitor sees, and exits 3 where that is unknown', async () => {
  const hidden = await schema('eval', site, '--claims', 'claims.json', '--json');
  expect(hidden.code).toBe(0);
  const rows = JSON.parse(hidden.stdout) as { title: string; kind: string; result: string; why?: string }[];
  expect(rows.filter(({ result }) => result === 'hidden')).toMatchObject([
    { kind: 'section', title: 'API', condition: 'visitor.claims.beta', id: api },
    { kind: 'site-space', why: 'its section is hidden' },
  ]);
  const shown = await schema('eval', site, '--claims', '{"beta": true}');
  expect(shown.stderr).toMatch(/^\d+ shown, 0 hidden, 0 unknown\.\n$/);
  const unknown = await schema('eval', site, '--claims', '{"beta": true}', '--schema', 'less.json');
  expect(unknown).toMatchObject({ code: 3, stdout: expect.stringContaining('the schema has no claim beta') });
});

test.each([
  ['["beta"]', 'must be a JSON object of claims'],
  ['none.json', 'no such file'],
])('claims that are none are refused: %s', async (typed, words) => {
  writeFileSync(join(home.path, 'list.json'), typed);
  const { code, stderr } = await schema('eval', site, '--claims', typed === '["beta"]' ? 'list.json' : typed);
  expect([2, 13]).toContain(code);
  expect(stderr).toContain(words);
});
