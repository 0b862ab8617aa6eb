import { appendFileSync, cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf } from './backup-home.js';

/** `docs backup verify` compares all that a backup holds with the platform; `diff` names fields as it does. */

interface Field {
  field: string;
  before?: unknown;
  after?: unknown;
}
interface Found {
  state?: string;
  change?: string;
  kind: string;
  title?: string;
  detail?: string;
  fields?: Field[];
}

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
  await home.backedUp();
});
afterEach(() => home.end());

const verified = async (...words: string[]) => {
  const { code, stdout, stderr } = await home.run(['backup', 'verify', 'b', '--json', ...words]);
  return { code, stderr, found: JSON.parse(stdout) as Found[] };
};
const diff = async () => {
  const { stdout } = await home.run(['backup', 'diff', 'a', 'b', '--json']);
  return JSON.parse(stdout) as Found[];
};
/** The id of what has this title in a list. */
const idOf = async (title: string, ...list: string[]) => {
  const rows = await home.json<{ id: string; title?: string }[]>(list);
  return rows.find((row) => row.title === title)?.id ?? '';
};
const first = async (...words: string[]) => (await home.ok([...words, '-o', 'id'])).split('\n')[0] ?? '';

/** Settings of everything that has some: what is changed, and what is told of it. */
const settings: [kind: string, change: () => Promise<unknown>, field: Field][] = [
  [
    'organization',
    () => home.ok(['orgs', 'update', home.org, '--title', 'Acme Handbooks']),
    { field: 'title', before: 'Acme Docs', after: 'Acme Handbooks' },
  ],
  [
    'member',
    async () =>
      home.ok([
        'members',
        'update',
        await first('members', 'list', '--role', 'read'),
        '--role',
        'edit',
        '--yes',
      ]),
    { field: 'role', before: 'read', after: 'edit' },
  ],
  [
    'team',
    async () => home.ok(['teams', 'update', await idOf('Support', 'teams', 'list'), '--title', 'Care']),
    { field: 'title', before: 'Support', after: 'Care' },
  ],
  [
    'collection',
    async () =>
      home.ok([
        'collections',
        'update',
        await idOf('Internal', 'collections', 'list'),
        '--default-level',
        'read',
      ]),
    { field: 'defaultLevel', before: 'comment', after: 'read' },
  ],
  [
    'custom-field',
    () => home.ok(['custom-fields', 'update', 'audience', '--title', 'Readers']),
    { field: 'title', before: 'Audience', after: 'Readers' },
  ],
  [
    'translation',
    async () => home.ok(['translations', 'update', await first('translations', 'list'), '--title', 'Guides']),
    { field: 'title', before: 'Product docs', after: 'Guides' },
  ],
  [
    'saml-provider',
    async () => home.ok(['saml', 'update', await first('saml', 'list'), '--label', 'Staff']),
    { field: 'label', before: 'Acme Staff', after: 'Staff' },
  ],
  [
    'site',
    async () => home.ok(['sites', 'update', await first('sites', 'list'), '--visibility', 'unlisted']),
    { field: 'visibility', before: 'public', after: 'unlisted' },
  ],
  [
    'site',
    async () => {
      const site = ['--site', await first('sites', 'list')];
      await home.ok([
        'sections',
        'update',
        await idOf('Home', 'sections', 'list', ...site),
        ...site,
        '--icon',
        'star',
      ]);
    },
    { field: 'sections.Home.icon', before: 'house', after: 'star' },
  ],
  [
    'space',
    async () => home.ok(['spaces', 'update', await home.space('Product Guide'), '--edit-mode', 'locked']),
    { field: 'editMode', before: 'live', after: 'locked' },
  ],
];

test('a setting of anything that was changed on the platform is named, before and after', async () => {
  expect(await verified()).toMatchObject({ code: 0, found: [] });
  cpSync(home.at('b'), home.at('a'), { recursive: true });
  for (const [, change] of settings) await change();
  const { code, found, stderr } = await verified();
  expect(code).toBe(17);
  expect(failureOf(stderr)).toMatchObject({ code: 'backup_findings', hint: 'docs backup run --out b' });
  await home.backedUp();
  const differences = await diff();
  for (const [kind, , field] of settings) {
    const [before, after] = [field.before, field.after].map(String);
    const told = {
      kind,
      fields: expect.arrayContaining([field]),
      detail: expect.stringContaining(`${field.field}: ${before} → ${after}`),
    };
    expect(found).toContainEqual(expect.objectContaining({ state: 'outdated', ...told }));
    expect(differences).toContainEqual(expect.objectContaining({ change: 'changed', ...told }));
  }
  expect(found.every(({ state }) => state === 'outdated')).toBe(true);
  expect(await verified()).toMatchObject({ code: 0, found: [] });
});

