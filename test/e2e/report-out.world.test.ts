import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** `--out` of a report: what is printed goes into a file, in the format of `-o` or of the extension. */

const { home } = await sandboxHome();
const at = (name: string): string => join(home.path, name);
const file = (name: string): string => readFileSync(at(name), 'utf8');
let space: string;

beforeAll(async () => {
  const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
  space = spaces.find(({ title }) => title === 'Welcome')?.id ?? '';
});

test.each([
  ['csv', ['-o', 'csv']],
  ['json', ['--json']],
  ['tsv', ['-o', 'tsv']],
  ['md', ['-o', 'markdown']],
])('.%s has what %j prints', async (extension, flags) => {
  const words = ['impact', 'delete', 'space', space];
  const printed = await home.run([...words, ...flags]);
  const ran = await home.run([...words, '--out', `impact.${extension}`]);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: printed.code, stdout: '' });
  expect(file(`impact.${extension}`)).toBe(printed.stdout);
  expect(ran.stderr).toMatch(new RegExp(`^Wrote impact\\.${extension} \\([\\d.]+ k?B\\)\\.$`, 'm'));
  expect(statSync(at(`impact.${extension}`)).mode & 0o777).toBe(0o600);
});

test.each([
  ['access matrix', ['access', 'matrix']],
  ['links check', ['links', 'check']],
  ['members review', ['members', 'review']],
  ['orgs map', ['orgs', 'map']],
])('%s writes its page by the extension, and by -o html', async (_, words) => {
  const byName = await home.run([...words, '--out', 'one.html']);
  const byFormat = await home.run([...words, '-o', 'html', '--out', 'two.html']);
  expect([byName.code, byFormat.code, byName.stdout]).toEqual([0, 0, '']);
  for (const name of ['one.html', 'two.html'])
    expect(file(name)).toMatch(/^<!doctype html><!-- docs report /);
});

test('docs plan, which asks the platform before it is loaded, writes its file and its page', async () => {
  await home.run(['pull', '--dir', 'org']);
  const words = ['plan', '--dir', 'org'];
  const ran = await home.run([...words, '--out', 'plan.md']);
  expect([ran.code, ran.stdout]).toEqual([0, '']);
  expect(file('plan.md')).toMatch(/^### Plan for Acme Docs\n/);
  const page = await home.run([...words, '-o', 'html', '--out', 'plan.html']);
  expect([page.code, page.stdout]).toEqual([0, '']);
  expect(file('plan.html')).toMatch(/^<!doctype html><!-- docs report /);
  const nowhere = await home.run([...words, '-o', 'html']);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('add --out page.html')]);
});

test('findings exit as they do, once the file is written', async () => {
  const ran = await home.run(['links', 'check', '--fail-on', 'broken', '--out', 'broken.csv']);
  expect(ran.code).toBe(17);
  expect(file('broken.csv').split('\n').length).toBeGreaterThan(1);
});

test('a page without a file, a form that it has not, and a file that is there are refused before anything is read', async () => {
  const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't', DOCS_ORG: 'o1' };
  writeFileSync(at('mine.csv'), 'mine');
  symlinkSync(at('mine.csv'), at('link.csv'));
  for (const [flags, says] of [
    [['-o', 'html'], 'add --out page.html'],
    [['--out', 'map.dot'], 'has no dot form'],
    [['--out', 'mine.csv'], 'Add --yes to overwrite it'],
    [['--out', '-'], 'path of a file'],
  ] as const) {
    const ran = await home.run(['access', 'matrix', ...flags], { env });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)]);
  }
  const nowhere = await home.run(['access', 'matrix', '--out', 'none/map.csv'], { env });
  expect([nowhere.code, nowhere.stderr]).toEqual([13, expect.stringContaining('cannot write none/map.csv')]);
  const through = await home.run(['access', 'matrix', '--out', 'link.csv', '--yes']);
  expect([through.code, through.stderr]).toEqual([13, expect.stringContaining('symbolic link')]);
  expect(file('mine.csv')).toBe('mine');
  expect((await home.run(['access', 'matrix', '--out', 'mine.csv', '--yes'])).code).toBe(0);
  expect(file('mine.csv')).toMatch(/^person/i);
});

test('nothing is written where reading fails', async () => {
  const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't', DOCS_ORG: 'o1' };
  const ran = await home.run(['access', 'matrix', '--out', 'none.csv', '--no-retry'], { env });
  expect(ran.code).toBe(11);
  expect(() => file('none.csv')).toThrow();
});
