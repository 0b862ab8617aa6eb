import { expect, test } from 'vitest';
import type { Client } from '../../src/api/client.js';
import { type ContentFile, type ContentPage, getContent } from '../../src/api/resources/content.js';
import { inOnePiece } from '../../src/backup/folder.js';
import type { FileEntry } from '../../src/backup/manifest.js';
import { type BackupReader, StoredFiles } from '../../src/backup/reader.js';
import type { AccessCompared } from '../../src/restore/access.js';
import { checkImportBase, compareContent } from '../../src/restore/content.js';
import { type Facts, lackNotes, restoring } from '../../src/restore/lacks.js';

/** What of a space a restore finds missing: by content, since a file can change and keep its size. */

const entry = { id: 's1', title: 'Welcome', folder: 'Welcome', state: 'whole' } as const;
const file = (oid: string, more = {}) =>
  ({
    id: 'f',
    name: 'logo.png',
    size: 4,
    git: { oid },
    downloadURL: 'https://f.example',
    ...more,
  }) as ContentFile;
const page = (oid: string, more = {}) =>
  ({
    id: 'p',
    title: 'FAQ',
    path: 'faq',
    type: 'document',
    git: { oid, path: 'faq.md' },
    pages: [],
    ...more,
  }) as ContentPage;

interface Side {
  files?: ContentFile[];
  pages?: ContentPage[];
  text?: string;
}

/** Compares a backup with a platform. */
async function compareSides(saved: Side, live: Side) {
  const { text = 'Same', ...content } = { files: [], pages: [], ...saved };
  const files = [
    { kind: 'content', path: 'content.json' },
    { kind: 'page-markdown', id: 'p', path: 'faq.md' },
  ];
  const read = async (path: string) =>
    inOnePiece(Buffer.from(path.endsWith('.md') ? text : JSON.stringify(content)));
  const stored = new StoredFiles({ root: 'b', read, text: async () => undefined }, '', files as FileEntry[]);
  const reader = { filesOf: async () => stored } as unknown as BackupReader;
  const call = async (op: unknown) =>
    op === getContent ? { files: [], pages: [], ...live } : { markdown: live.text ?? 'Same' };
  const {
    pages,
    files: missing,
    newer,
  } = await compareContent({ call } as unknown as Client, reader, entry, 's1');
  return { pages, files: missing, newer };
}

test.each([
  ['the same', file('a'), 0],
  ['of the same size, with other content', file('b'), 1],
  ['of another size', file('a', { size: 5 }), 1],
])('a file that is %s', async (_, live, files) => {
  expect(await compareSides({ files: [file('a')] }, { files: [live] })).toEqual({
    pages: 0,
    files,
    newer: 0,
  });
});

test.each([
  ['of the same hash', page('a'), 'Same', 0],
  ['of another hash and the same text, as after an import', page('b'), 'Same', 0],
  ['of another text in the same length', page('b'), 'same', 1],
  ['of another title', page('a', { title: 'Help' }), 'Same', 1],
  ['hidden now', page('a', { hidden: true }), 'Same', 1],
  ['hidden from search engines now', page('a', { noRobotsIndex: true }), 'Same', 1],
  ['said not to be hidden', page('a', { hidden: false }), 'Same', 0],
])('a page that is %s', async (_, live, text, pages) => {
  expect(await compareSides({ pages: [page('a')] }, { pages: [live], text })).toEqual({
    pages,
    files: 0,
    newer: 0,
  });
});

/** What the platform fetches from: never an address that holds a secret, nor one that only this machine reaches. */

const platform = 'https://api.example.com';

test.each([
  'https://user:secret@files.example.com/packs',
  'https://files.example.com/packs?signature=secret',
  'https://files.example.com/packs#secret',
  'ftp://files.example.com',
  'not a url',
  'http://127.0.0.1:8080',
  'http://localhost/packs',
  'http://10.1.2.3/packs',
  'http://[::1]/packs',
  'http://2130706433/packs',
  'http://nas.local/packs',
  'http://intranet/packs',
])('%s is refused, without its secret in the message', (typed) => {
  let message = '';
  try {
    checkImportBase(typed, platform);
  } catch (cause) {
    message = String(cause);
  }
  expect(message).toContain('--import-base');
  expect(message).not.toContain('secret');
});

test('a public address is taken', () => {
  expect(() => checkImportBase('https://files.example.com/packs', platform)).not.toThrow();
});

/** What a restore tells of permissions, which it cannot set. */

const compared = { state: 'compared', members: 9, spaces: 2, changes: 0, unread: 0 } as const;
const told = (access: AccessCompared | undefined) =>
  (restoring.access?.cannot ?? []).map(({ count, more }) => {
    const facts = { access } as Facts;
    return [typeof count === 'function' ? count(facts) : count, more?.(facts)];
  });

test('names who has other permissions now, and in which space', () => {
  const guide = { title: 'Guide', lost: 2, gained: 1, changed: 1, people: ['Ada', 'Bob', 'Cy'] };
  expect(told({ ...compared, changes: 4, differing: [guide], unread: 1 })).toEqual([
    [
      4,
      [
        'Different now:',
        'Guide: 2 lost access, 1 gained access, 1 with another role (Ada, Bob, Cy, 1 more).',
        'The access of 1 member could not be read.',
      ],
    ],
  ]);
  expect(told({ ...compared, differing: [] })).toEqual([[0, []]]);
});

test('names five spaces, and counts the others', () => {
  const differing = [1, 2, 3, 4, 5, 6].map((at) => ({
    ...{ title: `S${at}`, lost: 1, gained: 0, changed: 0, people: ['Ada'] },
  }));
  const [, more] = told({ ...compared, changes: 6, differing })[0] ?? [];
  expect(more).toHaveLength(7);
  expect(more).toEqual(expect.arrayContaining(['S5: 1 lost access (Ada).', '1 more space differs.']));
});

test('says nothing where it could not compare them', () => {
  for (const access of [undefined, { state: 'unknown', why: 'it failed' } as const])
    expect(told(access)).toEqual([[undefined, []]]);
});

test('an adaptive schema that was set since differs from the backup, and stays', () => {
  const of = (schema: unknown) => ({
    items: new Map([['sites', [{ id: 'w1', title: 'Docs', fields: { schema }, resource: {} }]]]),
  });
  const asked = { parts: new Set(['sites']), kinds: new Set(['adaptive-schema']), counts: {} };
  const options = { ...asked, saved: of(null), live: of({ type: 'object' }) };
  expect(lackNotes(options as unknown as Parameters<typeof lackNotes>[0]).differing).toMatchObject([
    { item: 'adaptive schemas set since', count: 1 },
  ]);
});
