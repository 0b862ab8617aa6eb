import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importContent, listFiles } from '../../../src/api/resources/content.js';
import { listSpaceLinks } from '../../../src/api/resources/spaces.js';
import { logoPng } from '../../../src/sandbox/content/logo.js';
import { type ContentPlatform, openContentPlatform, pageAt } from '../content/content-folder.js';
import { bold, docxOf, link, paragraph, picture, table } from '../content/docx.js';
import { zipOf } from '../content/zip.js';

/** Word documents. */

let sandbox: ContentPlatform;
beforeAll(async () => {
  sandbox = await openContentPlatform();
});
afterAll(() => sandbox.close());

const path = () => ({ spaceId: sandbox.spaceId });
const imported = (name: string, bytes: Uint8Array) =>
  sandbox.admin.ok(importContent, { path: path(), body: { url: sandbox.put(name, bytes), source: 'docx' } });
const refused = (name: string, bytes: Uint8Array) =>
  sandbox.admin.refused(importContent, {
    path: path(),
    body: { url: sandbox.put(name, bytes), source: 'docx' },
  });

describe('an import of a Word document', () => {
  test('makes a page of its text, tables and links, and files of its images', async () => {
    const body = [
      paragraph('Règlement intérieur', 'Title'),
      paragraph(`<w:r><w:t xml:space="preserve">Слово и </w:t></w:r>${bold('λέξη')}`),
      paragraph('Rules', 'H2'),
      paragraph(link('the handbook')),
      paragraph(picture('A logo')),
      table(['Who', 'May'], ['editors', 'edit']),
    ].join('');
    const result = await imported('rules.docx', docxOf(body, logoPng()));
    expect(result).toMatchObject({ importedResources: 2, totalResources: 2 });
    expect(await pageAt(sandbox, 'reglement-interieur')).toMatchObject({
      title: 'Règlement intérieur',
      markdown: [
        '# Règlement intérieur',
        'Слово и **λέξη**',
        '## Rules',
        '[the handbook](https://docs.example/a)',
        '![A logo](images/rules-1.png)',
        '| Who | May |\n| - | - |\n| editors | edit |',
      ].join('\n\n'),
    });
    const { items } = await sandbox.admin.ok(listFiles, { path: path() });
    const file = items.find(({ name }) => name === 'rules-1.png');
    expect(file).toMatchObject({ contentType: 'image/png', dimensions: { width: 32, height: 32 } });
    const bytes = Buffer.from(await (await sandbox.download(file?.downloadURL ?? '')).arrayBuffer());
    expect(bytes.equals(logoPng())).toBe(true);
    const broken = await sandbox.admin.all(listSpaceLinks, { path: path(), query: { status: 'broken' } });
    const targets = broken.map(({ targetReference }) => JSON.stringify(targetReference));
    expect(targets.filter((target) => target?.includes('rules-1'))).toEqual([]);
  });

  test('without a title takes the name of the file; again replaces page and images', async () => {
    const body = paragraph('Text.') + paragraph(picture('x'));
    await imported('plain notes.docx', docxOf(body, logoPng()));
    const { count } = await sandbox.admin.ok(listFiles, { path: path() });
    await imported('plain notes.docx', docxOf(body.replace('Text.', 'New text.'), logoPng()));
    expect(await pageAt(sandbox, 'plain-notes')).toMatchObject({
      title: 'plain notes',
      markdown: '# plain notes\n\nNew text.\n\n![x](images/plain-notes-1.png)',
    });
    expect((await sandbox.admin.ok(listFiles, { path: path() })).count).toBe(count);
  });

  test.each([
    ['text', Buffer.from('x'), 'Cannot import the archive: it is not a ZIP archive.'],
    [
      'an archive',
      zipOf([{ name: 'a.txt', text: 'x' }]),
      'Cannot import the document: it is not a Word document.',
    ],
    ['broken XML', docxOf('<w:p>', logoPng()), /^Cannot import the document: /],
    [
      'an archive bomb',
      docxOf('', logoPng(), [{ name: '.hidden', bytes: Buffer.alloc(11 * 1024 * 1024) }]),
      'Cannot import the archive: ".hidden" is too large; the limits are 10 MB per file and 50 MB in total.',
    ],
  ])('is refused for %s', async (_, bytes, message) => {
    const answer = await refused('wrong.docx', bytes);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(message);
  });
});
