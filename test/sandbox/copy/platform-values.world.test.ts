import { expect, test } from 'vitest';
import { type ContentPage, getContent, getPage } from '../../../src/api/resources/content.js';
import type { Space } from '../../../src/api/resources/spaces.js';
import { type CopiedContent, putContent } from '../../../src/sandbox/copy/content.js';
import { putSpace } from '../../../src/sandbox/copy/spaces.js';
import { findDefaults } from '../../../src/sandbox/server/tokens.js';
import { openStore } from '../../../src/sandbox/store/store.js';
import { openSandbox } from '../client.js';

/** Values of a platform that the sandbox would never make are answered as they were told. */

const time = '2026-01-01T00:00:00.000Z';
const spaceId = 'foreign';
const url = 'https://files.real.example/spaces/foreign/x%20y.png?alt=media&token=abc';
const document = { object: 'document', nodes: [{ object: 'block', type: 'holo', data: { src: url } }] };
const page = {
  ...{
    id: 'p1',
    title: 'Title',
    slug: 'odd-slug',
    path: 'elsewhere/odd-slug',
    type: 'document',
    kind: 'sheet',
  },
  ...{ createdAt: time, updatedAt: time, documentId: 'doc-of-the-platform', pages: [] },
  git: { oid: '0123456789abcdef0123456789abcdef01234567', path: 'docs/Title.md' },
  urls: { app: 'https://app.real.example/o/1/s/foreign/elsewhere' },
} as unknown as ContentPage;
const file = {
  ...{ id: 'f1', name: 'x y.png', contentType: 'image/png', size: 3, downloadURL: url },
  git: { oid: 'fedcba9876543210fedcba9876543210fedcba98', path: 'assets/x y.png' },
};
const markdown = `# Another heading\n\n![x](${url})  \r\nand <img src="${url}">\n`;
const content = {
  revision: {
    object: 'revision',
    type: 'edits',
    id: 'r1',
    parents: [],
    createdAt: time,
    pages: [page],
    files: [file],
    urls: {},
  },
  texts: new Map([['p1', { markdown, document }]]),
  bytes: new Map([['f1', Buffer.from('png')]]),
} as unknown as CopiedContent;

test('ids of documents, places in Git, addresses, texts and documents to their last character', async () => {
  const sandbox = await openSandbox();
  const { db } = await openStore(sandbox.file, sandbox.outside.io);
  try {
    const space = {
      ...{ object: 'space', id: spaceId, title: 'Foreign', emoji: '', visibility: 'in-collection' },
      ...{
        organization: findDefaults(db).org,
        createdAt: time,
        updatedAt: time,
        revision: 'r1',
        editMode: 'live',
      },
      ...{
        defaultLevel: 'inherit',
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0,
      },
      urls: {},
    } as unknown as Space;
    db.write(() => {
      putSpace(db, space);
      putContent(db, spaceId, content);
    });
    const shown = await sandbox.admin.ok(getContent, { path: { spaceId } });
    const { documentId, git, path, urls } = page;
    expect(shown.pages[0]).toMatchObject({ documentId, git, path, urls });
    const { downloadURL = '', ...own } = shown.files[0] ?? {};
    expect(own).toMatchObject({ id: 'f1', name: 'x y.png', size: 3, git: file.git });
    const told = { spaceId, pageId: 'p1' };
    const ask = (format: 'markdown' | 'document') =>
      sandbox.admin.ok(getPage, { path: told, query: { format } });
    // A file is at an address of the copy, wherever a text has it.
    const bare = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/files\/[^"')\s]+/g, 'FILE');
    expect(bare((await ask('markdown')).markdown ?? '')).toBe(markdown.replaceAll(url, 'FILE'));
    const structured = JSON.stringify((await ask('document')).document);
    expect(bare(structured)).toBe(JSON.stringify(document).replaceAll(url, 'FILE'));
    expect(await (await fetch(downloadURL)).text()).toBe('png');
  } finally {
    db.close();
    await sandbox.close();
  }
});
