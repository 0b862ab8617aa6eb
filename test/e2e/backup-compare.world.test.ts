import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { away, clean, type Found, failureOf, homeOfFile } from './backup-home.js';

/** `docs backup verify` compares all that a backup holds with the platform; `diff` names fields as it does. */

const home = homeOfFile({ backup: true });
const diff = () => home.json<Found[]>(['backup', 'diff', 'a', 'b']);
const copy = () => cpSync(home.at('b'), home.at('a'), { recursive: true });

/** Settings of everything that has some: what changes it, and what is told of it. */
const settings: [kind: string, command: string, field: string, before: string, after: string][] = [
  ['organization', 'orgs update ORG --title Handbooks', 'title', 'Acme Docs', 'Handbooks'],
  ['member', 'members update READER --role edit --yes', 'role', 'read', 'edit'],
  ['team', 'teams update SUPPORT --title Care', 'title', 'Support', 'Care'],
  ['collection', 'collections update INTERNAL --default-level read', 'defaultLevel', 'comment', 'read'],
  ['custom-field', 'custom-fields update audience --title Readers', 'title', 'Audience', 'Readers'],
  ['translation', 'translations update TRANSLATION --title Guides', 'title', 'Product docs', 'Guides'],
  ['saml-provider', 'saml update SAML --label Staff', 'label', 'Acme Staff', 'Staff'],
  ['site', 'sites update SITE --visibility unlisted', 'visibility', 'public', 'unlisted'],
  ['site', 'sections update HOME --site SITE --icon star', 'sections.Home.icon', 'house', 'star'],
  ['space', 'spaces update GUIDE --edit-mode locked', 'editMode', 'live', 'locked'],
];

test('a setting of anything that was changed on the platform is named, before and after', async () => {
  expect(await home.verified()).toMatchObject(clean);
  copy();
  const site = await home.firstId('sites', 'list');
  const ids: Record<string, string> = {
    ORG: home.org,
    READER: await home.firstId('members', 'list', '--role', 'read'),
    SUPPORT: await home.idOf('Support', 'teams', 'list'),
    INTERNAL: await home.idOf('Internal', 'collections', 'list'),
    TRANSLATION: await home.firstId('translations', 'list'),
    SAML: await home.firstId('saml', 'list'),
    SITE: site,
    HOME: await home.idOf('Home', 'sections', 'list', '--site', site),
    GUIDE: await home.space('Product Guide'),
  };
  for (const [, command] of settings) await home.ok(command.split(' ').map((word) => ids[word] ?? word));
  const { code, found, stderr } = await home.verified();
  expect(code).toBe(17);
  expect(failureOf(stderr)).toMatchObject({ code: 'backup_findings', hint: 'docs backup run --out b' });
  await home.backedUp();
  const differences = await diff();
  for (const [kind, , field, before, after] of settings) {
    const told = {
      kind,
      fields: expect.arrayContaining([{ field, before, after }]),
      detail: expect.stringContaining(`${field}: ${before} → ${after}`),
    };
    expect(found).toContainEqual(expect.objectContaining({ state: 'outdated', ...told }));
    expect(differences).toContainEqual(expect.objectContaining({ change: 'changed', ...told }));
  }
  expect(found.every(({ state }) => state === 'outdated')).toBe(true);
  expect(await home.verified()).toMatchObject(clean);
});

test('a rename is found by diff and verify, in words for a person', async () => {
  copy();
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
  const table = await home.ok(['backup', 'diff', 'a', 'b', '-o', 'table']);
  expect(table).toContain('Engineering Handbook → Handbook');
});

test('who joined or left a team, and what came or went, is named', async () => {
  copy();
  const reader = await home.firstId('members', 'list', '--role', 'read');
  const writers = await home.idOf('Writers', 'teams', 'list');
  await home.ok(['teams', 'members', 'update', writers, '--add', reader]);
  await home.ok(['collections', 'create', '--title', 'Archive']);
  await home.ok(['translations', 'update', await home.firstId('translations', 'list'), '--title', 'Guides']);
  const { code, found } = await home.verified();
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
  home.refuse(new RegExp(`/spaces/${await home.space('Welcome')}/comments|/teams\\?`), 403);
  const ran = await home.run(['backup', 'verify', 'b']);
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/^Not compared: teams /m);
  expect(ran.stderr).toMatch(/^Not compared: comments /m);
  expect(ran.stderr).not.toContain('whole');
});