test('a rename is found by diff and verify, in words for a person', async () => {
  cpSync(home.at('b'), home.at('a'), { recursive: true });
  await home.ok(['spaces', 'update', await home.space('Engineering Handbook'), '--title', 'Handbook']);
  const ran = await home.run(['backup', 'verify', 'b', '--fields', 'state,kind,title,detail']);
  expect(ran).toMatchObject({
    code: 17,
    stdout: 'outdated\tspace\tHandbook\ttitle: Engineering Handbook → Handbook\n',
  });
  await home.backedUp();
  const told = await home.ok(['backup', 'diff', 'a', 'b', '--fields', 'change,kind,title,from,detail']);
  expect(told.split('\n')).toEqual([
    'moved\tspace\tHandbook\tspaces/Engineering Handbook\t',
    'changed\tspace\tHandbook\t\ttitle: Engineering Handbook → Handbook',
    '',
  ]);
});

test('who joined or left a team, and what came or went, is named', async () => {
  cpSync(home.at('b'), home.at('a'), { recursive: true });
  const reader = await first('members', 'list', '--role', 'read');
  const writers = await idOf('Writers', 'teams', 'list');
  await home.ok(['teams', 'members', 'update', writers, '--add', reader]);
  await home.ok(['collections', 'create', '--title', 'Archive']);
  await home.ok(['translations', 'update', await first('translations', 'list'), '--title', 'Guides']);
  const { code, found } = await verified();
  expect(code).toBe(17);
  expect(found.map(({ state, kind, title }) => `${state} ${kind} ${title}`).sort()).toEqual([
    'not-backed-up collection Archive',
    // Through the team.
    'outdated access Farah Haddad',
    'outdated team Writers',
    'outdated translation Guides',
  ]);
  const [team] = found.filter(({ kind }) => kind === 'team');
  expect(team?.fields).toMatchObject([
    { field: expect.stringMatching(/^team-members\./), after: { id: reader } },
  ]);
  expect(team?.fields?.[0]).not.toHaveProperty('before');
});

test('what could not be compared is named, exit 3, and never whole', async () => {
  const welcome = await home.space('Welcome');
  home.gateway.rule = (line) =>
    line.includes(`/spaces/${welcome}/comments`) || line.includes('/teams?') ? 403 : undefined;
  const ran = await home.run(['backup', 'verify', 'b']);
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/^Not compared: teams /m);
  expect(ran.stderr).toMatch(/^Not compared: comments /m);
  expect(ran.stderr).not.toContain('whole');
});

test('a page that changed is told with its revision by verify, and with its lines by diff', async () => {
  cpSync(home.at('b'), home.at('a'), { recursive: true });
  const welcome = await home.space('Welcome');
  await home.ok(['change-requests', 'merge', '3', '--space', welcome, '--yes']);
  const { found } = await verified();
  const [space] = found.filter(({ kind }) => kind === 'space');
  expect(space?.fields?.map(({ field }) => field)).toEqual(['revision']);
  await home.backedUp();
  const [page] = (await diff()).filter(({ change, kind }) => change === 'changed' && kind === 'page');
  const markdown = page?.fields?.find(({ field }) => field === 'markdown');
  expect(markdown?.before).not.toBe(markdown?.after);
  // Only the lines that differ.
  expect(String(markdown?.before)).not.toMatch(/^# /);
});

test('a file that is missing or damaged is one finding, not as many as it has items', async () => {
  appendFileSync(home.at('b', 'members.json'), 'oops');
  rmSync(home.at('b', 'collections.json'));
  rmSync(home.at('b', 'spaces', 'Welcome', 'comments.json'));
  await home.ok(['teams', 'create', '--title', 'New']);
  const { code, found } = await verified();
  expect(code).toBe(17);
  expect(found.map(({ state, kind }) => `${state} ${kind}`).sort()).toEqual([
    'changed members',
    'miscounted space',
    'miscounted space',
    'missing collections',
    'missing comments',
    'not-backed-up team',
  ]);
});

test('an organization that cannot be read any more is not compared, and so not whole', async () => {
  home.gateway.rule = (line) => (line === `GET /v1/orgs/${home.org}` ? 404 : undefined);
  const ran = await home.run(['backup', 'verify', 'b']);
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/^Not compared: organization /m);
});
