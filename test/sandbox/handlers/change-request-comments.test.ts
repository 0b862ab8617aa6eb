import { beforeEach, describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openCommentWorld, texts } from './comment-world.js';

const world = eachTest(openCommentWorld);
/** The path of the open change request, by its number. */
let path: { spaceId: string; changeRequestId: string };

beforeEach(async () => {
  path = { spaceId: world.spaceId, changeRequestId: '3' };
});

const request = () => world.admin.ok(ops.getChangeRequest, { path });
const post = (markdown: string, as = 'admin') =>
  world.as(as).ok(ops.createChangeRequestComment, { path, body: { body: { markdown } } });
const at = (commentId: string) => ({ ...path, commentId });
const seeded = { faq: 'Why does the FAQ go?', role: 'Please name the role that may set this up.' };

describe('comments on a change request', () => {
  test('are its own, found by its number or its id', async () => {
    expect(texts(await world.listOnRequest())).toEqual([seeded.faq, seeded.role]);
    const { id } = await request();
    const byId = { spaceId: world.spaceId, changeRequestId: id };
    expect(texts((await world.admin.ok(ops.listChangeRequestComments, { path: byId })).items)).toEqual([
      seeded.faq,
      seeded.role,
    ]);
    const first = { spaceId: world.spaceId, changeRequestId: '1' };
    expect((await world.admin.ok(ops.listChangeRequestComments, { path: first })).count).toBe(0);
  });

  test('count while they are open: in the change request, not in the space', async () => {
    const [ofRequest, ofSpace] = [(await request()).comments, await world.count()];
    expect([ofRequest, ofSpace]).toEqual([1, 2]);
    const { id } = await post('And now?');
    expect((await request()).comments).toBe(2);
    await world.admin.ok(ops.updateChangeRequestComment, { path: at(id), body: { resolved: true } });
    expect((await request()).comments).toBe(1);
    await world.admin.ok(ops.updateChangeRequestComment, { path: at(id), body: { resolved: false } });
    expect((await request()).comments).toBe(2);
    await world.admin.ok(ops.deleteChangeRequestComment, { path: at(id) });
    expect((await request()).comments).toBe(1);
    expect(await world.count()).toBe(2);
  });

  test('name the change request and its revision; pages are those of the change request', async () => {
    const { id, revision } = await request();
    const { pages } = await world.admin.ok(ops.listChangeRequestPages, { path });
    const added = pages.find(({ title }) => title === 'Single sign-on')?.id ?? '';
    const body = { body: { markdown: 'New' }, page: added };
    const made = await world.admin.ok(ops.createChangeRequestComment, { path, body });
    expect(made.target).toMatchObject({
      changeRequest: id,
      space: world.spaceId,
      revision,
      page: { id: added, title: 'Single sign-on', path: 'single-sign-on', outdated: false },
    });
    expect(made.urls.location).toContain(`/change-requests/${id}/comments/${made.id}`);
    expect(await world.admin.ok(ops.getChangeRequestComment, { path: at(made.id) })).toEqual(made);
    const onSpace = { path: { spaceId: world.spaceId }, body };
    await world.admin.refuses(404, ops.createComment, onSpace);
  });

  test('stay after the merge, and more can be added', async () => {
    const { id } = await post('Ready');
    await world.admin.ok(ops.mergeChangeRequest, { path });
    await world.admin.ok(ops.updateChangeRequestComment, { path: at(id), body: { resolved: true } });
    await post('Merged!');
    expect(texts(await world.listOnRequest({ status: 'open' }))).toEqual(['Merged!', seeded.role]);
  });

  test('are 404 under another change request and under the space', async () => {
    const { id } = await post('Here');
    const [onSpace] = await world.list();
    for (const wrong of [{ ...path, changeRequestId: '1', commentId: id }, at(onSpace?.id ?? '')]) {
      await world.admin.refuses(404, ops.getChangeRequestComment, { path: wrong });
      await world.admin.refuses(404, ops.deleteChangeRequestComment, { path: wrong });
    }
  });
});
