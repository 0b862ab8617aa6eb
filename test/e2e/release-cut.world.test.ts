import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from './gateway.js';
import type { Home } from './program.js';
import { type OnSite, type Release, type Section, startRelease, stateOf } from './release-home.js';

/** `docs sites release cut`: duplicate, attach, verify, then flip. */

let release: Release;
let home: Home;
let plain: string;
beforeAll(async () => {
  release = await startRelease();
  home = release.home;
  plain = release.sites.plain;
});
afterAll(() => release.close());
beforeEach(() => release.reset());

const cut = (site: string, from: string, ...more: string[]) => [
  ...['release', 'cut', '2.1', '--site', site, '--from', from, ...more],
];
const spacesOf = (site: string) => home.json<OnSite[]>(['site-spaces', 'list', '--site', site]);
const sectionsOf = (site: string) => home.json<Section[]>(['sections', 'list', '--site', site]);
const titlesOf = async (site: string) => (await spacesOf(site)).map(({ space }) => space.title);
const defaultOf = async (site: string) => (await spacesOf(site)).find((one) => one.default)?.space.title;
const fault = (match: string, status: string, ...more: string[]) =>
  home.ok(['sandbox', 'fault', '--match', match, '--status', status, ...more]);
const noFaults = () => home.ok(['sandbox', 'fault', '--clear']);

test('a version of a space stands before it, with its condition, and is found on the next run', async () => {
  const { docs } = release.sites;
  const ran = await home.run(cut(docs, 'API Reference', '--yes', '--json'));
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('✓ Space API Reference 2.1 is at https://'),
  });
  const rows = JSON.parse(ran.stdout) as { status: string; item: string }[];
  expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('ok'));
  const all = await spacesOf(docs);
  const [copy, original] = all.slice(-2);
  expect([copy?.space.title, original?.space.title]).toEqual(['API Reference 2.1', 'API Reference']);
  expect(copy).toMatchObject({ path: '2.1', section: original?.section });
  const pages = async (id = '') =>
    (await home.json<{ pages: unknown[] }>(['content', 'pages', 'list', '--space', id])).pages;
  expect(await pages(copy?.space.id)).toHaveLength((await pages(original?.space.id)).length);

  const sent = release.forwarder.done.length;
  const again = await home.run(cut(docs, 'API Reference', '--yes'));
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was sent.') });
  expect(release.forwarder.done).toHaveLength(sent);
});

test('a version of a section has all of it, in its group before it; undo leaves nothing of it', async () => {
  const { docs } = release.sites;
  const [, , api] = await sectionsOf(docs);
  await home.ok(['sites', 'update', docs, '--default-section', api?.id ?? '']);
  const before = stateOf(release);
  await home.ok(cut(docs, 'API', '--make-default', '--yes'));
  const sections = await sectionsOf(docs);
  const [made, original] = sections.slice(-2);
  const { icon, condition, sectionGroup } = original ?? {};
  expect(original).toMatchObject({ title: 'API', condition: 'visitor.claims.beta' });
  expect(made).toMatchObject({ title: '2.1', path: '2.1', default: true, icon, condition, sectionGroup });
  expect(made?.siteSpaces.map(({ path, space }) => [path, space.title])).toEqual([
    ['api', 'API Reference 2.1'],
  ]);
  const undone = await home.run(['undo', 'last', '--yes', '--json']);
  expect(undone.code).toBe(0);
  // Ids of what the job made, and no placeholders.
  expect(undone.stdout).not.toContain('{o');
  expect(stateOf(release)).toEqual(before);
  const [, job] = await home.json<{ command: string; state: string }[]>(['jobs', 'list']);
  expect(job).toMatchObject({ command: 'sites release cut', state: 'undone' });
});

