import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { importMarkdown, openContentPlatform, pageAt, pagePaths } from '../content/content-folder.js';
import { zipOf } from '../content/zip.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openContentPlatform);
const path = { spaceId: seedId('space welcome') };

const imported = (name: string, content: string | Uint8Array, source: string) =>
  sandbox.admin.ok(ops.importContent, { path, body: { url: sandbox.put(name, content), source } });
const refused = (body: { url: string; source: string }) =>
  sandbox.admin.refused(ops.importContent, { path, body });

describe('an import of Markdown', () => {
  test('makes a new revision of the space with one more page', async () => {
    const before = await sandbox.admin.ok(ops.getSpace, { path });
    sandbox.outside.ms += 60_000;
    const result = await imported('setup.md', '# Set up *now*\n\nDo it.', 'markdown');
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    expect(result).toEqual({ revision: space.revision, importedResources: 1, totalResources: 1 });
    expect(space.revision).not.toBe(before.revision);
    expect(Date.parse(space.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const revision = await sandbox.admin.ok(ops.getContent, { path });
    expect(revision).toMatchObject({ id: result.revision, parents: [before.revision] });
    expect(await pageAt(sandbox, 'set-up-now')).toMatchObject({
      ...{ title: 'Set up now', markdown: '# Set up now\n\nDo it.', pages: [] },
      createdAt: '2026-01-05T09:01:00.000Z',
    });
  });

  test('reads the front matter', async () => {
    const text = `---\r\ntitle: "Set: up"\r\nslug: start\r\ndescription: How\r\nemoji: 🚀\r\nhidden: true\r\nlayout:\r\n  outline:\r\n    visible: false\r\n  title: true\r\n---\r\n# Other\r\n\r\nText.`;
    await imported('a.md', text, 'markdown');
    expect(await pageAt(sandbox, 'start')).toMatchObject({
      ...{ title: 'Set: up', description: 'How', emoji: '🚀', hidden: true },
      ...{ layout: { outline: false, title: true }, markdown: '# Set: up\n\n# Other\n\nText.' },
    });
  });

  test('names a page without a heading for its file', async () => {
    await imported('release notes.md', 'Just text.\n\n# Late heading', 'markdown');
    expect(await pageAt(sandbox, 'release-notes')).toMatchObject({ title: 'release notes' });
  });

  test('replaces an existing page, which keeps its id and the properties that the import lacks', async () => {
    const before = await pageAt(sandbox, 'faq');
    sandbox.outside.ms += 60_000;
    await imported('faq.md', '---\nemoji: ❓\n---\n# FAQ\n\nNothing is asked.', 'markdown');
    const after = await pageAt(sandbox, 'faq');
    expect(after).toMatchObject({
      ...{ id: before.id, hidden: true, emoji: '❓', markdown: '# FAQ\n\nNothing is asked.' },
      ...{ createdAt: before.createdAt, updatedAt: '2026-01-05T09:01:00.000Z' },
    });
    expect(after.documentId).not.toBe(before.documentId);
  });

  test('of unchanged content leaves the page unchanged', async () => {
    const { markdown = '' } = await pageAt(sandbox, 'getting-started');
    const before = await pageAt(sandbox, 'getting-started');
    sandbox.outside.ms += 60_000;
    await imported('same.md', markdown, 'markdown');
    expect(await pageAt(sandbox, 'getting-started')).toEqual(before);
  });

  test('refuses bytes that are not UTF-8, and front matter that is not YAML', async () => {
    const bytes = { url: sandbox.put('latin.md', Buffer.from([0x23, 0x20, 0xe9])), source: 'markdown' };
    expect((await refused(bytes)).message).toMatch(/is not text in UTF-8/);
    const yaml = { url: sandbox.put('bad.md', '---\na: [\n---\nx'), source: 'markdown' };
    expect((await refused(yaml)).message).toBe('the front matter is not valid YAML');
  });
});

describe('an import of HTML', () => {
  test.each(['html', 'website'])('as %s makes a page of Markdown with absolute links', async (source) => {
    const html = '<title>x</title><h1>Guide</h1><p>See <a href="next.html">next</a>.</p>';
    expect(await imported('guide.html', html, source)).toMatchObject({ importedResources: 1 });
    expect(await pageAt(sandbox, 'guide')).toMatchObject({
      markdown: '# Guide\n\nSee [next](https://source.example/next.html).',
    });
  });
});

describe('an import of an archive', () => {
  test('makes pages of folders, files of images, and reusable contents', async () => {
    const png = await (async () => {
      const { items } = await sandbox.admin.ok(ops.listFiles, { path });
      return Buffer.from(await (await sandbox.download(items[1]?.downloadURL ?? '')).arrayBuffer());
    })();
    const archive = zipOf([
      { name: 'manual/README.md', text: '# The manual\n\n![Map](assets/map.png)' },
      { name: 'manual/zebra.md', text: '# Z\n\n[First](chapter-one/first.md)' },
      { name: 'manual/chapter-one/README.md', text: '# Chapter one' },
      { name: 'manual/chapter-one/second.html', text: '<h1>Second</h1>' },
      { name: 'manual/chapter-one/first.md', text: '# First\n\n[Gone](gone.md) ![Map](../assets/map.png)' },
      { name: 'manual/no-readme/page.md', text: 'Text.' },
      { name: 'manual/assets/map.png', bytes: png },
      { name: 'manual/_includes/footer.md', text: '# Footer\n\nThe end.' },
    ]);
    const before = await pagePaths(sandbox);
    expect(await imported('manual.zip', archive, 'zip')).toMatchObject({
      importedResources: 8,
      totalResources: 8,
    });
    expect((await pagePaths(sandbox)).slice(before.length)).toEqual([
      ...[
        'readme',
        'chapter-one',
        'chapter-one/first',
        'chapter-one/second',
        'no-readme',
        'no-readme/page',
        'zebra',
      ],
    ]);
    expect(await pageAt(sandbox, 'no-readme')).toMatchObject({ title: 'No readme' });
    expect(await pageAt(sandbox, 'no-readme/page')).toMatchObject({
      title: 'Page',
      markdown: '# Page\n\nText.',
    });
    const { files, reusableContents } = await sandbox.admin.ok(ops.getContent, { path });
    const map = files.find(({ name }) => name === 'map.png');
    expect(map).toMatchObject({ dimensions: { width: 32, height: 32 }, git: { path: 'assets/map.png' } });
    expect(
      Buffer.from(await (await sandbox.download(map?.downloadURL ?? '')).arrayBuffer()).equals(png),
    ).toBe(true);
    expect(reusableContents?.map(({ title }) => title)).toEqual(['Support', 'Footer']);
  });

  test('again replaces what has changed and keeps every id', async () => {
    const archive = (text: string) =>
      zipOf([
        { name: 'guides.md', text: '# Guides\n\nNew words.' },
        { name: 'guides/publishing.md', text },
        { name: 'notes.txt', text },
      ]);
    const before = await pagePaths(sandbox);
    const publishing = await pageAt(sandbox, 'guides/publishing');
    await imported('a.zip', archive('# Publishing\n\nOne.'), 'zip');
    const first = await sandbox.admin.ok(ops.getContent, { path });
    await imported('a.zip', archive('# Publishing\n\nTwo.'), 'zip');
    const second = await sandbox.admin.ok(ops.getContent, { path });
    expect(await pagePaths(sandbox)).toEqual(before);
    expect(await pageAt(sandbox, 'guides/publishing')).toMatchObject({
      ...{ id: publishing.id, markdown: '# Publishing\n\nTwo.' },
    });
    expect(second.files.map(({ id }) => id)).toEqual(first.files.map(({ id }) => id));
    expect(second.files.at(-1)?.downloadURL).not.toBe(first.files.at(-1)?.downloadURL);
    expect((await sandbox.download(first.files.at(-1)?.downloadURL ?? '')).status).toBe(200);
  });

  test('changes nothing if a path leads outside, or the file is a ZIP bomb or not an archive', async () => {
    const before = await sandbox.admin.ok(ops.getSpace, { path });
    const slip = zipOf([
      { name: 'ok.md', text: '# Ok' },
      { name: '../../evil.md', text: 'x' },
    ]);
    const bomb = zipOf([{ name: 'bomb.txt', bytes: Buffer.alloc(20 * 1024 * 1024), told: { size: 5 } }]);
    const messages = [slip, bomb, Buffer.from('PK no archive')].map(async (archive, index) => {
      const answer = await refused({ url: sandbox.put(`${index}.zip`, archive), source: 'zip' });
      expect(answer.status).toBe(400);
      return answer.message;
    });
    expect(await Promise.all(messages)).toEqual([
      'cannot import the archive: the path "../../evil.md" points outside it',
      'cannot import the archive: "bomb.txt" is too large; the limits are 10 MB per file and 50 MB in total',
      'cannot import the archive: it is not a ZIP archive',
    ]);
    expect(await sandbox.admin.ok(ops.getSpace, { path })).toEqual(before);
  });
});

describe('an import is refused', () => {
  test('for a source the sandbox cannot read, and for an unknown one', async () => {
    const url = sandbox.put('a.docx', 'x');
    for (const source of ['docx', 'confluence', 'github-wiki', 'notion', 'google-docs']) {
      expect(await refused({ url, source })).toEqual({
        ...{
          status: 400,
          message: `unsupported import source "${source}"; the sandbox supports website, markdown, html, zip`,
        },
      });
    }
    expect(await refused({ url, source: 'fax' })).toMatchObject({ status: 400 });
    expect(await refused({ url: 'not a url', source: 'html' })).toMatchObject({ status: 400 });
    expect(await refused({ url: 'file:///etc/passwd', source: 'markdown' })).toMatchObject({ status: 400 });
  });

  test('without the level edit, before anything is read', async () => {
    const body = { url: 'https://a.example/none.md', source: 'markdown' };
    await sandbox.as('comment').refuses(403, ops.importContent, { path, body });
    expect(await sandbox.as('other-org').refused(ops.importContent, { path, body })).toMatchObject({
      status: 404,
    });
    await importMarkdown(sandbox, '# By an editor', { as: sandbox.as('edit') });
    expect(await pagePaths(sandbox)).toContain('by-an-editor');
  });

  test('into a locked space, but not into a change request of it', async () => {
    await sandbox.admin.ok(ops.updateSpace, { path, body: { editMode: 'locked' } });
    const body = { url: sandbox.put('a.md', '# A'), source: 'markdown' };
    await sandbox.admin.refuses(409, ops.importContent, { path, body });
    const request = await sandbox.admin.ok(ops.createChangeRequest, { path, body: {} });
    await importMarkdown(sandbox, '# A', { changeRequestId: request.id });
    expect(await pagePaths(sandbox, request.id)).toContain('a');
    await sandbox.admin.ok(ops.updateSpace, { path, body: { editMode: 'live' } });
    await sandbox.admin.ok(ops.importContent, { path, body });
  });

  test('into a change request that is archived or merged', async () => {
    const request = await sandbox.admin.ok(ops.createChangeRequest, { path, body: {} });
    const its = { ...path, changeRequestId: request.id };
    await sandbox.admin.ok(ops.updateChangeRequest, { path: its, body: { status: 'archived' } });
    const body = { url: sandbox.put('a.md', '# A'), source: 'markdown' };
    await sandbox.admin.refuses(409, ops.importChangeRequestContent, { path: its, body });
    const merged = { ...path, changeRequestId: '1' };
    await sandbox.admin.refuses(409, ops.importChangeRequestContent, { path: merged, body });
  });
});

describe('an import into a change request', () => {
  test('creates a revision of it and leaves the space unchanged', async () => {
    const request = await sandbox.admin.ok(ops.createChangeRequest, { path, body: {} });
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    const result = await importMarkdown(sandbox, '# New page', { changeRequestId: String(request.number) });
    const after = await sandbox.admin.ok(ops.getChangeRequest, {
      path: { ...path, changeRequestId: request.id },
    });
    expect(after).toMatchObject({
      revision: result.revision,
      revisionInitial: space.revision,
      outdated: false,
    });
    expect(await sandbox.admin.ok(ops.getSpace, { path })).toEqual({ ...space });
    expect(await pagePaths(sandbox, request.id)).toEqual([...(await pagePaths(sandbox)), 'new-page']);
  });
});
