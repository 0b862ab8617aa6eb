import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContentPlatform,
  flatten,
  importMarkdown,
  openContentPlatform,
  pageAt,
  pagePaths,
} from '../content/content-folder.js';
import * as ops from '../operations.js';

let sandbox: ContentPlatform;
beforeAll(async () => {
  sandbox = await openContentPlatform();
});
afterAll(() => sandbox.close());

const samplePaths = [
  'welcome',
  'getting-started',
  'getting-started/quickstart',
  'getting-started/invite-your-team',
  'guides',
  'guides/reviews',
  'guides/reviews/conflicts',
  'guides/publishing',
  'faq',
  'glossary',
];

describe('a revision', () => {
  test("is the space's current one, with pages, files and reusable contents", async () => {
    const path = { spaceId: sandbox.spaceId };
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    const revision = await sandbox.admin.ok(ops.getContent, { path });
    expect(revision.id).toBe(space.revision);
    expect(revision.parents).toHaveLength(2);
    expect(flatten(revision.pages).map((page) => page.path)).toEqual(samplePaths);
    expect(revision.files.map(({ name }) => name)).toEqual(['logo.png', 'checklist.txt']);
    expect(revision.reusableContents?.map(({ title }) => title)).toEqual(['Support']);
    expect(revision.git).toMatchObject({ message: 'Merge change request 1', ref: 'main' });
  });

  test('omits the Git metadata on request, everywhere', async () => {
    const path = { spaceId: sandbox.spaceId };
    const query = { metadata: false };
    const revision = await sandbox.admin.ok(ops.getContent, { path, query });
    const { pages } = await sandbox.admin.ok(ops.listPages, { path, query });
    const files = await sandbox.admin.ok(ops.listFiles, { path, query });
    const [first] = files.items;
    const file = await sandbox.admin.ok(ops.getFile, { path: { ...path, fileId: first?.id ?? '' }, query });
    const page = await sandbox.admin.ok(ops.getPage, {
      path: { ...path, pageId: pages[0]?.id ?? '' },
      query,
    });
    expect(JSON.stringify([revision, pages, files, file, page])).not.toContain('"git"');
    expect(JSON.stringify(await sandbox.admin.ok(ops.getContent, { path }))).toContain('"git":{"oid"');
  });

  test('is empty in a space that never had content', async () => {
    const organizationId = sandbox.defaults.org;
    const site = await sandbox.admin.ok(ops.createSite, {
      path: { organizationId },
      body: { spaces: 'empty' },
    });
    const spaces = await sandbox.admin.ok(ops.listSiteSpaces, { path: { organizationId, siteId: site.id } });
    const { id = '', revision } = spaces.items[0]?.space ?? {};
    const content = await sandbox.admin.ok(ops.getContent, { path: { spaceId: id } });
    expect(content).toMatchObject({ id: revision, parents: [], pages: [], files: [], reusableContents: [] });
    await importMarkdown(sandbox, '# First', { space: id });
    expect(await pagePaths(sandbox, undefined, id)).toEqual(['first']);
  });
});

