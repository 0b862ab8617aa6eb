import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentPage } from '../../src/api/resources/content.js';
import { Addresses, cleaned } from '../../src/backup/gathering.js';
import { fileNamesOf, namesOf, placePages } from '../../src/backup/names.js';
import { fileNameKey } from '../../src/base/write-file.js';
import { anyText } from '../any-text.js';

/** Names of folders and files: safe on every file system, distinct, and always the same. */

const named = (...titles: string[]) => [
  ...namesOf(titles.map((title, at) => ({ id: `id${at}`, title }))).values(),
];

test.each([
  ['Getting started', 'Getting started'],
  ['../..', 'id0'],
  ['..', 'id0'],
  ['', 'id0'],
  ['   ', 'id0'],
  ['CON', '_CON'],
  ['con.txt', 'con-txt'],
  ['a/b\\c', 'a-b-c'],
  ['v1.2.', 'v1-2-'],
  ['.hidden', 'hidden'],
  ['_deep', 'deep'],
  ['?Deep', 'Deep'],
  ['what? <b>"x"|*', 'what_ _b__x___'],
  ['🚀 Launch', '🚀 Launch'],
  ['tab\tand\u202e', 'tab_and_'],
  ['x'.repeat(300), 'x'.repeat(60)],
  ['é'.repeat(300), 'é'.repeat(30)],
])('%j becomes %j', (title, name) => {
  expect(named(title)).toEqual([name]);
});

test('where several have one name, the lowest id has it, whatever their order', () => {
  const pages = ['Notes', 'notes', 'NOTES', 'Notes~id1'].map((title, at) => ({ id: `id${at}`, title }));
  const names = { id0: 'Notes', id1: 'notes~id1 (2)', id2: 'NOTES~id2', id3: 'Notes~id1' };
  expect(Object.fromEntries(namesOf(pages))).toEqual(names);
  expect(Object.fromEntries(namesOf(pages.toReversed()))).toEqual(names);
});

test('files keep their endings', () => {
  const files = [
    { id: 'f2', title: 'logo.png' },
    { id: 'f1', title: 'LOGO.png' },
    { id: 'f3', title: '../../etc/passwd' },
    { id: 'f4', title: 'nul' },
  ];
  expect(Object.fromEntries(fileNamesOf(files))).toEqual({
    ...{ f1: 'LOGO.png', f2: 'logo~f2.png', f3: '-..-etc-passwd'.replace(/^[-.]+/, ''), f4: '_nul' },
  });
});

const titles = fc.array(fc.oneof(anyText(), fc.constantFrom('a', 'A', '..', 'CON', 'é', 'é')));

test('any titles: one safe name each, no two alike to any file system', () => {
  fc.assert(
    fc.property(titles, (all) => {
      for (const namesFor of [namesOf, fileNamesOf]) {
        const names = [...namesFor(all.map((title, at) => ({ id: `id${at}`, title }))).values()];
        expect(names).toHaveLength(all.length);
        expect(new Set(names.map(fileNameKey)).size).toBe(all.length);
        for (const name of names) {
          expect(name).not.toMatch(/[\0-\x1f<>:"/\\|?*]|^\.|[. ]$/);
          expect(Buffer.byteLength(name)).toBeGreaterThan(0);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(125);
        }
      }
    }),
  );
});

describe('pages', () => {
  const page = (id: string, slug: string, pages: ContentPage[] = []): ContentPage => ({
    ...{ id, title: slug, slug, type: 'document', pages },
  });

  test('stand in folders that follow the tree, parents first', () => {
    const tree = [page('1', 'guides', [page('2', 'install'), page('3', 'Install')]), page('4', 'faq')];
    expect(placePages(tree).map(({ page: { id }, path }) => `${id} ${path}`)).toEqual([
      ...['1 guides', '2 guides/install', '3 guides/Install~3', '4 faq'],
    ]);
  });

  test('too deep for some systems are kept side by side', () => {
    let below: ContentPage[] = [];
    for (let level = 30; level > 0; level--)
      below = [page(`p${level}`, `level-${level}-${'x'.repeat(40)}`, below)];
    const placed = placePages(below);
    expect(placed).toHaveLength(30);
    expect(Math.max(...placed.map(({ path }) => path.length))).toBeLessThanOrEqual(160);
    expect(placed.at(-1)?.path).toBe('_deep/p30');
  });
});

/** What is left out of a backup, and what stays. */

test('secrets, rights of the reader and addresses of downloads are left out', () => {
  const resource = {
    id: 's1',
    sourceURL: 'https://me:secret@acme.example/spec.json?token=abc&page=2',
    shareKey: 'k1',
    nested: [{ apiToken: 'abc', downloadURL: 'https://files.example/x?token=1', size: 3 }],
    permissions: { view: true },
    certificate: 'public',
  };
  expect(cleaned(resource)).toEqual({
    id: 's1',
    sourceURL: 'https://[redacted]@acme.example/spec.json?token=[redacted]&page=2',
    shareKey: '[left out]',
    nested: [{ apiToken: '[left out]', size: 3 }],
    certificate: 'public',
  });
});

test('what people wrote stays as it is', () => {
  const page = {
    markdown: 'GET https://api.example/?token=abc',
    body: { markdown: 'password: x' },
    jsonSchema: { properties: { session: { type: 'boolean' } } },
    filesystem: { 'api.json': { components: { securitySchemes: { apiKey: {} } } } },
  };
  expect(cleaned(page)).toEqual(page);
});

test('a page links to the file in the backup, whatever signature the address has', () => {
  const addresses = new Addresses();
  addresses.add('https://files.example/f1/logo.png?token=now', 'files/my logo.png');
  const text = [
    '![](https://files.example/f1/logo.png?token=earlier)',
    'https://files.example/other.png?token=abc&v=1',
    'https://elsewhere.example/?token=abc',
  ].join('\n');
  expect(addresses.replaced(text, '../')).toBe(
    [
      '![](../files/my%20logo.png)',
      'https://files.example/other.png?token=[redacted]&v=1',
      'https://elsewhere.example/?token=abc',
    ].join('\n'),
  );
});
