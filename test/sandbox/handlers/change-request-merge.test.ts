import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { importMarkdown, openContentPlatform, pageAt, pagePaths } from '../content/content-folder.js';
import { zipOf } from '../content/zip.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openContentPlatform);
const path = { spaceId: seedId('space welcome') };

const of = (changeRequestId: string) => ({ path: { ...path, changeRequestId } });
const create = async () => (await sandbox.admin.ok(ops.createChangeRequest, { path, body: {} })).id;
const get = (id: string) => sandbox.admin.ok(ops.getChangeRequest, of(id));
const space = () => sandbox.admin.ok(ops.getSpace, { path });
const merge = (id: string) => sandbox.admin.ok(ops.mergeChangeRequest, of(id));
const pull = (id: string) => sandbox.admin.ok(ops.pullChangeRequest, of(id));
const setStatus = (id: string, status: string) =>
  sandbox.admin.ok(ops.updateChangeRequest, { ...of(id), body: { status } });
const write = (text: string, changeRequestId?: string) =>
  importMarkdown(sandbox, text, changeRequestId === undefined ? {} : { changeRequestId });

describe('a merge', () => {
  test('publishes the content of the change request in the space', async () => {
    const id = await create();
    await write('# Merged page', id);
    const [before, request] = [await space(), await get(id)];
    sandbox.outside.ms += 60_000;
    const result = await merge(id);
    const after = await space();
    expect(result).toEqual({ revision: after.revision, result: 'merge' });
    expect(after.updatedAt).toBe('2026-01-05T09:01:00.000Z');
    expect(await get(id)).toMatchObject({
      ...{ status: 'merged', revision: request.revision, revisionMerged: result.revision, outdated: false },
    });
    const revision = await sandbox.admin.ok(ops.getContent, { path });
    expect(revision).toMatchObject({ id: result.revision, parents: [before.revision, request.revision] });
    expect(await pagePaths(sandbox)).toEqual(await pagePaths(sandbox, id));
    expect(await pagePaths(sandbox)).toContain('merged-page');
  });

  test('works from draft and from open, and in a locked space', async () => {
    await sandbox.admin.ok(ops.updateSpace, { path, body: { editMode: 'locked' } });
    const [draft, open] = [await create(), await create()];
    await setStatus(open, 'open');
    expect(await merge(draft)).toMatchObject({ result: 'merge' });
    expect(await merge(open)).toMatchObject({ result: 'merge' });
  });

  test('marks the other change requests of the space outdated, as an import into the space does', async () => {
    const [first, second] = [await create(), await create()];
    await setStatus(second, 'open');
    expect(await get('3')).toMatchObject({ outdated: false });
    await merge(first);
    expect(await get(second)).toMatchObject({ outdated: true });
    expect(await get('3')).toMatchObject({ outdated: true });
    const third = await create();
    expect(await get(third)).toMatchObject({ outdated: false });
    await write('# Straight into the space');
    expect(await get(third)).toMatchObject({ outdated: true });
  });

  test.each(['merged', 'archived'])(
    'of a change request that is %s is 409, and so is a pull',
    async (status) => {
      const id = await create();
      if (status === 'merged') await merge(id);
      else await setStatus(id, status);
      const before = [await space(), await get(id)];
      expect(await sandbox.admin.refused(ops.mergeChangeRequest, of(id))).toEqual({
        status: 409,
        message: `change request 4 is ${status}; only a draft or open one can be changed`,
      });
      await sandbox.admin.refuses(409, ops.pullChangeRequest, of(id));
      expect([await space(), await get(id)]).toEqual(before);
    },
  );

  test('of an outdated one merges changes of different pages', async () => {
    const id = await create();
    await write('# FAQ\n\nFrom the change request.', id);
    await write('# From the request', id);
    await write('# Glossary\n\nFrom the space.');
    await write('# From the space');
    expect(await get(id)).toMatchObject({ outdated: true });
    expect(await merge(id)).toMatchObject({ result: 'merge' });
    expect(await pageAt(sandbox, 'faq')).toMatchObject({ markdown: '# FAQ\n\nFrom the change request.' });
    expect(await pageAt(sandbox, 'glossary')).toMatchObject({ markdown: '# Glossary\n\nFrom the space.' });
    expect((await pagePaths(sandbox)).slice(-3)).toEqual(['glossary', 'from-the-request', 'from-the-space']);
  });

  test('of an outdated one that changed a page which the space changed too conflicts and changes nothing', async () => {
    const id = await create();
    await write('# FAQ\n\nFrom the change request.', id);
    await write('# FAQ\n\nFrom the space.');
    const before = [await space(), await get(id), await sandbox.admin.ok(ops.getContent, { path })];
    sandbox.outside.ms += 60_000;
    expect(await merge(id)).toEqual({ revision: (await space()).revision, result: 'conflicts' });
    expect([await space(), await get(id), await sandbox.admin.ok(ops.getContent, { path })]).toEqual(before);
  });

  test('conflicts if both added a page at one path, or a file of one name', async () => {
    const [page, file] = [await create(), await create()];
    await write('# Setup\n\nThe one.', page);
    await write('# Setup\n\nThe other.');
    expect(await merge(page)).toMatchObject({ result: 'conflicts' });
    const body = (text: string) => ({
      ...{ source: 'zip', url: sandbox.put(`${text}.zip`, zipOf([{ name: 'notes.txt', text }])) },
    });
    const rival = await create();
    await sandbox.admin.ok(ops.importChangeRequestContent, { ...of(file), body: body('one') });
    await sandbox.admin.ok(ops.importChangeRequestContent, { ...of(rival), body: body('other') });
    expect(await merge(rival)).toMatchObject({ result: 'merge' });
    expect(await merge(file)).toMatchObject({ result: 'conflicts' });
  });

  test('ends the change request: it cannot be reopened or changed', async () => {
    const id = await create();
    await write('# Once', id);
    await merge(id);
    for (const body of [{ status: 'open' }, { status: 'archived' }, { subject: 'Other' }]) {
      await sandbox.admin.refuses(409, ops.updateChangeRequest, { ...of(id), body });
    }
    expect(await get(id)).toMatchObject({ status: 'merged' });
  });
});

