import { expect, test } from 'vitest';
import type { Client } from '../../src/api/client.js';
import { type ContentFile, type ContentPage, getContent } from '../../src/api/resources/content.js';
import type { BackupReader } from '../../src/backup/reader.js';
import { compareContent } from '../../src/restore/content.js';

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
async function compared(saved: Side, live: Side) {
  const { text = 'Same', ...content } = { files: [], pages: [], ...saved };
  const files = [
    { kind: 'content', path: 'content.json' },
    { kind: 'page-markdown', id: 'p', path: 'faq.md' },
  ];
  const reader = {
    space: async () => ({ files }),
    text: async (path: string) => (path.endsWith('.md') ? text : JSON.stringify(content)),
  } as unknown as BackupReader;
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
  expect(await compared({ files: [file('a')] }, { files: [live] })).toEqual({ pages: 0, files, newer: 0 });
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
  expect(await compared({ pages: [page('a')] }, { pages: [live], text })).toEqual({
    pages,
    files: 0,
    newer: 0,
  });
});
