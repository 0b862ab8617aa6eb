import { expect, test } from 'vitest';
import { homeOfFile } from './backup-home.js';

/** Spaces in no collection and no site are found through administrators; what may be missing is said. */

const home = homeOfFile({ goesOn: true });
const titles = (text: string) => (JSON.parse(text) as { title: string }[]).map(({ title }) => title);

test('spaces list has all of them, and a title finds each', async () => {
  const ran = await home.run(['spaces', 'list', '--json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(titles(ran.stdout)).toHaveLength(5);
  expect(titles(ran.stdout)).toContain('Board Notes');
  const got = await home.json(['spaces', 'get', 'Board Notes', '--by-title']);
  expect(got).toMatchObject({ title: 'Board Notes' });
});

test('links check looks at all of them', async () => {
  const ran = await home.run(['links', 'check']);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Looked at 5 spaces with ') });
});

test.each([
  ['the administrators', /\/members\?/, 'this token cannot list the administrators.'],
  ['their spaces', /\/members\/[\w-]+\/spaces/, /this token cannot list the spaces of [^(]+ \([\w-]+\)/],
])('where the token may not list %s, spaces list says so and exits 0', async (_, match, words) => {
  home.refuse(match, 403);
  const ran = await home.run(['spaces', 'list', '--json']);
  expect(ran.code).toBe(0);
  expect(titles(ran.stdout)).toHaveLength(4);
  expect(ran.stderr).toMatch(words);
  expect(ran.stderr).toMatch(/^Spaces in no collection and no site may be missing: /);
});

test('where the platform fails, the list is not whole: spaces list fails', async () => {
  home.refuse(/\/members\?/, 500);
  const ran = await home.run(['spaces', 'list', '--json', '--no-retry']);
  expect(ran.code).not.toBe(0);
  expect(() => JSON.parse(ran.stdout)).toThrow();
});

test.each([
  ['the administrators', /\/members\?/, 'administrators', 4],
  ['the collections', /\/collections\?/, 'collections', 5],
  ['the sites', /\/sites\?/, 'sites', 5],
])('where %s cannot be listed, links check exits 3 and names them', async (_, match, kind, looked) => {
  home.refuse(match, 403);
  const ran = await home.run(['links', 'check', '--no-retry']);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(new RegExp(`^Not read: ${kind} `, 'm'));
  expect(ran.stderr).toContain(`Looked at ${looked} spaces`);
});

test('where nothing can be listed, links check fails as that request did', async () => {
  home.refuse(/\/(collections|sites|members)\b/, 403);
  expect((await home.run(['links', 'check', '--no-retry'])).code).toBe(5);
});

test('for a token that may see less: what it cannot see is named, and no permission is claimed', async () => {
  const site = await home.firstId('sites', 'list');
  await home.ok(['site-spaces', 'create', '--site', site, '--space-id', await home.space('Board Notes')]);
  const ran = await home.run(['spaces', 'list', '--json'], { env: { DOCS_TOKEN: home.tokens.read ?? '' } });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^This token cannot see the space of 1 site space: Board Notes \([\w-]+\)\.\n$/);
  const spaces = JSON.parse(ran.stdout) as { title: string; permissions?: object }[];
  expect(spaces.find(({ title }) => title === 'Board Notes')?.permissions).toBeUndefined();
});