describe('a pull', () => {
  test('merges the main content and makes the change request up to date', async () => {
    const id = await create();
    await write('# From the request', id);
    await write('# From the space');
    const [main, request] = [await space(), await get(id)];
    sandbox.outside.ms += 60_000;
    const result = await pull(id);
    expect(result).toEqual({ revision: expect.any(String), result: 'update' });
    const after = await get(id);
    expect(after).toMatchObject({
      ...{
        status: 'draft',
        outdated: false,
        revision: result.revision,
        revisionMergedAncestor: main.revision,
      },
      ...{ revisionInitial: request.revisionInitial, updatedAt: '2026-01-05T09:01:00.000Z' },
    });
    const content = await sandbox.admin.ok(ops.getChangeRequestContent, of(id));
    expect(content).toMatchObject({ id: result.revision, parents: [request.revision, main.revision] });
    expect((await pagePaths(sandbox, id)).slice(-2)).toEqual(['from-the-request', 'from-the-space']);
    expect(await space()).toEqual(main);
    expect(await merge(id)).toMatchObject({ result: 'merge' });
    expect((await pagePaths(sandbox)).slice(-2)).toEqual(['from-the-request', 'from-the-space']);
  });

  test('conflicts if both changed a page, and changes nothing', async () => {
    const id = await create();
    await write('# FAQ\n\nFrom the change request.', id);
    await write('# FAQ\n\nFrom the space.');
    const before = await get(id);
    expect(await pull(id)).toEqual({ revision: before.revision, result: 'conflicts' });
    expect(await get(id)).toEqual(before);
  });

  test('after another pull compares with the content pulled then', async () => {
    const id = await create();
    await write('# FAQ\n\nMain, once.');
    await pull(id);
    await write('# FAQ\n\nRequest.', id);
    await write('# Glossary\n\nMain, twice.');
    expect(await pull(id)).toMatchObject({ result: 'update' });
    expect(await pageAt(sandbox, 'faq', id)).toMatchObject({ markdown: '# FAQ\n\nRequest.' });
    expect(await pageAt(sandbox, 'glossary', id)).toMatchObject({ markdown: '# Glossary\n\nMain, twice.' });
  });
});