test('a section with several spaces keeps their order, paths and default, and is taken back', async () => {
  const { docs } = release.sites;
  const [, guides] = await sectionsOf(docs);
  const add = async (title: string) => {
    const [first] = await spacesOf(docs);
    const { id } = await home.json<{ id: string }>(['spaces', 'duplicate', first?.space.id ?? '']);
    await home.ok(['spaces', 'update', id, '--title', title]);
    const at = ['--site', docs, '--section', guides?.id ?? ''];
    return home.json<OnSite>(['site-spaces', 'create', '--space-id', id, ...at]);
  };
  await add('Alpha');
  const last = await add('Beta');
  await home.ok(['sections', 'update', guides?.id ?? '', '--site', docs, '--default-site-space', last.id]);
  const before = stateOf(release);
  await home.ok(cut(docs, 'Guides', '--yes'));
  const made = (await sectionsOf(docs)).find(({ title }) => title === '2.1');
  expect(made?.description).toBe(guides?.description);
  expect(made?.siteSpaces.map((one) => [one.path, one.space.title, one.default])).toEqual([
    ['guide', 'Product Guide 2.1', false],
    ['alpha', 'Alpha 2.1', false],
    ['beta', 'Beta 2.1', true],
  ]);
  await home.ok(['undo', 'last', '--yes']);
  expect(stateOf(release)).toEqual(before);
});

test('a version of another section gets a section of its own, or none', async () => {
  const { docs } = release.sites;
  await home.ok(cut(docs, 'API', '--yes'));
  const before = stateOf(release);
  const sent = release.forwarder.done.length;
  const refused = await home.run(cut(docs, 'Guides', '--yes', '--json'));
  expect(refused.code).toBe(7);
  const { error } = JSON.parse(refused.stderr) as { error: { code: string; hint: string } };
  expect(error).toMatchObject({ code: 'path_taken', hint: expect.stringContaining('--path guides-2.1') });
  expect(release.forwarder.done).toHaveLength(sent);
  expect(stateOf(release)).toEqual(before);

  await home.ok(cut(docs, 'Guides', '--yes', '--path', 'guides-2.1'));
  const made = (await sectionsOf(docs)).filter(({ title }) => title === '2.1');
  expect(
    made.map(({ path, condition, siteSpaces }) => [
      path,
      condition,
      siteSpaces.map((one) => one.space.title),
    ]),
  ).toEqual([
    ['guides-2.1', undefined, ['Product Guide 2.1']],
    ['2.1', 'visitor.claims.beta', ['API Reference 2.1']],
  ]);
});

test('--make-default replaces the source or a version of it, and nothing else', async () => {
  const { docs } = release.sites;
  const refused = await home.run(cut(docs, 'Guides', '--make-default', '--dry-run', '--json'));
  expect(refused.code).toBe(2);
  const { error } = JSON.parse(refused.stderr) as { error: { code: string; message: string } };
  expect(error.code).toBe('not_the_default');
  expect(error.message).toContain('see Home first');
  await home.ok(cut(plain, 'API Reference', '--make-default', '--yes'));
  await home.ok(
    cut(plain, 'API Reference', '--make-default', '--yes').map((word) => (word === '2.1' ? '2.2' : word)),
  );
  expect(await defaultOf(plain)).toBe('API Reference 2.2');
  const other = await home.run(cut(plain, 'Product Guide', '--path', 'guide-2.1', '--make-default', '--yes'));
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('neither Product Guide nor a version of it'),
  });
});

test('a later --make-default only flips, on a site without sections', async () => {
  await home.ok(cut(plain, 'API Reference', '--yes'));
  expect(await titlesOf(plain)).toEqual(['Product Guide', 'API Reference 2.1', 'API Reference']);
  const sent = release.forwarder.done.length;
  const ran = await home.run(cut(plain, 'API Reference', '--make-default', '--yes'));
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('and is the default') });
  expect(release.forwarder.done.slice(sent)).toEqual([expect.stringMatching(/^PATCH .*\/sites\/\w+$/)]);
  expect(await defaultOf(plain)).toBe('API Reference 2.1');
});

