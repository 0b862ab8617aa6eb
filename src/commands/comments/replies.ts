import {
  createChangeRequestCommentReply,
  getChangeRequestCommentReply,
  listChangeRequestCommentReplies,
} from '../../api/resources/change-request-comment-replies.js';
import {
  createCommentReply,
  getCommentReply,
  listCommentReplies,
  updateCommentReply,
} from '../../api/resources/comment-replies.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/standing-flags.js';
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
      aliases: ['ls'],
      operation: [listChangeRequestCommentReplies, listCommentReplies],
      summary: 'List the replies to a comment',
      why: 'Lists the replies in the order they were written.',
      args: { commentId: '<comment>' },
      columns: [columns[0], columns[1], { ...columns[2], as: 'firstLine' }, 'id'],
      examples: [{ run: 'comments replies list k1 --space s1', does: 'list the replies to a comment' }],
    }),
    command({
      name: 'create',
      operation: [createChangeRequestCommentReply, createCommentReply],
      summary: 'Reply to a comment',
      why: '--body takes Markdown. To close the thread as well, use docs comments update --resolve.',
      args: { commentId: '<comment>' },
      flags: { body: markdownBody },
      columns,
      examples: [
        {
          run: 'comments replies create k1 --space s1 --body "Fixed in the last revision."',
          does: 'reply to a comment',
        },
      ],
    }),
    command({
      name: 'get',
      operation: [getChangeRequestCommentReply, getCommentReply],
      summary: 'Get a reply to a comment',
      why: 'Shows a whole reply.',
      args: { commentId: '<comment>', commentReplyId: '<reply>' },
      columns,
      examples: [{ run: 'comments replies get k1 r1 --space s1', does: 'show a reply' }],
    }),
    onlyOnSpaces(
      command({
        name: 'update',
        operation: updateCommentReply,
        why: 'Works only for replies to comments on a space.',
        args: { commentId: '<comment>', commentReplyId: '<reply>' },
        flags: { body: markdownBody, ...reactions },
        columns,
        examples: [
          { run: 'comments replies update k1 r1 --space s1 --body "Fixed."', does: 'edit a reply' },
          { run: 'comments replies update k1 r1 --space s1 --react 🎉', does: 'add a reaction' },
        ],
      }),
    ),
  ],
};
