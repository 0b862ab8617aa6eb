import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ContentPage } from '../../src/api/resources/content.js';
import { flatten } from '../sandbox/content/content-folder.js';
import { failure, failureOf, homeOfFile } from './backup-home.js';

/** `docs backup pack` and `docs backup search`, on a backup of the seed `tiny`. */

const home = homeOfFile({ backup: true, content: 'served' });
const at = (...names: string[]) => home.at(...names);
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Packed {
  title: string;
  status: string;
  path: string;
  bytes: number;
  sha256: string;
  pages: number;
  files: number;
  leftOut: { kind: string; title?: string; count?: number }[];
}
const packed = (...words: string[]) => home.json<Packed[]>(['backup', 'pack', 'b', ...words]);

// What an import makes of it: test/backup/pack.
test('a pack says what it has and what it leaves out', async () => {
  const [pack] = await packed('--space', 'welcome', '--out', 'served/welcome.zip');
  expect(pack).toMatchObject({ title: 'Welcome', status: 'packed', pages: 10, files: 2 });
  expect(pack?.leftOut.map(({ kind, title, count }) => [kind, title ?? count])).toEqual([
    ['cover', 'Reviews'],
    ['reusable-content', 'Support'],
    ['order', undefined],
    ['comments', 3],
    ['change-requests', 1],
  ]);
  expect(pack?.sha256).toBe(hashOf(at('served', 'welcome.zip')));
});

test('a pack into a change request of the same space keeps the ids of pages', async () => {
  await packed('--space', 'Welcome', '--out', 'served/again.zip');
  const words = ['--space', await home.space('Welcome')];
  const create = ['change-requests', 'create', '--subject', 'Restore', ...words];
  const { id } = await home.json<{ id: string }>(create);
  const url = 'https://packs.example/again.zip';
  await home.ok(['content', 'import', url, '--source', 'zip', ...words, '--change-request', id]);
  const ids = async (more: string[]) => {
    const list = ['content', 'pages', 'list', ...words, ...more];
    const { pages } = await home.json<{ pages: ContentPage[] }>(list);
    return flatten(pages).map((page) => page.id);
  };
  expect((await ids(['--change-request', id])).sort()).toEqual((await ids([])).sort());
});

test('a pack of every space goes into a folder, is the same each time, and is not overwritten', async () => {
  const dry = await home.run(['backup', 'pack', 'b', '--out', 'packs', '--dry-run', '--json']);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stderr).toContain('Dry run: nothing was written.');
  expect(() => readdirSync(at('packs'))).toThrow();
  const packs = await packed('--out', 'packs');
  expect(packs.map(({ path }) => path)).toEqual(
    ['API Reference', 'Board Notes', 'Engineering Handbook', 'Product Guide', 'Welcome'].map((name) =>
      at('packs', `${name}.zip`),
    ),
  );
  const pack = ['backup', 'pack', 'b', '--out', 'packs', '--json'];
  expect(failure(await home.run(pack))).toEqual([2, 'file_exists']);
  const replaced = await packed('--out', 'packs', '--yes');
  expect(replaced.map(({ sha256 }) => sha256)).toEqual(packs.map(({ sha256 }) => sha256));
});

test('the content of a change request is packed, with what the space has', async () => {
  const [pack] = await packed('--space', 'Welcome', '--change-request', '3', '--out', 'packs');
  expect(pack?.path).toBe(at('packs', 'Welcome change request 3.zip'));
  expect(pack).toMatchObject({ changeRequest: 3, pages: 10, files: 2 });
  const other = ['--space', 'Welcome', '--change-request', '9'];
  for (const [words, error] of [
    [other, [6, 'change_request_not_found']],
    [[], [2, 'several_spaces']],
  ] as const)
    expect(failure(await home.run(['backup', 'pack', 'b', ...words, '--out', 'x.zip', '--json']))).toEqual(
      error,
    );
});

