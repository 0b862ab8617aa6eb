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
  summary: 'Replies to a comment',
  why: 'A reply answers a comment. The platform has no way to delete one, and changes those on spaces only.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: [listChangeRequestCommentReplies, listCommentReplies],
      summary: 'List the replies to a comment',
      why: 'The thread below a comment, in the order it was written.',
      args: { commentId: '<comment>' },
      columns: [columns[0], columns[1], { ...columns[2], as: 'firstLine' }, 'id'],
      examples: [{ run: 'comments replies list k1 --space s1', does: 'what was answered' }],
    }),
    command({
      name: 'create',
      operation: [createChangeRequestCommentReply, createCommentReply],
      summary: 'Reply to a comment',
      why: '--body takes Markdown. To close the thread as well: docs comments update --resolve.',
      args: { commentId: '<comment>' },
      flags: { body: markdownBody },
      columns,
      examples: [
        { run: 'comments replies create k1 --space s1 --body "Fixed in the last revision."', does: 'answer' },
      ],
    }),
    command({
      name: 'get',
      operation: [getChangeRequestCommentReply, getCommentReply],
      summary: 'Get a reply to a comment',
      why: 'One answer, whole.',
      args: { commentId: '<comment>', commentReplyId: '<reply>' },
      columns,
      examples: [{ run: 'comments replies get k1 r1 --space s1', does: 'one reply' }],
    }),
    onlyOnSpaces(
      command({
        name: 'update',
        operation: updateCommentReply,
        why: 'For a correction or a reaction; the platform does this for replies on spaces only.',
        args: { commentId: '<comment>', commentReplyId: '<reply>' },
        flags: { body: markdownBody, ...reactions },
        columns,
        examples: [
          { run: 'comments replies update k1 r1 --space s1 --body "Fixed."', does: 'say it better' },
          { run: 'comments replies update k1 r1 --space s1 --react 🎉', does: 'react to it' },
        ],
      }),
    ),
  ],
};
