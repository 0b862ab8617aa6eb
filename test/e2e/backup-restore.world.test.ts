import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { restoring } from '../../src/restore/lacks.js';
import { type Found, failure, failureOf, homeOfFile } from './backup-home.js';
import { breakThings } from './broken-platform.js';
import { outcomes } from './job-home.js';

/** `docs backup restore`: what people break comes back from a backup; what came since stays; what cannot come back is told. */

interface Plan {
  operations: { kind: string; key: string; action: string; finding?: { code: string } }[];
  notes: { code: string; item: string; message: string; hint?: string; count?: number }[];
}
const home = homeOfFile({ backup: true, content: 'packs' });

const restore = (...words: string[]) => home.run(['backup', 'restore', 'b', ...words]);
const dryRun = async (...words: string[]): Promise<Plan> =>
  home.json(['backup', 'restore', 'b', '--dry-run', ...words]);
/** What a later backup has in place of the first one. */
const differences = async (): Promise<Found[]> => {
  await home.ok(['backup', 'run', '--out', 'later']);
  return home.json(['backup', 'diff', 'b', 'later']);
};
test('what was changed and deleted comes back, in one job that undo takes back', async () => {
  await breakThings(home);
  await home.ok(['teams', 'create', '--title', 'Newcomers']);
  const broken = await differences();
  const { code, stdout, stderr } = await restore('--yes', '--json');
  expect({ code, end: stderr.trim().split('\n').at(-1) }).toEqual({
    code: 0,
    end: 'Read again: all that can be restored is as in the backup.',
  });
  const results = JSON.parse(stdout) as { status: string; item: string }[];
  expect(results.every(({ status }) => status === 'ok')).toBe(true);
  expect(results.map(({ item }) => item)).toContain('memberships/support/bruno@acme.example');

  // What is created again has a new id; what came since stays.
  const left = await differences();
  expect(left.filter(({ kind }) => !['team', 'site', 'custom-field', 'fields'].includes(kind))).toEqual([]);
  expect(left.filter(({ kind }) => kind === 'team').map(({ change, title }) => [change, title])).toEqual(
    expect.arrayContaining([
      ['added', 'Newcomers'],
      ['added', 'Support'],
      ['removed', 'Support'],
    ]),
  );

  await home.ok(['undo', 'last', '--yes']);
  const told = ({ change, kind, title }: Found) => `${change} ${kind} ${title}`;
  const again = (await differences()).map(told);
  for (const one of broken.map(told).filter((line) => /member|organization|collection/.test(line)))
    expect(again).toContain(one);
});

// Each build kills one restore, `DOCS_TEST_RUNS=1` five.
const moments = process.env.DOCS_TEST_RUNS === undefined ? [5] : [1, 3, 5, 7, 9];