test('a saved plan sends nothing, and does the same when it is applied', async () => {
  const words = cut(plain, 'API Reference', '--make-default', '--wait', '100ms');
  const ran = await home.run([...words, '--save-plan', 'cut.json']);
  expect(ran.code).toBe(0);
  expect(release.forwarder.done).toEqual([]);
  const { operations } = JSON.parse(readFileSync(join(home.path, 'cut.json'), 'utf8'));
  expect(operations.map(({ action }: { action: string }) => action)).toEqual([
    ...['create', 'update', 'create', 'update', 'move', 'verify', 'update'],
  ]);
  // The flip comes after the verification alone.
  expect(operations[6].after).toContain('o6');
  await fault('GET /v1/orgs/*/published', '404');
  expect((await home.run(['apply', 'cut.json', '--yes'])).code).toBe(3);
  expect(await defaultOf(plain)).toBe('API Reference');
  await noFaults();
  await home.ok(['jobs', 'resume', 'last']);
  expect(await defaultOf(plain)).toBe('API Reference 2.1');
});

describe('what the platform shows late', () => {
  test('is waited for', async () => {
    await fault('PATCH /v1/spaces/*', '404', '--times', '1');
    await fault('POST /v1/orgs/*/site-spaces', '403', '--times', '1');
    await fault('GET /v1/orgs/*/published', '403', '--times', '1');
    await home.ok(cut(plain, 'API Reference', '--make-default', '--yes'));
    expect((await titlesOf(plain)).filter((title) => title.endsWith('2.1'))).toHaveLength(1);
  });

  test('ends the job at the limit; the same command names the job, and resuming goes on', async () => {
    await fault('POST /v1/orgs/*/site-spaces', '403');
    const words = cut(plain, 'API Reference', '--make-default', '--wait', '100ms', '--yes');
    const ran = await home.run([...words, '--json']);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('docs jobs resume') });
    const rows = JSON.parse(ran.stdout) as { status: string; error?: { code: string; message: string } }[];
    expect(rows.map(({ status }) => status)).toEqual([
      ...['ok', 'ok', 'failed', 'skipped', 'skipped', 'skipped', 'skipped'],
    ]);
    expect(rows[2]?.error).toMatchObject({
      code: 'not_available',
      outcome: 'refused',
      message: expect.stringContaining('after 100ms'),
    });
    const sent = release.forwarder.done.length;
    const again = await home.run(words);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('Try: docs jobs resume 2') });
    expect(release.forwarder.done).toHaveLength(sent);
    await noFaults();
    await home.ok(['jobs', 'resume', 'last']);
    expect((await titlesOf(plain)).filter((title) => title.endsWith('2.1'))).toHaveLength(1);
  });

  test('is no reason to flip: a verification that fails leaves the default as it is', async () => {
    await fault('GET /v1/orgs/*/published', '404');
    const words = cut(plain, 'API Reference', '--make-default', '--wait', '100ms', '--yes');
    const ran = await home.run([...words, '--json']);
    expect(ran.code).toBe(3);
    const rows = JSON.parse(ran.stdout) as { status: string; error?: { code: string } }[];
    expect(rows.slice(-2)).toMatchObject([
      { status: 'failed', error: { code: 'not_verified' } },
      { status: 'skipped' },
    ]);
    expect(await defaultOf(plain)).toBe('API Reference');
    // It can be taken back as it is.
    await home.ok(['undo', 'last', '--yes']);
    expect(await titlesOf(plain)).toEqual(['Product Guide', 'API Reference']);
  });
});

test('Ctrl-C while it waits ends it at once; the job shows real ids and is resumed', async () => {
  await fault('POST /v1/orgs/*/site-spaces', '403');
  const running = release.home.begin(cut(plain, 'API Reference', '--yes'));
  await new Promise<void>((refused) => {
    release.forwarder.onChange = (count) => {
      if (count === 3) refused();
      return 'pass';
    };
  });
  running.kill('SIGINT');
  expect((await running.ended).signal).toBe('SIGINT');
  const { items } = await home.json<{ items: { id: string; status: string }[] }>(['jobs', 'show', 'last']);
  const [copy, renamed, attached] = items;
  expect(copy).toMatchObject({ status: 'ok', id: renamed?.id });
  expect(copy?.id).not.toContain('{');
  // A refusal came, but nothing says so once the wait is interrupted: resuming looks it up.
  expect(attached?.status).not.toBe('ok');
  await noFaults();
  await home.ok(['jobs', 'resume', 'last']);
  expect((await titlesOf(plain)).filter((title) => title.endsWith('2.1'))).toHaveLength(1);
});

