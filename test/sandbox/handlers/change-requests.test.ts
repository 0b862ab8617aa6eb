import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { flatten, importMarkdown, openContentPlatform, pageAt } from '../content/content-folder.js';
import { seePdf } from '../content/pdf-text.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openContentPlatform);
const path = { spaceId: seedId('space welcome') };

const create = (subject?: string) =>
  sandbox.admin.ok(ops.createChangeRequest, { path, body: subject === undefined ? {} : { subject } });
const get = (changeRequestId: string) =>
  sandbox.admin.ok(ops.getChangeRequest, { path: { ...path, changeRequestId } });
const update = (changeRequestId: string, body: { subject?: string; status?: string }) =>
  sandbox.admin.ok(ops.updateChangeRequest, { path: { ...path, changeRequestId }, body });

describe('change requests', () => {
  test('start as drafts with their own revision, numbered from the last one', async () => {
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    const request = await create('Fix the words');
    expect(request).toMatchObject({
      ...{ number: 4, status: 'draft', subject: 'Fix the words', comments: 0, outdated: false },
      ...{ createdBy: { email: 'ada@acme.example' }, createdAt: '2026-01-05T09:00:00.000Z' },
      ...{ revisionInitial: space.revision },
    });
    expect(request.revision).not.toBe(space.revision);
    expect(request).not.toHaveProperty('revisionMerged');
    const content = await sandbox.admin.ok(ops.getChangeRequestContent, {
      path: { ...path, changeRequestId: '4' },
    });
    expect(content).toMatchObject({
      ...{ id: request.revision, parents: [space.revision], git: { ref: 'change-request-4' } },
      pages: [{ urls: { app: expect.stringMatching(/\/~\/changes\/4\/welcome$/) } }, {}, {}, {}, {}],
    });
    expect(await create()).toMatchObject({ number: 5, subject: 'Untitled' });
  });

  test('are found by id and by number, within their space only', async () => {
    const byNumber = await get('3');
    expect(await get(byNumber.id)).toEqual(byNumber);
    for (const changeRequestId of ['99', 'none', '3.0', '03x']) {
      await sandbox.admin.refuses(404, ops.getChangeRequest, { path: { ...path, changeRequestId } });
    }
  });

  test('are listed open ones by default, newest first, page by page', async () => {
    const numbers = async (query: object) =>
      (await sandbox.admin.all(ops.listChangeRequests, { path, query })).map(({ number }) => number);
    for (let count = 0; count < 3; count += 1) await update((await create()).id, { status: 'open' });
    expect(await numbers({ limit: 2 })).toEqual([6, 5, 4, 3]);
    expect(await numbers({ status: 'draft' })).toEqual([2]);
    expect(await numbers({ status: 'merged' })).toEqual([1]);
    expect(await numbers({ status: 'archived' })).toEqual([]);
    await sandbox.admin.refuses(400, ops.listChangeRequests, { path, query: { status: 'closed' } });
  });

  test('are filtered by contributor: users who created or edited them', async () => {
    const id = (name: string) => sandbox.user(name);
    const numbers = async (name: string) => {
      const query = { contributor: id(name) };
      return (await sandbox.admin.ok(ops.listChangeRequests, { path, query })).items.map(
        ({ number }) => number,
      );
    };
    expect(await numbers('edit')).toEqual([3]);
    const request = await create();
    await update(request.id, { status: 'open' });
    await importMarkdown(sandbox, '# By the editor', { changeRequestId: request.id, as: sandbox.as('edit') });
    expect(await numbers('edit')).toEqual([4, 3]);
    expect(await numbers('admin')).toEqual([4]);
    expect(await numbers('read')).toEqual([]);
  });

  test('cannot be made merged by an update', async () => {
    const body = { status: 'merged' };
    await sandbox.admin.refuses(400, ops.updateChangeRequest, {
      path: { ...path, changeRequestId: '3' },
      body,
    });
  });

  test('take another subject of at most 100 characters', async () => {
    sandbox.outside.ms += 60_000;
    expect(await update('3', { subject: 'x'.repeat(100) })).toMatchObject({
      ...{ subject: 'x'.repeat(100), status: 'open', updatedAt: '2026-01-05T09:01:00.000Z' },
    });
  });
});