test.each(moments)('killed at change %i, it is resumed, and nothing is made twice', async (moment) => {
  await breakThings(home);
  const running = home.begin(['backup', 'restore', 'b', '--yes']);
  home.gateway.rule = () => {
    if (home.changes().length === moment) running.kill('SIGKILL');
    return undefined;
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.reset();
  expect((await home.run(['jobs', 'resume', 'last', '--json'])).code).toBe(0);
  for (const [, all] of outcomes(home.journalTexts().at(-1) ?? ''))
    expect(all.filter((is) => is === 'ok')).toHaveLength(1);
  expect((await dryRun()).operations).toEqual([]);
  const teams = await home.json<{ title: string }[]>(['teams', 'list']);
  expect(teams.map(({ title }) => title).sort()).toEqual(['Support', 'Writers']);
});

test('a dry run and a saved plan show everything and send only reads', async () => {
  await breakThings(home);
  const { operations, notes } = await dryRun();
  expect(operations.filter(({ action }) => action === 'finding')).toEqual([]);
  expect(notes.filter(({ code }) => code === 'not-restored').map(({ item }) => item)).toEqual(
    expect.arrayContaining(['comments', 'replies', 'change requests', 'SSO logins', 'earlier revisions']),
  );
  await home.ok(['backup', 'restore', 'b', '--save-plan', 'plan.json']);
  expect(home.changes()).toEqual([]);
  expect(await home.ok(['plan', 'show', 'plan.json'])).toContain('They would be written in your name');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect((await dryRun()).operations).toEqual([]);
});

test('--only and --space restore that alone', async () => {
  await breakThings(home);
  const kindsOf = async (...words: string[]) =>
    [...new Set((await dryRun(...words)).operations.map(({ kind }) => kind))].sort();
  expect(await kindsOf('--only', 'teams')).toEqual(['memberships', 'teams']);
  expect(await kindsOf('--only', 'members', '--only', 'settings')).toEqual(['organization', 'people']);
  expect(await kindsOf('--space', 'Welcome')).toEqual(['spaces']);
  const { operations } = await dryRun('--space', 'Welcome', '--only', 'structure');
  expect(operations.map(({ key }) => key)).toEqual(['welcome']);
  const { notes } = await dryRun('--space', 'Welcome', '--only', 'pages');
  expect(notes.map(({ item, count }) => [item, count])).toEqual([
    ['comments', 3],
    ['replies', 3],
    ['change requests', 1],
    ['closed change requests', undefined],
    ['earlier revisions', undefined],
  ]);
  const none = await dryRun('--space', 'Board Notes', '--only', 'pages');
  expect(none.notes.map(({ item }) => item)).toEqual(['closed change requests', 'earlier revisions']);
  expect(failure(await restore('--space', 'Welcom', '--yes', '--json'))).toEqual([6, 'space_not_found']);
});

test('a deleted space comes out of the trash, with its content and its places', async () => {
  await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
  const { operations, notes } = await dryRun();
  expect(operations.map(({ kind, key }) => `${kind} ${key}`)).toEqual(['spaces Product Guide']);
  expect(notes.map(({ code }) => code)).toContain('space_deleted');
  expect((await restore('--yes')).code).toBe(0);
  expect(await differences()).toEqual([]);
});

test('a space deleted for good: an empty one, then its places, then a change request with its content', async () => {
  await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
  await home.ok(['sandbox', 'clock', '+8d']);
  const first = await restore('--yes');
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('To go on, run docs backup restore b.');
  const second = await restore('--yes', '--json');
  expect(second.stderr.replaceAll(/\s+/g, ' ')).toContain('Step 1 of 2: an empty space takes its place.');
  expect(second.code).toBe(3);
  const goesOn = { code: 'restore_goes_on', exitCode: 3, hint: 'docs backup restore b', retryable: true };
  expect(failureOf(second.stderr)).toMatchObject(goesOn);
  // The site that the empty space came with goes once the space has its places.
  const [removal] = (await dryRun()).operations.filter(({ kind }) => kind === 'sites');
  const about = { key: 'Product Guide', action: 'delete', fields: { title: { before: 'Product Guide' } } };
  expect(removal).toMatchObject(about);
  const third = await restore('--yes');
  expect(third.code).toBe(3);
  expect(await home.json<{ title: string }[]>(['sites', 'list'])).toMatchObject([{ title: 'Acme Docs' }]);
  const space = await home.space('Product Guide');
  expect(space).not.toBe('');

  await home.ok(['backup', 'pack', 'b', '--space', 'Product Guide', '--out', 'packs']);
  const base = ['--import-base', 'https://files.example.com/packs'];
  const done = await restore('--yes', ...base);
  expect(done).toMatchObject({ code: 0 });
  expect(done.stderr).toMatch(
    /Change request \d+ has the content of the backup; review and merge it\. docs change-requests get \d+ --space/,
  );
  expect(done.stderr).toContain('all but the content that waits to be merged is as in the backup');
  const requests = ['change-requests', 'list', '--space', space];
  const [request, ...others] = await home.json<{ number: number; status: string }[]>(requests);
  expect(others).toEqual([]);
  expect(request?.status).toBe('open');
  const pages = () => home.json<{ pages: unknown[] }>(['content', 'get', '--space', space]);
  expect((await pages()).pages).toEqual([]);

  // It waits for a person; nothing is made twice.
  expect((await dryRun(...base)).operations).toEqual([]);
  await home.ok(['change-requests', 'merge', String(request?.number), '--space', space, '--yes']);
  expect((await dryRun(...base)).operations).toEqual([]);
  const list = ['content', 'pages', 'list', '--space', space];
  const { pages: listed } = await home.json<{ pages: { title: string }[] }>(list);
  const titles = listed.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Overview', 'Concepts']));
});

test('live content is never written over, and what cannot be done is exit 3', async () => {
  await home.merge();
  const left = await restore('--yes', '--json');
  expect(failure(left)).toEqual([3, 'left_over']);
  expect(JSON.parse(left.stdout)).toMatchObject([
    { status: 'skipped', error: { code: 'content_needs_url' } },
  ]);
  expect(failureOf(left.stderr).hint).toBe('docs backup pack b --space Welcome --out packs');

  await home.ok(['backup', 'pack', 'b', '--space', 'Welcome', '--out', 'packs']);
  home.gateway.requests.length = 0;
  expect((await restore('--yes', '--import-base', 'https://files.example.com')).code).toBe(0);
  expect(home.changes().map((line) => line.replaceAll(/\/[A-Za-z0-9]{20}/g, '/x'))).toEqual([
    'POST /v1/spaces/x/change-requests',
    'POST /v1/spaces/x/change-requests/x/content/import',
    'PATCH /v1/spaces/x/change-requests/x',
  ]);
});

test('what does not fit its manifest is refused, as is another organization', async () => {
  const refused = async (...words: string[]) => failure(await restore('--yes', '--json', ...words));
  expect(await refused('--org', 'other')).toEqual([2, 'other_organization']);
  expect(await refused('--import-base', 'ftp://files.example.com')).toEqual([2, 'bad_url']);
  appendFileSync(home.at('b', 'teams', 'Writers', 'team.json'), ' ');
  expect(await refused()).toEqual([17, 'backup_damaged']);
  expect(home.changes()).toEqual([]);
});

test('a broken guard names the same command with --only', async () => {
  await home.ok(['members', 'update', 'goran@acme.example', '--role', 'admin', '--yes']);
  const { code, stderr } = await restore('--at', '1', '--yes', '--json');
  const hint = 'docs backup restore b --at 1 --only <part>';
  expect([code, failureOf(stderr)]).toMatchObject([2, { code: 'guarded', hint }]);
  const shown = await restore('--at', '1', '--dry-run');
  expect(shown.stdout + shown.stderr).toContain('Leave that part out with --only.');
});

test('where several have the title of what was deleted, it says what to do first', async () => {
  await home.ok(['teams', 'delete', await home.idOf('Support', 'teams', 'list'), '--yes']);
  for (const _ of [1, 2]) await home.ok(['teams', 'create', '--title', 'Support']);
  const { operations } = await dryRun('--only', 'teams');
  const finding = operations.find(({ key, kind }) => kind === 'teams' && key === 'support')?.finding;
  expect(finding).toMatchObject({
    code: 'ambiguous',
    hint: 'Give them different titles, then run the restore again.',
  });
});

test('a backup of which a space could not be read restores the rest, and says so', async () => {
  home.refuse(`/spaces/${await home.space('Product Guide')}/`, 403);
  const ran = await home.run(['backup', 'run', '--out', 'partial', '--no-retry', '--json']);
  expect(ran.code).toBe(3);
  home.gateway.reset();
  await breakThings(home);
  const words = ['backup', 'restore', 'partial'];
  const { notes } = await home.json<Plan>([...words, '--dry-run']);
  const lacking = notes.find(({ item }) => item === 'items that the run could not read');
  expect(lacking).toMatchObject({ code: 'not-restored', count: expect.any(Number) });
  expect((await home.run([...words, '--yes', '--json'])).code).toBe(0);
  const titles = await home.json<{ title: string }[]>(['spaces', 'list']);
  expect(titles.map(({ title }) => title)).toContain('Welcome');
});

test('every kind of file of a backup is in the table, with what comes back or why not', () => {
  const manifests = [
    'manifest.json',
    ...['Welcome', 'Product Guide'].map((name) => `spaces/${name}/manifest.json`),
  ];
  const kinds = manifests.flatMap((name) =>
    home.parsed<{ files: { kind: string }[] }>('b', name).files.map(({ kind }) => kind),
  );
  expect(kinds.filter((kind) => restoring[kind] === undefined)).toEqual([]);
  for (const { by, cannot = [] } of Object.values(restoring))
    expect(by !== undefined || cannot.length > 0).toBe(true);
});

test('a deleted collection comes back, and nobody gains or loses access; what stays different is named', async () => {
  await home.ok(['collections', 'delete', await home.idOf('Internal', 'collections', 'list'), '--yes']);
  const { code, stderr } = await restore('--yes');
  expect(code).toBe(0);
  expect(stderr).toContain('Access is as in the backup: 7 members in 5 spaces.');
  expect((await differences()).filter(({ kind }) => kind === 'access')).toEqual([]);

  const again = await restore('--yes');
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(again.stderr).toContain('visibility of spaces (1)');
  expect(again.stderr).toContain('Engineering Handbook (in-collection → private)');
  expect(again.stderr).toContain('permissions of people and teams in deleted collections (1)');
  expect(again.stderr).not.toContain('Nothing to restore');
});

test('access that a restore cannot bring back is named at its end, and by the next run', async () => {
  for (const title of ['Support', 'Writers'])
    await home.ok(['teams', 'delete', await home.idOf(title, 'teams', 'list'), '--yes']);
  const lost = 'permissions of single people in spaces (2)';
  const who = 'API Reference: 2 with another role (Deniz Yıldız, Chiara Rossi)';
  for (const words of [[], ['--only', 'teams']]) {
    const { code, stderr } = await restore('--yes', ...words);
    expect(code).toBe(0);
    expect(stderr).toContain(`${lost}: `);
    expect(stderr).toContain(who);
  }
  home.gateway.requests.length = 0;
  const { stderr } = await restore('--yes', '--no-access');
  expect(stderr).not.toContain(lost);
  expect(home.gateway.requests.filter((line) => /members\/[^/]+\/spaces/.test(line)).length).toBeLessThan(7);
});