describe('a page', () => {
  test('has its text as Markdown, which begins with the title, or as a document, if a format is given', async () => {
    const { pages } = await sandbox.admin.ok(ops.listPages, { path: { spaceId: sandbox.spaceId } });
    const path = { spaceId: sandbox.spaceId, pageId: pages[0]?.id ?? '' };
    const plain = await sandbox.admin.ok(ops.getPage, { path });
    expect(plain).toMatchObject({ title: 'Welcome', slug: 'welcome', path: 'welcome', emoji: '👋' });
    expect(plain).not.toHaveProperty('markdown');
    expect(plain).not.toHaveProperty('document');
    const { document, ...same } = await sandbox.admin.ok(ops.getPage, {
      path,
      query: { format: 'document' },
    });
    expect(document).toMatchObject({
      object: 'document',
      nodes: [{ type: 'paragraph' }, {}, {}, {}, {}, {}],
    });
    expect(JSON.stringify(document?.nodes[0])).toContain('Everything about our product');
    expect(same).toEqual(plain);
    const { markdown, ...rest } = await sandbox.admin.ok(ops.getPage, {
      path,
      query: { format: 'markdown' },
    });
    expect(markdown).toMatch(/^# Welcome\n\nEverything about our product/);
    expect(rest).toEqual(plain);
  });

  test('has a layout with all its members, in trees and revisions too', async () => {
    const path = { spaceId: sandbox.spaceId };
    const { pages } = await sandbox.admin.ok(ops.getContent, { path });
    const layouts = flatten(pages as ops.ContentPage[]).map(({ layout }) => layout);
    const shown = {
      ...{ cover: true, title: true, description: true },
      ...{ tableOfContents: true, outline: true, pagination: true },
    };
    expect(layouts).toContainEqual({ ...shown, coverSize: 'hero' });
    for (const layout of layouts)
      expect(layout).toEqual({ ...shown, coverSize: expect.stringMatching(/^(full|hero)$/) });
    await importMarkdown(sandbox, '---\nlayout:\n  outline: false\n---\n\n# Bare\n\nText.');
    expect((await pageAt(sandbox, 'bare')).layout).toEqual({ ...shown, outline: false, coverSize: 'full' });
  });

  test('has its children and all properties that are set', async () => {
    expect(await pageAt(sandbox, 'guides/reviews')).toMatchObject({
      cover: { ref: { kind: 'file', file: expect.any(String) }, yPos: 0 },
      pages: [{ path: 'guides/reviews/conflicts' }],
      git: { path: 'guides/reviews/README.md' },
    });
    expect(await pageAt(sandbox, 'faq')).toMatchObject({
      hidden: true,
      noIndex: true,
      git: { path: 'faq.md' },
    });
  });

  test('that is computed follows the spec; computed=false omits it', async () => {
    const spaceId = await spaceTitled('API Reference');
    const { pages } = await sandbox.admin.ok(ops.listPages, { path: { spaceId } });
    const pageId = pages.find(({ slug }) => slug === 'operations')?.id ?? '';
    const read = (computed: boolean) =>
      sandbox.admin.ok(ops.getPage, { path: { spaceId, pageId }, query: { format: 'markdown', computed } });
    const before = await read(true);
    expect(before.markdown).toContain('### GET /orders\n\nList orders');
    expect(before.computedSeed).toEqual(expect.any(String));
    const raw = await read(false);
    expect(raw.markdown).toBe('# Operations\n\nEvery operation of the public API.');
    expect(raw).not.toHaveProperty('computedSeed');
    expect(raw.computed).toEqual(before.computed);
    const info = { title: 'New', version: '1' };
    const text = JSON.stringify({ openapi: '3.1.0', info, paths: { '/x': { post: {} } } });
    const path = { organizationId: sandbox.defaults.org, specSlug: 'public-api' };
    await sandbox.admin.ok(ops.setOpenApiSpec, { path, body: { source: { text } } });
    sandbox.outside.ms += 10_000;
    const after = await read(true);
    expect(after.markdown).toContain('## New\n\n### POST /x');
    expect(after.computedSeed).not.toBe(before.computedSeed);
  });
});

describe('files', () => {
  test('can be downloaded without a token, with their media type', async () => {
    const { items } = await sandbox.admin.ok(ops.listFiles, { path: { spaceId: sandbox.spaceId } });
    const [text, png] = items;
    const response = await sandbox.download(text?.downloadURL ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text?.size).toBe(Buffer.byteLength(await response.clone().text()));
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''checklist.txt");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toMatch(/^Before you publish\n/);
    const image = Buffer.from(await (await sandbox.download(png?.downloadURL ?? '')).arrayBuffer());
    expect(image.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
    expect(png).toMatchObject({
      contentType: 'image/png',
      size: image.length,
      dimensions: { width: 32, height: 32 },
    });
  });

  test('cannot be guessed: a changed address is 404, and so is one of a deleted space', async () => {
    const copy = await sandbox.admin.ok(ops.duplicateSpace, { path: { spaceId: sandbox.spaceId } });
    const path = { spaceId: copy.id };
    const [file] = (await sandbox.admin.ok(ops.listFiles, { path })).items;
    const url = new URL(file?.downloadURL ?? '');
    const [, , key = '', name] = url.pathname.split('/');
    const [space, version, signature = ''] = key.split('.');
    const status = async (changed: string) => (await sandbox.download(`/files/${changed}/${name}`)).status;
    expect(await status(key)).toBe(200);
    expect(
      await status([space, version, `${signature.slice(0, -1)}${signature.endsWith('0') ? 1 : 0}`].join('.')),
    ).toBe(404);
    expect(await status([space, Number(version) - 1, signature].join('.'))).toBe(404);
    expect(await status([sandbox.spaceId, version, signature].join('.'))).toBe(404);
    expect(await status('')).toBe(404);
    await sandbox.admin.ok(ops.deleteSpace, { path });
    expect(await status(key)).toBe(404);
    await sandbox.admin.ok(ops.restoreSpace, { path });
    expect(await status(key)).toBe(200);
  });

  test('list the pages that use them', async () => {
    const path = { spaceId: sandbox.spaceId };
    const { items } = await sandbox.admin.ok(ops.listFiles, { path });
    const logo = { ...path, fileId: items[1]?.id ?? '' };
    const organization = await sandbox.admin.ok(ops.getOrg, {
      path: { organizationId: sandbox.defaults.org },
    });
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    const revision = await sandbox.admin.ok(ops.getContent, { path });
    // On the welcome page, in the FAQ, and as the cover of the reviews.
    const backlinks = await sandbox.admin.all(ops.listFileBacklinks, { path: logo, query: { limit: 2 } });
    const users = await Promise.all(['welcome', 'faq', 'guides/reviews'].map((at) => pageAt(sandbox, at)));
    const sorted = users.sort((a, b) => (a.id < b.id ? -1 : 1));
    const versionContext = { type: 'revision', revision };
    const file = await sandbox.admin.ok(ops.getFile, { path: logo });
    expect(backlinks).toEqual(
      sorted.map(({ markdown: _, ...page }) => ({
        kind: 'file',
        organization,
        space,
        versionContext,
        page,
        file,
      })),
    );
    await importMarkdown(sandbox, '# FAQ\n\nNo picture any more.');
    expect(await sandbox.admin.ok(ops.listFileBacklinks, { path: logo })).toMatchObject({ count: 2 });
    await sandbox.admin.refuses(404, ops.listFileBacklinks, { path: { ...path, fileId: 'none' } });
  });
});

describe('a duplicate', () => {
  test('has the same content and changes independently', async () => {
    const path = { spaceId: sandbox.spaceId };
    const before = await pagePaths(sandbox);
    const copy = await sandbox.admin.ok(ops.duplicateSpace, { path });
    const content = await sandbox.admin.ok(ops.getContent, { path: { spaceId: copy.id } });
    expect(content).toMatchObject({ id: copy.revision, parents: [] });
    const original = await sandbox.admin.ok(ops.getContent, { path });
    const ids = (pages: typeof content.pages) => flatten(pages).map(({ id, documentId }) => [id, documentId]);
    expect(ids(content.pages)).toEqual(ids(original.pages));
    expect(content.files[0]?.downloadURL).not.toBe(original.files[0]?.downloadURL);
    expect((await sandbox.download(content.files[0]?.downloadURL ?? '')).status).toBe(200);
    await importMarkdown(sandbox, '# Only here', { space: copy.id });
    expect(await pagePaths(sandbox)).toEqual(before);
    expect(await pagePaths(sandbox, undefined, copy.id)).toEqual([...before, 'only-here']);
  });
});

describe('a purged space', () => {
  test('loses its content; its duplicate keeps its own', async () => {
    const original = await sandbox.admin.ok(ops.duplicateSpace, { path: { spaceId: sandbox.spaceId } });
    const copy = await sandbox.admin.ok(ops.duplicateSpace, { path: { spaceId: original.id } });
    const before = await sandbox.admin.ok(ops.getContent, { path: { spaceId: copy.id } });
    await sandbox.admin.ok(ops.deleteSpace, { path: { spaceId: original.id } });
    sandbox.outside.ms += 8 * 86_400_000;
    await sandbox.admin.refuses(404, ops.restoreSpace, { path: { spaceId: original.id } });
    expect(await sandbox.admin.ok(ops.getContent, { path: { spaceId: copy.id } })).toEqual(before);
    for (const table of ['revisions', 'page_versions', 'file_versions', 'reusable_versions']) {
      const rowOf = ({ id }: { id: string }) =>
        sandbox.beside((db) => db.get(`SELECT 1 FROM ${table} WHERE space_id = ?`, id));
      expect([rowOf(original), rowOf(copy)]).toEqual([undefined, expect.anything()]);
    }
  });
});

/** The id of a space by its title, as the admin sees it. */
async function spaceTitled(title: string): Promise<string> {
  const admin = sandbox.tokens.find(({ name }) => name === 'admin')?.member ?? '';
  const path = { organizationId: sandbox.defaults.org, userId: admin };
  const items = await sandbox.admin.all(ops.listMemberSpaces, { path });
  return items.find(({ space }) => space.title === title)?.space.id ?? '';
}
