import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn, homeOfFile, type Tables } from './backup-home.js';

/** Titles and names that a file system could trip over. */

const titles = [
  '../..',
  'CON',
  'x'.repeat(300),
  '🚀🚀',
  'Read me',
  'READ ME',
  'a/b\\c:d*?',
  '.',
  'ends. ',
  '‮evil',
  'Caf\u00e9',
  'Cafe\u0301',
  'lpt1 ',
  'com\u00b9',
];

/** Gives the pages of a space such titles and slugs, its files such names, and three spaces one title. */
function hostile(tables: Tables): void {
  const welcome = tables.spaces?.find(({ title }) => title === 'Welcome');
  const pages = (tables.page_versions ?? []).filter(({ space_id }) => space_id === welcome?.id);
  for (const [at, page] of pages.entries()) {
    const title = titles[at % titles.length] ?? '';
    Object.assign(page, { title, slug: title });
  }
  const files = (tables.file_versions ?? []).filter(({ space_id }) => space_id === welcome?.id);
  for (const [at, file] of files.entries()) file.path = ['NUL', 'nul', '..', 'a\nb'][at % 4];
  const names = ['../../etc', 'Docs', 'DOCS', 'docs'];
  for (const [at, space] of (tables.spaces ?? []).filter(({ title }) => title !== 'Welcome').entries())
    space.title = names[at % names.length];
}

const home = homeOfFile({ change: hostile });

test('all of it is there, nothing is outside, and each run gives the same names', async () => {
  const around = readdirSync(home.path);
  expect(await home.backedUp()).toMatchObject({ status: 'whole', failed: [], spaces: 5, pages: 19 });
  expect(readdirSync(home.path).filter((name) => !around.includes(name))).toEqual(['b']);
  expect((await home.run(['backup', 'verify', 'b'])).code).toBe(0);

  const paths = [...filesIn(home.at('b')).keys()];
  const folders = new Set(paths.flatMap((path) => path.split('/')));
  for (const name of folders) {
    expect(name).not.toMatch(/[\0-\x1f<>:"\\|?*\u202e]|^\.|[. ]$|^(con|nul|(com|lpt)[1-9\u00b9]) *(\.|$)/i);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130);
  }
  // As Windows and macOS compare them: without case, and one form for each character.
  expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(paths.length);

  const welcome = ['b', 'spaces', 'Welcome'];
  const { files } = home.parsed<{ files: Record<'id' | 'kind' | 'path', string>[] }>(
    ...welcome,
    'manifest.json',
  );
  const pages = files.filter(({ kind }) => kind === 'page');
  for (const { id, path } of pages) expect(home.parsed(...welcome, path)).toMatchObject({ id });

  await home.ok(['backup', 'run', '--out', 'c', '--full', '--concurrency', '1']);
  expect([...filesIn(home.at('c')).keys()]).toEqual(paths);
  expect(await home.ok(['backup', 'diff', 'b', 'c', '--exit-code'])).toBe('');
});
