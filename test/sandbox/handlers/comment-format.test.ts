import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as onChangeReplies from '../../../src/api/resources/comments.js';
import * as onChange from '../../../src/api/resources/comments.js';
import * as comments from '../../../src/api/resources/comments.js';
import * as replies from '../../../src/api/resources/comments.js';
import { openPlatform, type Platform } from '../in-process.js';

/** `format` selects how the bodies of comments and replies are shown. */

const markdown = 'See **the** [guide](guide.md)\n\n- [x] done\n\n```sh\nls\n```';
const leaf = (text: string, ...types: string[]) => ({
  ...{ object: 'leaf', text, marks: types.map((type) => ({ object: 'mark', type })) },
});
const leaves = (...all: ReturnType<typeof leaf>[]) => ({ object: 'text', leaves: all });
const block = (type: string, nodes: object[], data = {}) => ({ object: 'block', type, data, nodes });
const link = {
  ...{ object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'guide.md' } } },
  nodes: [leaves(leaf('guide'))],
};
const document = {
  object: 'document',
  nodes: [
    block('paragraph', [leaves(leaf('See '), leaf('the', 'bold'), leaf(' ')), link]),
    block('list-unordered', [
      block('list-item', [block('paragraph', [leaves(leaf('done'))])], { checked: true }),
    ]),
    block('code', [leaves(leaf('ls'))], { syntax: 'sh' }),
  ],
};

let sandbox: Platform;
beforeAll(async () => {
  sandbox = await openPlatform();
});
afterAll(() => sandbox.close());

describe.each([
  ['a space', comments, replies, {}],
  [
    'a change request',
    {
      createComment: onChange.createChangeRequestComment,
      getComment: onChange.getChangeRequestComment,
      listComments: onChange.listChangeRequestComments,
    },
    {
      createCommentReply: onChangeReplies.createChangeRequestCommentReply,
      getCommentReply: onChangeReplies.getChangeRequestCommentReply,
      listCommentReplies: onChangeReplies.listChangeRequestCommentReplies,
    },
    { changeRequestId: '1' },
  ],
] as const)('on %s', (_, comment, reply, more) => {
  test.each([
    ['document', { document }],
    ['markdown', { markdown }],
    [undefined, { markdown }],
  ])('bodies have the format %s', async (format, body) => {
    const at = { spaceId: sandbox.defaults.space ?? '', ...more } as {
      spaceId: string;
      changeRequestId: string;
    };
    const query = format === undefined ? {} : { format };
    const made = await sandbox.admin.ok(comment.createComment, { path: at, body: { body: { markdown } } });
    const path = { ...at, commentId: made.id };
    const answered = await sandbox.admin.ok(reply.createCommentReply, { path, body: { body: { markdown } } });
    expect([made.body, answered.body]).toEqual([{ markdown }, { markdown }]);

    expect((await sandbox.admin.ok(comment.getComment, { path, query })).body).toEqual(body);
    const { items } = await sandbox.admin.ok(comment.listComments, { path: at, query });
    expect(items.find(({ id }) => id === made.id)?.body).toEqual(body);
    const inReply = { ...path, commentReplyId: answered.id };
    expect((await sandbox.admin.ok(reply.getCommentReply, { path: inReply, query })).body).toEqual(body);
    const listed = await sandbox.admin.ok(reply.listCommentReplies, { path, query });
    expect(listed.items.map((item) => item.body)).toEqual([body]);
  });
});

test('a new reply on a change request is shown in the format of the call; an empty body stays empty', async () => {
  const at = { spaceId: sandbox.defaults.space ?? '', changeRequestId: '1' };
  const made = await sandbox.admin.ok(onChange.createChangeRequestComment, { path: at, body: { body: {} } });
  const path = { ...at, commentId: made.id };
  const query = { format: 'document' };
  const body = { body: { markdown: 'Yes' } };
  const reply = await sandbox.admin.ok(onChangeReplies.createChangeRequestCommentReply, {
    path,
    query,
    body,
  });
  expect(reply.body).toEqual({
    document: { object: 'document', nodes: [block('paragraph', [leaves(leaf('Yes'))])] },
  });
  expect((await sandbox.admin.ok(onChange.getChangeRequestComment, { path, query })).body).toEqual({});
  const wrong = { path, query: { format: 'html' } };
  await sandbox.admin.refuses(400, onChange.getChangeRequestComment, wrong);
});