test('a copy that lacks a page is not made the default', async () => {
  const [source] = (await spacesOf(plain)).filter(({ space }) => space.title === 'API Reference');
  const gateway = await startGateway(release.forwarder.url);
  gateway.rewrite = (line, text) => {
    if (!/\/content\?/.test(line) || line.includes(String(source?.space.id))) return text;
    const content = JSON.parse(text) as { pages: unknown[] };
    return JSON.stringify({ ...content, pages: content.pages.slice(1) });
  };
  const other = release.elsewhere({ DOCS_BASE_URL: gateway.url });
  const words = cut(plain, 'API Reference', '--make-default', '--yes', '--wait', '100ms');
  const ran = await other.run(words);
  expect(ran).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/not verified: space \w+ has \d+ page/),
  });
  expect(await defaultOf(plain)).toBe('API Reference');
  await other.ok(['undo', 'last', '--yes']);
  expect(await titlesOf(plain)).toEqual(['Product Guide', 'API Reference']);
  other.remove();
  await gateway.close();
});

describe('before anything is sent', () => {
  test.each([
    [['release', 'cut', 'v2.1/α'], 2, 'the nearest one is v2.1', '--path v2.1'],
    [['release', 'cut', '2.1', '--path', 'product-guide'], 7, 'belongs to the space Product Guide', '--help'],
    [['release', 'cut', '2.1', '--wait', 'none'], 2, 'needs a limit', ''],
  ])('%j exits %i', async (words, code, says, hint) => {
    const ran = await home.run([...words, '--site', plain, '--from', 'API Reference', '--yes']);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(says) });
    expect(ran.stderr).toContain(hint);
    expect(release.forwarder.done).toEqual([]);
  });

  test('what is not on the site is named, exit 6', async () => {
    const ran = await home.run(cut(plain, 'Nothing', '--yes'));
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('It has space Product Guide') });
  });
});

test('a copy that another machine left is not duplicated again: it is refused, or used', async () => {
  await fault('POST /v1/orgs/*/site-spaces', '403');
  const words = cut(plain, 'API Reference', '--yes', '--wait', '100ms');
  const ran = await home.run([...words, '--json']);
  const [{ id = '' } = {}] = JSON.parse(ran.stdout) as { id: string }[];
  await noFaults();
  const other = release.elsewhere();
  const sent = release.forwarder.done.length;
  const refused = await other.run(words);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`--use ${id}`) });
  expect(release.forwarder.done).toHaveLength(sent);
  await other.ok([...words, '--use', id]);
  const copies = (await spacesOf(plain)).filter(({ space }) => space.title === 'API Reference 2.1');
  expect(copies).toMatchObject([{ path: '2.1', space: { id } }]);
  other.remove();
});

test('of several copies, those of --use are told apart by their titles', async () => {
  const { docs } = release.sites;
  const [, guides] = await sectionsOf(docs);
  const source = guides?.siteSpaces[0]?.space.id ?? '';
  const duplicate = async (title: string) => {
    const { id } = await home.json<{ id: string }>(['spaces', 'duplicate', source]);
    await home.ok(['spaces', 'update', id, '--title', title]);
    return id;
  };
  const more = ['--site', docs, '--section', guides?.id ?? ''];
  await home.ok(['site-spaces', 'create', '--space-id', await duplicate('Alpha'), ...more]);
  // In the other order than on the site.
  const [alpha, guide] = [await duplicate('Alpha 2.1'), await duplicate('Product Guide 2.1')];
  await home.ok(cut(docs, 'Guides', '--yes', '--use', alpha, '--use', guide));
  const made = (await sectionsOf(docs)).find(({ title }) => title === '2.1');
  expect(made?.siteSpaces.map(({ space }) => space.id)).toEqual([guide, alpha]);
});