describe('the content of a change request', () => {
  test('has its own files, links and backlinks', async () => {
    const its = { ...path, changeRequestId: '3' };
    const files = await sandbox.admin.all(ops.listChangeRequestFiles, { path: its, query: { limit: 1 } });
    expect(files.map(({ name }) => name)).toEqual(['checklist.txt', 'logo.png']);
    const fileId = files[1]?.id ?? '';
    expect(await sandbox.admin.ok(ops.getChangeRequestFile, { path: { ...its, fileId } })).toEqual(files[1]);
    // The change request removes the FAQ, one of three pages with the logo.
    expect(
      await sandbox.admin.ok(ops.listChangeRequestFileBacklinks, { path: { ...its, fileId } }),
    ).toMatchObject({ count: 2 });
    const welcome = await pageAt(sandbox, 'welcome', '3');
    const links = await sandbox.admin.ok(ops.listChangeRequestPageLinks, {
      path: { ...its, pageId: welcome.id },
    });
    expect(links.stats).toEqual({ total: 5, broken: { total: 1, changeRequest: 1 } });
    // A link that is broken in the space too does not come from the change request.
    const conflicts = { ...its, pageId: (await pageAt(sandbox, 'guides/reviews/conflicts', '3')).id };
    expect((await sandbox.admin.ok(ops.listChangeRequestPageLinks, { path: conflicts })).stats).toEqual({
      total: 1,
      broken: { total: 1, changeRequest: 0 },
    });
    const faq = await pageAt(sandbox, 'faq');
    const gone = { ...its, pageId: faq.id };
    await sandbox.admin.refuses(404, ops.listChangeRequestPageLinks, { path: gone });
  });
});

describe('the PDF of a change request', () => {
  const pdf = (query: { page?: string; only?: boolean }) =>
    sandbox.admin.ok(ops.getChangeRequestPdf, { path: { ...path, changeRequestId: '3' }, query });
  const bytesOf = async ({ url }: { url: string }) =>
    Buffer.from(await (await sandbox.download(url)).arrayBuffer());
  const see = async (answer: { url: string }) => seePdf(await bytesOf(answer));

  test('contains all pages, and is served without a token', async () => {
    const { url } = await pdf({});
    const response = await sandbox.download(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(url).toMatch(/\/change-request-3\.pdf$/);
    const { sheets } = await see({ url });
    const revision = await sandbox.admin.ok(ops.getChangeRequestContent, {
      path: { ...path, changeRequestId: '3' },
    });
    const titles = flatten(revision.pages).map(({ title }) => title);
    expect(sheets.map((sheet) => sheet.split('\n')[0])).toEqual(titles);
    expect(titles).not.toContain('FAQ');
  });

  test('contains one page with its children, or that page only', async () => {
    const { id } = await pageAt(sandbox, 'guides/reviews', '3');
    const below = await see(await pdf({ page: id }));
    expect(below.sheets).toHaveLength(2);
    expect(below.sheets[1]).toContain('Conflicts');
    const only = await see(await pdf({ page: id, only: true }));
    expect(only.sheets).toHaveLength(1);
    expect(only.sheets[0]).toContain('Reviews');
  });

  test('stays that of its revision', async () => {
    const { id } = await pageAt(sandbox, 'guides/reviews/conflicts', '3');
    const before = await pdf({ page: id, only: true });
    const bytes = await bytesOf(before);
    await importMarkdown(sandbox, '# Welcome\n\nD’autres mots.', { changeRequestId: '3' });
    expect((await bytesOf(before)).equals(bytes)).toBe(true);
    const { sheets } = await see(await pdf({}));
    expect(sheets.join('')).toContain('D’autres mots.');
  });

  test('is refused for an unknown page and for only without a page; its URL cannot be forged', async () => {
    const its = { ...path, changeRequestId: '3' };
    const refuse = (query: Record<string, unknown>) =>
      sandbox.admin.refused(ops.getChangeRequestPdf, { path: its, query });
    expect(await refuse({ page: 'none' })).toMatchObject({ status: 404 });
    const message = 'query parameter "only" requires "page"';
    expect(await refuse({ only: true })).toMatchObject({ status: 400, message });
    const { url } = await pdf({});
    expect((await sandbox.download(url.replace(/\.[0-9a-f]{40}\//, `.${'0'.repeat(40)}/`))).status).toBe(404);
    expect((await sandbox.download(url.replace('/pdf/', '/files/'))).status).toBe(404);
    const { revision } = await sandbox.admin.ok(ops.getSpace, { path });
    const request = await get('3');
    expect((await sandbox.download(url.replace(request.revision, revision))).status).toBe(404);
    expect((await sandbox.admin.ok(ops.getContent, { path })).id).toBe(revision);
  });
});