test('a file that is missing in the backup leaves no archive behind', async () => {
  rmSync(at('b', 'spaces', 'Welcome', 'files', 'logo.png'));
  symlinkSync('/etc/passwd', at('b', 'spaces', 'Welcome', 'files', 'logo.png'));
  const ran = await home.run(['backup', 'pack', 'b', '--space', 'Welcome', '--out', 'holed.zip', '--json']);
  expect(failure(ran)).toEqual([13, 'missing_in_backup']);
  expect(readdirSync(home.path).filter((name) => /holed\.zip|\.tmp$/.test(name))).toEqual([]);
});

interface Hit {
  kind: string;
  title: string;
  space?: string;
  path: string;
  snippet?: string;
}
const found = async (...words: string[]) =>
  (await home.json<Hit[]>(['backup', 'search', 'b', ...words])).map(({ kind, title }) => [kind, title]);

test('a search finds what has all words, whatever their case and accents', async () => {
  expect(await found('EMIL', 'laurent')).toEqual(
    expect.arrayContaining([
      ['member', 'Émil Laurent'],
      ['comment', 'Émil Laurent'],
    ]),
  );
  expect(await found('single   sign-on', '--in', 'pages', '--space', 'Welcome')).toHaveLength(3);
  expect(await found('single sign-on', '--in', 'titles')).toEqual([
    ['change-request', 'Describe single sign-on, drop the FAQ'],
    ['page', 'Single sign-on'],
  ]);
  expect(await found('logo', '--in', 'files')).toEqual([['file', 'logo.png']]);
  expect(await found('public-api', '--in', 'specs')).toEqual([['spec', 'public-api']]);
  expect(await found('guides', '--in', 'sites')).toEqual(expect.arrayContaining([['section', 'Guides']]));
  expect(await found('security', '--in', 'fields')).toEqual([['custom-field', 'Topics']]);
  expect(await found('the', '--limit', '2')).toHaveLength(2);
  expect(await home.run(['backup', 'search', 'b', 'xyzzy', '--json'])).toMatchObject({
    code: 0,
    stdout: '[]\n',
  });
  const [hit] = await home.json<Hit[]>(['backup', 'search', 'b', 'takes ten']);
  expect(hit).toMatchObject({ kind: 'page', space: 'Welcome', path: 'spaces/Welcome/pages/welcome.md' });
  expect(hit?.snippet).toContain('takes ten minutes. - Moving');
});

test('a search names what is damaged or a link, searches the rest, and exits 3', async () => {
  const pages = at('b', 'spaces', 'Welcome', 'pages');
  writeFileSync(join(pages, 'faq.json'), '{"title": "FA');
  writeFileSync(join(pages, 'glossary.md'), 'An evil \u001b[2J\u202e word: quickstart.');
  rmSync(join(pages, 'welcome.md'));
  symlinkSync('/etc/passwd', join(pages, 'welcome.md'));
  writeFileSync(at('b', 'members.json'), '[\n{"id":\n]\n');
  writeFileSync(at('b', 'spaces', 'Board Notes', 'manifest.json'), '{}');
  const ran = await home.run(['backup', 'search', 'b', 'quickstart', '--json']);
  expect(ran.code).toBe(3);
  const hits = JSON.parse(ran.stdout) as Hit[];
  expect(hits.find(({ path }) => path === 'spaces/Welcome/pages/glossary.md')?.snippet).toBe(
    '…vil ␛[2J<U+202E> word: quickstart.',
  );
  const own = hits.filter(({ path }) => path.startsWith('spaces/Welcome/'));
  expect(own.map(({ title }) => title)).toEqual(['Quickstart', 'Getting started', 'Quickstart', 'Glossary']);
  const { code, details } = failureOf(ran.stderr);
  expect(code).toBe('not_all_searched');
  const unsearched = (details?.unsearched ?? []) as { path: string }[];
  expect(unsearched.map(({ path }) => path).sort()).toEqual([
    'members.json',
    'spaces/Board Notes/manifest.json',
    'spaces/Welcome/pages/faq.json',
    'spaces/Welcome/pages/welcome.md',
  ]);
  expect(ran.stdout + ran.stderr).not.toContain('root:');
});
