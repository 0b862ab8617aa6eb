import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** Links as a platform may send them: without a target, with whole resources in place of ids, or with ids. */

let home: Home;
let platform: StubPlatform;
let links: unknown[];
let edited: string;

const org = { object: 'organization', id: 'o1', title: 'Acme' };
const space = { object: 'space', id: 's1', title: 'Guide', organization: 'o1', revision: 'r1' };
const whole = (id: string) => ({ object: 'page', id, title: `Page ${id}`, updatedAt: edited });
const file = { id: 'f1', name: 'logo.png', downloadURL: 'https://files.example/logo.png?token=x' };
const revision = { object: 'revision', id: 'r1', pages: [], files: [] };
const context = { type: 'revision', revision };

/** A broken link to a page that another page has, both references whole, or both by id. */
const toPage = (isWhole: boolean) => ({
  status: 'broken',
  relation: 'reference',
  targetReference: isWhole
    ? { kind: 'page', organization: org, space, versionContext: context, page: whole('p2') }
    : { kind: 'page', organization: 'o1', space: 's1', versionContext: { type: 'revision' }, page: 'p2' },
  locationReferences: [
    isWhole
      ? { kind: 'page', organization: org, space, versionContext: context, page: whole('p1') }
      : { kind: 'page', organization: 'o1', space: 's1', page: 'p1' },
  ],
});
const toFile = {
  ...toPage(true),
  targetReference: { kind: 'file', organization: org, space, versionContext: context, file },
};
const nowhere = {
  status: 'broken',
  relation: 'reference',
  locationReferences: [{ kind: 'page', page: 'p1' }],
};

beforeAll(async () => {
  platform = await stubPlatform((_, { pathname }) => {
    const list = (items: unknown[]) => ({ body: { items, next: {}, count: items.length } });
    const page = { ...whole('p1'), path: 'start' };
    if (pathname === '/v1/spaces/s1') return { body: space };
    if (/^\/v1\/spaces\/s1\/(content\/page\/p1\/)?links$/.test(pathname)) return list(links);
    if (pathname === '/v1/spaces/s1/content/pages') return { body: { pages: [page] } };
    if (/\/content\/files\/f1\/backlinks$/.test(pathname))
      return list([{ kind: 'file', organization: org, space, versionContext: context, file }]);
    return undefined;
  });
});
beforeEach(() => {
  edited = '2026-01-01T00:00:00.000Z';
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 't', DOCS_ORG: 'o1', DOCS_SPACE: 's1' });
});
afterEach(() => home.remove());
afterAll(() => platform.close());

interface Finding {
  fingerprint: string;
  link: string;
  page: { id: string; title: string };
  target: Record<string, unknown>;
}
const check = (...words: string[]) => home.run(['links', 'check', '--space', 's1', ...words]);
const found = async () => JSON.parse((await check('--json')).stdout) as Finding[];
const baseline = () =>
  JSON.parse(readFileSync(join(home.path, 'links.json'), 'utf8')) as { findings: object[] };

test('a link without a target is found, and is no bug', async () => {
  links = [nowhere];
  const ran = await check('--fail-on', 'broken');
  expect(ran).toMatchObject({ code: 17, stdout: 'broken\tGuide\tPage p1\tunknown\ts1\tp1\n' });
  expect(await found()).toMatchObject([{ link: 'unknown', target: {}, page: { id: 'p1' } }]);
});

test('two without a target on one page are two findings: a baseline with one shows the other', async () => {
  links = [nowhere];
  await check('--baseline', 'links.json', '--update-baseline');
  links = [nowhere, nowhere];
  const ran = await check('--baseline', 'links.json', '--fail-on', 'broken');
  expect(ran.code).toBe(17);
  expect(ran.stdout.split('\n')).toHaveLength(2);
});

test('whole resources and ids are the same findings, also after an edit', async () => {
  links = [toPage(false)];
  const byId = await found();
  expect(byId).toMatchObject([
    { link: 'page p2', target: { kind: 'page', page: 'p2', space: 's1' }, page: { id: 'p1' } },
  ]);
  links = [toPage(true)];
  expect(await found()).toEqual(byId);
  edited = '2026-02-02T00:00:00.000Z';
  expect(await found()).toEqual(byId);
});

test.each([
  ['tsv', '\t'],
  ['csv', ','],
])('cells have ids, not JSON: %s', async (format, comma) => {
  links = [toPage(true), toFile];
  const ran = await home.run(['spaces', 'links', 's1', '-o', format]);
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toMatch(/[{}]/);
  expect(ran.stdout).toContain(['broken', 'page', '', 'p2', '', 's1'].join(comma));
  expect(ran.stdout).toContain(['broken', 'file', '', '', 'f1', 's1'].join(comma));
  const table = await home.run(['spaces', 'links', 's1', '-o', 'table']);
  expect(table.stdout).not.toMatch(/[{}]/);
  const page = await home.run(['content', 'pages', 'links', 'p1', '-o', format]);
  expect(page.stdout).toBe(ran.stdout);
  const backlinks = await home.run(['content', 'files', 'backlinks', 'f1', '-o', format]);
  expect(backlinks.stdout).toContain(['file', 's1', 'f1', 'r1', 'o1'].join(comma));
});

test('JSON keeps what the platform sent', async () => {
  links = [toPage(true)];
  expect(await home.json(['spaces', 'links', 's1'])).toEqual(links);
  expect(await home.json(['spaces', 'links', 's1', '--fields', 'targetReference.page.title'])).toEqual([
    { targetReference: { page: { title: 'Page p2' } } },
  ]);
});

test('a baseline that an earlier version wrote of whole resources stays valid, and is written anew', async () => {
  // As version 0.1 wrote it, for this very link.
  links = [toPage(true)];
  const fingerprint = '7e2dfd75b8797d50b4f5e03069c51a02';
  const known = { fingerprint, status: 'broken', space: 's1', page: whole('p1'), link: 'page' };
  const text = JSON.stringify({ format: 'docs-links-baseline/1', findings: [known] });
  writeFileSync(join(home.path, 'links.json'), text);
  expect(await check('--baseline', 'links.json', '--fail-on', 'broken')).toMatchObject({
    code: 0,
    stdout: '',
  });
  await check('--baseline', 'links.json', '--update-baseline');
  const [{ fingerprint: now }] = (await found()) as [Finding];
  expect(baseline().findings).toEqual([
    { fingerprint: now, status: 'broken', space: 's1', page: 'p1', link: 'page p2' },
  ]);
});
