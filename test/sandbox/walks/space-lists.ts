import { createChangeRequestCommentReply } from '../../../src/api/resources/change-request-comment-replies.js';
import * as onChange from '../../../src/api/resources/change-request-comments.js';
import {
  createChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../../../src/api/resources/change-requests.js';
import { createCommentReply } from '../../../src/api/resources/comment-replies.js';
import { createComment, deleteComment, listComments } from '../../../src/api/resources/comments.js';
import { seedId } from '../client.js';
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

const commentsOn =
  (request: boolean) =>
  async (world: World): Promise<Walked> => {
    const { admin, random, outside } = world;
    const [path, onRequest] = [{ spaceId }, { spaceId, changeRequestId: requestId }];
    const body = { body: { markdown: 'x' } };
    const add = () => {
      outside.ms += random.below(2); // Some within one millisecond.
      return request
        ? admin.ok(onChange.createChangeRequestComment, { path: onRequest, body })
        : admin.ok(createComment, { path, body });
    };
    const remove = async () => {
      const all = request
        ? await admin.all(onChange.listChangeRequestComments, { path: onRequest })
        : await admin.all(listComments, { path });
      const commentId = anyOf(world, all)?.id;
      if (commentId === undefined) return;
      if (request) await admin.ok(onChange.deleteChangeRequestComment, { path: { ...onRequest, commentId } });
      else await admin.ok(deleteComment, { path: { ...path, commentId } });
    };
    for (let count = 0; count < 5; count += 1) await add();
    const query = { order: random.pick(['asc', 'desc']) };
    return { path: request ? onRequest : path, query, change: either(world, add, remove) };
  };

const repliesOn =
  (request: boolean) =>
  async (world: World): Promise<Walked> => {
    const { admin, random, outside, beside } = world;
    const onRequest = { spaceId, changeRequestId: requestId };
    const body = { body: { markdown: 'x' } };
    const { id: commentId } = request
      ? await admin.ok(onChange.createChangeRequestComment, { path: onRequest, body })
      : await admin.ok(createComment, { path: { spaceId }, body });
    const path = { ...(request ? onRequest : { spaceId }), commentId };
    const add = () => {
      outside.ms += random.below(2);
      return request
        ? admin.ok(createChangeRequestCommentReply, { path: { ...onRequest, commentId }, body })
        : admin.ok(createCommentReply, { path: { spaceId, commentId }, body });
    };
    const remove = () =>
      beside((db) => {
        const ids = db.all<{ id: string }>('SELECT id FROM comment_replies WHERE comment_id = ?', commentId);
        db.run('DELETE FROM comment_replies WHERE id = ?', anyOf(world, ids)?.id ?? '');
      });
    for (let count = 0; count < 6; count += 1) await add();
    return { path, change: either(world, add, remove) };
  };

async function changeRequests(world: World): Promise<Walked> {
  const { admin } = world;
  const path = { spaceId };
  const add = async () => {
    const { id } = await admin.ok(createChangeRequest, { path, body: {} });
    await admin.ok(updateChangeRequest, { path: { ...path, changeRequestId: id }, body: { status: 'open' } });
  };
  const remove = async () => {
    const { id } = anyOf(world, await admin.all(listChangeRequests, { path })) ?? { id: requestId };
    await admin.ok(updateChangeRequest, {
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
  'comments.list': commentsOn(false),
  'change-request-comments.list': commentsOn(true),
  'comment-replies.list': repliesOn(false),
  'change-request-comment-replies.list': repliesOn(true),
};
