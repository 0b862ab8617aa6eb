import { beforeEach, describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openCommentWorld, texts } from './comment-world.js';

const world = eachTest(openCommentWorld);
/** The path of the oldest comment of the seed, which has two replies. */
let path: { spaceId: string; commentId: string };

beforeEach(async () => {
  const [oldest] = await world.list({ order: 'asc' });
  path = { spaceId: world.spaceId, commentId: oldest?.id ?? '' };
});

const reply = (markdown: string, as = 'admin') =>
  world.as(as).ok(ops.createCommentReply, { path, body: { body: { markdown } } });
const at = (commentReplyId: string) => ({ ...path, commentReplyId });

describe('the replies to a comment', () => {
  test('come in the order they were posted, in pages', async () => {
    for (const text of ['one', 'two', 'three']) await reply(text);
    const { items, count, next } = await world.admin.ok(ops.listCommentReplies, {
      path,
      query: { limit: 3 },
    });
    expect(texts(items)).toEqual(['Fifty letters. I will add it.', 'Thank you!', 'one']);
    expect(count).toBe(5);
    const query = { limit: 3, page: next?.page ?? '' };
    const rest = await world.admin.ok(ops.listCommentReplies, { path, query });
    expect(texts(rest.items)).toEqual(['two', 'three']);
    for (const format of ['document', 'markdown']) {
      expect((await world.admin.ok(ops.listCommentReplies, { path, query: { format } })).items).toHaveLength(
        5,
      );
    }
  });

  test('are counted in the comment, and deleted with it', async () => {
    const made = await reply('one');
    expect((await world.admin.ok(ops.getComment, { path })).replies).toBe(3);
    await world.admin.ok(ops.deleteComment, { path });
    await world.admin.refuses(404, ops.listCommentReplies, { path });
    await world.admin.refuses(404, ops.getCommentReply, { path: at(made.id) });
  });
});

test('a new reply is by the caller', async () => {
  const made = await reply('Yes', 'comment');
  expect(made).toEqual({
    object: 'comment-reply',
    id: made.id,
    postedBy: expect.objectContaining({ id: world.user('comment') }),
    postedAt: '2026-01-05T09:00:00.000Z',
    reactions: [],
    body: { markdown: 'Yes' },
    urls: {
      location: `https://api.sandbox.example/v1/spaces/${path.spaceId}/comments/${path.commentId}/replies/${made.id}`,
    },
    permissions: { view: true, edit: true, reply: true, delete: true },
  });
  expect(await world.as('comment').ok(ops.getCommentReply, { path: at(made.id) })).toEqual(made);
});

describe('a change of a reply', () => {
  test('of its text is for the author only', async () => {
    const { id } = await reply('Yse', 'comment');
    world.pass(1000);
    const body = { body: { markdown: 'Yes' } };
    const edited = await world.as('comment').ok(ops.updateCommentReply, { path: at(id), body });
    expect([edited.body.markdown, edited.editedAt]).toEqual(['Yes', '2026-01-05T09:00:01.000Z']);
    await world.admin.refuses(403, ops.updateCommentReply, { path: at(id), body });
  });

  test('adds and removes reactions of the caller', async () => {
    const { id } = await reply('Yes');
    const react = (as: string, body: { addedReactions?: string[]; removedReactions?: string[] }) =>
      world.as(as).ok(ops.updateCommentReply, { path: at(id), body });
    await react('comment', { addedReactions: ['👍'] });
    const two = await react('edit', { addedReactions: ['👍'] });
    expect(two.reactions.map(({ emoji, count }) => [emoji, count])).toEqual([['👍', 2]]);
    const one = await react('comment', { removedReactions: ['👍'] });
    expect(one.reactions[0]?.users.map(({ user }) => user.displayName)).toEqual(['Deniz Yıldız']);
  });
});

test('a reply to another comment is 404', async () => {
  const { id } = await reply('Yes');
  const other = await world.post('Another');
  const elsewhere = { ...path, commentId: other.id, commentReplyId: id };
  await world.admin.refuses(404, ops.getCommentReply, { path: elsewhere });
});

test('who may only read is told so', async () => {
  const { id } = await reply('Yes');
  const { permissions } = await world.as('read').ok(ops.getCommentReply, { path: at(id) });
  expect(permissions).toEqual({ view: true, edit: false, reply: false, delete: false });
});
