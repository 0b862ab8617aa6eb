import type { AnyOperation } from '../../../src/api/operation.js';
import * as onChange from '../../../src/api/resources/comments.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { anyOf, editContent, editLinks, either, type Lists, type Walked, type World } from './world.js';

const spaceId = seedId('space welcome');
const fileId = seedId(`${spaceId} images/logo.png`);
const pageId = seedId(`${spaceId} welcome`);
const requestId = '3';

const inContent =
  (where: 'space' | 'request', more: Record<string, string> = {}, query = {}) =>
  async (world: World): Promise<Walked> => {
    const edit = more.pageId === undefined ? editContent : editLinks;
    const change = () => world.rewrite(where, (writing, old) => edit(world, old, writing));
    for (let count = 0; count < 8; count += 1) await change();
    const path = { spaceId, ...(where === 'request' && { changeRequestId: requestId }), ...more };
    return { path, query, change };
  };

interface Discussion {
  path: Record<string, string>;
  list: AnyOperation;
  create: AnyOperation;
  remove: AnyOperation;
  reply: AnyOperation;
}
const onSpace: Discussion = {
  ...{ path: { spaceId }, list: ops.listComments, create: ops.createComment, remove: ops.deleteComment },
  reply: ops.createCommentReply,
};
const onRequest: Discussion = {
  ...{ path: { spaceId, changeRequestId: requestId }, list: onChange.listChangeRequestComments },
  ...{ create: onChange.createChangeRequestComment, remove: onChange.deleteChangeRequestComment },
  reply: ops.createChangeRequestCommentReply,
};
const body = { body: { markdown: 'x' } };

const commentsOf =
  ({ path, list, create, remove }: Discussion) =>
  async (world: World): Promise<Walked> => {
    const { admin, random, outside } = world;
    const add = () => {
      outside.ms += random.below(2); // Some within one millisecond.
      return admin.ok(create, { path, body });
    };
    const takeAway = async () => {
      const gone = anyOf(world, (await admin.all(list, { path })) as { id: string }[]);
      if (gone !== undefined) await admin.ok(remove, { path: { ...path, commentId: gone.id } });
    };
    for (let count = 0; count < 5; count += 1) await add();
    return { path, query: { order: random.pick(['asc', 'desc']) }, change: either(world, add, takeAway) };
  };

const repliesOf =
  ({ path, create, reply }: Discussion) =>
  async (world: World): Promise<Walked> => {
    const { admin, random, outside, beside } = world;
    const { id: commentId } = (await admin.ok(create, { path, body })) as { id: string };
    const within = { ...path, commentId };
    const add = () => {
      outside.ms += random.below(2);
      return admin.ok(reply, { path: within, body });
    };
    const takeAway = () =>
      beside((db) => {
        const ids = db.all<{ id: string }>('SELECT id FROM comment_replies WHERE comment_id = ?', commentId);
        db.run('DELETE FROM comment_replies WHERE id = ?', anyOf(world, ids)?.id ?? '');
      });
    for (let count = 0; count < 6; count += 1) await add();
    return { path: within, change: either(world, add, takeAway) };
  };

async function changeRequests(world: World): Promise<Walked> {
  const { admin } = world;
  const path = { spaceId };
  const add = async () => {
    const { id } = await admin.ok(ops.createChangeRequest, { path, body: {} });
    await admin.ok(ops.updateChangeRequest, {
      path: { ...path, changeRequestId: id },
      body: { status: 'open' },
    });
  };
  const remove = async () => {
    const { id } = anyOf(world, await admin.all(ops.listChangeRequests, { path })) ?? { id: requestId };
    await admin.ok(ops.updateChangeRequest, {
      path: { ...path, changeRequestId: id },
      body: { status: 'archived' },
    });
  };
  for (let count = 0; count < 5; count += 1) await add();
  return { path, change: either(world, add, remove) };
}

export const spaceLists: Lists = {
  'spaces.search': inContent('space', {}, { query: 'walk' }),
  'spaces.links': inContent('space'),
  'content.files': inContent('space'),
  'content.file-backlinks': inContent('space', { fileId }),
  'content.page-links': inContent('space', { pageId }),
  'change-request-content.files': inContent('request'),
  'change-request-content.file-backlinks': inContent('request', { fileId }),
  'change-request-content.page-links': inContent('request', { pageId }),
  'change-requests.list': changeRequests,
  'comments.list': commentsOf(onSpace),
  'change-request-comments.list': commentsOf(onRequest),
  'comment-replies.list': repliesOf(onSpace),
  'change-request-comment-replies.list': repliesOf(onRequest),
};
