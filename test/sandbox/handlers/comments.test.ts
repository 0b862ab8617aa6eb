import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openCommentWorld, texts } from './comment-world.js';

const world = eachTest(openCommentWorld);

const path = () => ({ spaceId: world.spaceId });
const at = (commentId: string) => ({ ...path(), commentId });
const get = (commentId: string, as = 'admin') => world.as(as).ok(ops.getComment, { path: at(commentId) });
const update = (
  commentId: string,
  body: {
    resolved?: boolean;
    body?: { markdown?: string };
    addedReactions?: string[];
    removedReactions?: string[];
  },
  as = 'admin',
) => world.as(as).ok(ops.updateComment, { path: at(commentId), body });

/** The id of a page of the space by its path. */
async function pageId(wanted: string): Promise<string> {
  const { pages } = await world.admin.ok(ops.listPages, { path: path() });
  const all = pages.flatMap((page) => [page, ...(page.pages ?? [])]);
  return all.find((page) => page.path === wanted)?.id ?? '';
}

describe('a new comment', () => {
  test('is open, by the caller, on the space at its revision', async () => {
    const { revision } = await world.admin.ok(ops.getSpace, { path: path() });
    const made = await world.post('Hello', 'comment');
    expect(made).toEqual({
      object: 'comment',
      id: made.id,
      postedBy: expect.objectContaining({ id: world.user('comment'), displayName: 'Émil Laurent' }),
      postedAt: '2026-01-05T09:00:00.000Z',
      reactions: [],
      replies: 0,
      body: { markdown: 'Hello' },
      target: { space: world.spaceId, revision },
      urls: { location: `https://api.sandbox.example/v1/spaces/${world.spaceId}/comments/${made.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
      status: 'open',
    });
    expect(await get(made.id, 'comment')).toEqual(made);
    expect(await world.count()).toBe(3);
  });

  test('may have an empty body', async () => {
    const made = await world.admin.ok(ops.createComment, { path: path(), body: { body: {} } });
    expect(made.body).toEqual({});
  });

  test.each([{ body: { html: 'x' } }, { body: {}, page: '' }])('is refused as %j', async (body) => {
    await world.admin.refuses(400, ops.createComment, { path: path(), body });
    expect(await world.list()).toHaveLength(3);
  });

  test('on a page and a node says which', async () => {
    const page = await pageId('getting-started/quickstart');
    const body = { body: { markdown: 'Here' }, page, node: 'create-a-space' };
    const { target } = await world.admin.ok(ops.createComment, { path: path(), body });
    expect(target.node).toEqual({ id: 'create-a-space', preview: 'Create a space' });
    expect(target.page).toMatchObject({
      id: page,
      title: 'Quickstart',
      icon: 'bolt',
      path: 'getting-started/quickstart',
      outdated: false,
    });
    const other = await world.admin.ok(ops.createComment, { path: path(), body: { ...body, node: 'n-42' } });
    expect(other.target.node).toEqual({ id: 'n-42' });
  });
});

describe('a resolved comment', () => {
  test('says who and when, is no longer counted, and can be reopened', async () => {
    const { id } = await world.post('A question');
    expect(await world.count()).toBe(3);
    world.pass(60_000);
    const resolved = await update(id, { resolved: true }, 'review');
    expect(resolved.status).toBe('resolved');
    expect(resolved.resolvedBy?.displayName).toBe('Chiara Rossi');
    expect(resolved.resolvedAt).toBe('2026-01-05T09:01:00.000Z');
    expect(await world.count()).toBe(2);
    world.pass(60_000);
    expect(await update(id, { resolved: true }, 'edit')).toMatchObject({
      resolvedAt: '2026-01-05T09:01:00.000Z',
      resolvedBy: { displayName: 'Chiara Rossi' },
    });
    const opened = await update(id, { resolved: false }, 'comment');
    expect(opened.status).toBe('open');
    expect(opened).not.toHaveProperty('resolvedAt');
    expect(opened).not.toHaveProperty('resolvedBy');
    expect(await world.count()).toBe(3);
    expect(opened).not.toHaveProperty('editedAt');
  });
});

describe('the text of a comment', () => {
  test('is changed by its author, with the time', async () => {
    const { id } = await world.post('Helo', 'comment');
    world.pass(1000);
    const edited = await update(id, { body: { markdown: 'Hello' } }, 'comment');
    expect([edited.body.markdown, edited.editedAt]).toEqual(['Hello', '2026-01-05T09:00:01.000Z']);
    expect((await get(id)).body).toEqual({ markdown: 'Hello' });
    expect((await update(id, { body: {} }, 'comment')).body).toEqual({});
  });

  test('cannot be changed by anyone else, not even an admin, and nothing else changes', async () => {
    const { id } = await world.post('Mine', 'comment');
    const body = { body: { markdown: 'Yours' }, resolved: true };
    expect(await world.admin.refused(ops.updateComment, { path: at(id), body })).toEqual({
      status: 403,
      message: 'only the author may change the text',
    });
    const seen = await get(id);
    expect([seen.body.markdown, seen.status]).toEqual(['Mine', 'open']);
    expect(seen.permissions).toEqual({ view: true, edit: false, reply: true, delete: true });
    expect((await get(id, 'review')).permissions).toEqual({
      view: true,
      edit: false,
      reply: true,
      delete: false,
    });
    expect((await get(id, 'read')).permissions).toEqual({
      view: true,
      edit: false,
      reply: false,
      delete: false,
    });
  });

  test('cannot be changed by an author who may no longer comment', async () => {
    const { id } = await world.post('Mine', 'comment');
    const member = { organizationId: world.defaults.org, userId: world.user('comment') };
    await world.admin.ok(ops.updateMember, { path: member, body: { role: 'read' } });
    const { permissions } = await get(id, 'comment');
    expect(permissions).toEqual({ view: true, edit: false, reply: false, delete: false });
    const update = { path: at(id), body: { body: { markdown: 'Still mine' } } };
    await world.as('comment').refuses(403, ops.updateComment, update);
  });
});

describe('reactions', () => {
  const summary = ({ reactions }: Awaited<ReturnType<typeof get>>) =>
    reactions.map(({ emoji, count, users }) => [emoji, count, users.map(({ user }) => user.displayName)]);

  test('belong to a user: added once, removed only by that user', async () => {
    const { id } = await world.post('Done');
    await update(id, { addedReactions: ['👍', '🎉', '👍'] }, 'comment');
    world.pass(1000);
    const both = await update(id, { addedReactions: ['👍'] }, 'edit');
    expect(summary(both)).toEqual([
      ['🎉', 1, ['Émil Laurent']],
      ['👍', 2, ['Émil Laurent', 'Deniz Yıldız']],
    ]);
    expect(both.reactions[1]?.users.map(({ reactedAt }) => reactedAt)).toEqual([
      '2026-01-05T09:00:00.000Z',
      '2026-01-05T09:00:01.000Z',
    ]);
    await update(id, { removedReactions: ['👍', '👀'] }, 'comment');
    expect(summary(await get(id))).toEqual([
      ['🎉', 1, ['Émil Laurent']],
      ['👍', 1, ['Deniz Yıldız']],
    ]);
    world.pass(1000);
    const again = await update(id, { addedReactions: ['👍'] }, 'edit');
    expect(again.reactions[1]?.users[0]?.reactedAt).toBe('2026-01-05T09:00:01.000Z');
    expect(again).not.toHaveProperty('editedAt');
  });

  test('that are both added and removed are gone', async () => {
    const { id } = await world.post('Done');
    expect((await update(id, { addedReactions: ['👍'], removedReactions: ['👍'] })).reactions).toEqual([]);
    expect((await update(id, {})).reactions).toEqual([]);
    const wrong = { path: at(id), body: { addedReactions: [''] } };
    await world.admin.refuses(400, ops.updateComment, wrong);
  });
});

describe('a deleted comment', () => {
  test('can be deleted only by its author or an admin', async () => {
    const { id } = await world.post('Mine', 'comment');
    await world.as('create').refuses(403, ops.deleteComment, { path: at(id) });
    await world.admin.ok(ops.deleteComment, { path: at(id) });
  });
});

test('a comment outlives its page, and says that it is outdated', async () => {
  const faq = await pageId('faq');
  const { id } = await world.admin.ok(ops.createComment, { path: path(), body: { body: {}, page: faq } });
  expect((await get(id)).target.page?.outdated).toBe(false);
  const merged = { path: { ...path(), changeRequestId: '3' } };
  expect((await world.admin.ok(ops.mergeChangeRequest, merged)).result).toBe('merge');
  const { page } = (await get(id)).target;
  expect(page).toMatchObject({ id: faq, title: 'FAQ', outdated: true });
  expect(page).not.toHaveProperty('path');
  const [changed] = await world.list({ targetPage: await pageId('getting-started/quickstart') });
  expect(changed?.target.page).toMatchObject({ path: 'getting-started/quickstart', outdated: true });
});

test('an unknown comment, one on a change request, and one of another space are 404', async () => {
  const [onRequest] = await world.listOnRequest();
  const other = await world.admin.ok(ops.createComment, {
    path: { spaceId: (await otherSpace()).id },
    body: { body: { markdown: 'Elsewhere' } },
  });
  for (const id of ['nothing', onRequest?.id ?? '', other.id]) {
    await world.admin.refuses(404, ops.getComment, { path: at(id) });
    await world.admin.refuses(404, ops.updateComment, { path: at(id), body: {} });
    await world.admin.refuses(404, ops.deleteComment, { path: at(id) });
  }
});

async function otherSpace(): Promise<{ id: string }> {
  const response = await world.admin.send('POST', `/v1/spaces/${world.spaceId}/duplicate`);
  return (await response.json()) as { id: string };
}

const seeded = {
  split: 'Shall we split this space in two? It grows every week.',
  disagree: 'This question has two answers that disagree.',
  title: 'How long may a title be? It does **not** say.',
};

describe('the list of comments', () => {
  test('starts with the newest; asc reverses it; comments on change requests are excluded', async () => {
    const { items, count } = await world.admin.ok(ops.listComments, { path: path() });
    expect(texts(items)).toEqual([seeded.split, seeded.disagree, seeded.title]);
    expect(count).toBe(3);
    expect(texts(await world.list({ order: 'asc' }))).toEqual([seeded.title, seeded.disagree, seeded.split]);
  });

  test('has all, open or resolved ones', async () => {
    expect(await world.list({ status: 'all' })).toHaveLength(3);
    expect(texts(await world.list({ status: 'open' }))).toEqual([seeded.split, seeded.title]);
    expect(texts(await world.list({ status: 'resolved' }))).toEqual([seeded.disagree]);
  });

  test('filters by page, by one author, by many', async () => {
    expect(texts(await world.list({ targetPage: await pageId('faq') }))).toEqual([seeded.disagree]);
    expect(await world.list({ targetPage: 'nothing' })).toEqual([]);
    expect(texts(await world.list({ authors: [world.user('edit')] }))).toEqual([seeded.title]);
    const authors = [world.user('edit'), world.user('comment'), 'nobody'];
    expect(texts(await world.list({ authors }))).toEqual([seeded.disagree, seeded.title]);
    expect(await world.list({ authors, status: 'open', targetPage: await pageId('faq') })).toEqual([]);
  });
});