test('a page that changed is told with its revision by verify, and with its lines by diff', async () => {
  copy();
  await home.merge();
  const { found } = await home.verified();
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
  const { code, found } = await home.verified();
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
  home.refuse(new RegExp(`^GET /v1/orgs/${home.org}$`), 404);
  const ran = await home.run(['backup', 'verify', 'b']);
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/^Not compared: organization /m);
});

test('verify finds what is changed, missing, extra, and miscounted', async () => {
  const space = home.at('b', 'spaces', 'Welcome');
  appendFileSync(`${space}/pages/faq.md`, 'x');
  rmSync(`${space}/files/logo.png`);
  writeFileSync(`${space}/pages/new.md`, '');
  writeFileSync(home.at('b', 'notes.txt'), '');
  mkdirSync(home.at('b', 'spaces', 'Mine'));
  const manifest = `${space}/manifest.json`;
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"pages":10', '"pages":11'));
  const { code, found } = await home.verified('--offline');
  expect(code).toBe(17);
  expect(found.map(({ state, path }) => `${state} ${path}`).sort()).toEqual([
    'changed spaces/Welcome/manifest.json',
    'changed spaces/Welcome/pages/faq.md',
    'extra notes.txt',
    'extra spaces/Mine',
    'extra spaces/Welcome/pages/new.md',
    'miscounted manifest.json',
    'miscounted spaces/Welcome/manifest.json',
    'missing spaces/Welcome/files/logo.png',
  ]);
});

test('verify needs no sign-in, and says so', async () => {
  const ran = await home.run(['backup', 'verify', 'b'], { env: away });
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(ran.stderr).toMatch(
    /^Not compared with the platform: you are not signed in\.\nThe backup is whole: 5 spaces, \d+ files, [\d,]+ bytes read\.\n$/,
  );
});

test('verify lists what changed on the platform since', async () => {
  await home.merge();
  await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
  await home.ok(['spaces', 'duplicate', await home.space('Welcome')]);
  await home.ok(['teams', 'create', '--title', 'New']);
  const { code, found } = await home.verified();
  expect(code).toBe(17);
  expect(found.map(({ state, kind }) => `${state} ${kind}`).sort()).toEqual([
    ...['gone change-request', 'gone space', 'not-backed-up space', 'not-backed-up team'],
    ...['outdated site', 'outdated space'],
  ]);
  expect((await home.verified('--offline')).code).toBe(0);
});

test('verify refuses a folder that is not a backup, and reports a damaged manifest', async () => {
  expect((await home.run(['backup', 'verify', 'nowhere'])).code).toBe(2);
  writeFileSync(home.at('b', 'manifest.json'), '{');
  expect((await home.run(['backup', 'verify', 'b'])).code).toBe(14);
});

test('diff lists what changed, and exits like git diff', async () => {
  copy();
  const compared = () => home.run(['backup', 'diff', 'a', 'b', '--exit-code']);
  expect(await compared()).toMatchObject({ code: 0, stdout: '' });
  const reader = await home.firstId('members', 'list', '--role', 'read');
  await home.ok(['members', 'update', reader, '--role', 'edit', '--yes']);
  await home.ok(['teams', 'create', '--title', 'New']);
  await home.ok(['spaces', 'duplicate', await home.space('Board Notes')]);
  await home.merge();
  await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
  await home.backedUp();
  const told = (await diff()).map(({ change, kind, title }) => `${change} ${kind} ${title}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'added team New',
      expect.stringMatching(/^added space /),
      'removed space Product Guide',
      'removed page FAQ',
      'added page Single sign-on',
      expect.stringMatching(/^removed change-request /),
      expect.stringMatching(/^changed member /),
    ]),
  );
  expect(told.filter((line) => /member|team/.test(line))).toHaveLength(2);
  expect((await compared()).code).toBe(17);
});
