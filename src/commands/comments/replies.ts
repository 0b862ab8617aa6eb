import * as requestApi from '../../api/resources/comments.js';
import * as api from '../../api/resources/comments.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/flags.js';
import { bodyAsText } from './body-text.js';
import { markdownBody, reactions } from './flags.js';

const columns = [
  { path: 'postedBy.displayName', label: 'AUTHOR' },
  { path: 'postedAt', label: 'POSTED' },
  { path: 'body.markdown', label: 'REPLY' },
  'id',
] as const;

/** `--change-request` is known here, to say why it cannot be. */
function onlyOnSpaces(update: Command): Command {
  const refused = {
    ...contextOption('changeRequestId'),
    description: 'Not available: the platform changes replies on spaces only',
    parse(): never {
      throw new Error('is not available here: the platform changes replies on spaces only');
    },
  };
  return { ...update, options: [...update.options, refused] };
}

export const replies: Group = {
  name: 'replies',
  noun: 'reply',
  summary: 'Manage the replies to a comment',
  why: 'The platform cannot delete replies, and can edit only those on spaces.',
  commands: [
    command({
      name: 'list',
      operation: [requestApi.listChangeRequestCommentReplies, api.listCommentReplies],
      summary: 'List the replies to a comment',
      why: 'Lists the replies in the order they were written.',
      args: { commentId: '<comment>' },
      columns: [columns[0], columns[1], { ...columns[2], as: 'firstLine' }, 'id'],
      examples: { 'comments replies list k1 --space s1': 'list the replies to a comment' },
    }),
    command({
      name: 'create',
      operation: [requestApi.createChangeRequestCommentReply, api.createCommentReply],
      summary: 'Reply to a comment',
      why: '--body takes Markdown. To close the thread as well, use docs comments update --resolve.',
      args: { commentId: '<comment>' },
      flags: { body: markdownBody },
      columns,
      examples: {
        'comments replies create k1 --space s1 --body "Fixed in the last revision."': 'reply to a comment',
      },
    }),
    bodyAsText(
      command({
        name: 'get',
        operation: [requestApi.getChangeRequestCommentReply, api.getCommentReply],
        summary: 'Get a reply to a comment',
        why: 'Shows a whole reply.',
        args: { commentId: '<comment>', commentReplyId: '<reply>' },
        columns,
        examples: { 'comments replies get k1 r1 --space s1': 'show a reply' },
      }),
    ),
    onlyOnSpaces(
      command({
        name: 'update',
        operation: api.updateCommentReply,
        why: 'Works only for replies to comments on a space.',
        args: { commentId: '<comment>', commentReplyId: '<reply>' },
        flags: { body: markdownBody, ...reactions },
        columns,
        examples: {
          'comments replies update k1 r1 --space s1 --react 🎉': 'add a reaction',
        },
      }),
    ),
  ],
};
