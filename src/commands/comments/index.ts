import * as api from '../../api/resources/comments.js';
import { isObject } from '../../base/values.js';
import type { Command, FlagChange, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { viewOf } from '../../cli/declare/shown.js';
import { isReading } from '../../cli/run/output.js';
import { readResource, runOperation } from '../../cli/run/whole-run.js';

/** `--body`: the text in Markdown. */
const markdownBody: FlagChange = {
  value: '<markdown>',
  description: 'Text in Markdown',
  longText: true,
  parse: (markdown) => ({ markdown }),
};

/** `--react` and `--unreact`. */
const reactions: Record<string, FlagChange> = {
  addedReactions: { name: 'react', value: '<emoji>' },
  removedReactions: { name: 'unreact', value: '<emoji>' },
};

const columns = [
  { path: 'postedBy.displayName', label: 'AUTHOR', keep: true },
  { path: 'body.markdown', label: 'COMMENT', as: 'firstLine', keep: true },
  { path: 'status', as: 'state', lead: true },
  { path: 'postedAt', label: 'POSTED' },
  { path: 'target.page.title', label: 'PAGE' },
  'replies',
  { path: 'id', keep: true },
] as const;

const one = columns.map((column) =>
  column === columns[1] ? ({ path: 'body.markdown', label: 'COMMENT' } as const) : column,
);

const replyColumns = [
  { path: 'postedBy.displayName', label: 'AUTHOR' },
  { path: 'postedAt', label: 'POSTED' },
  { path: 'body.markdown', label: 'REPLY', lead: true },
  'id',
] as const;

const replies: Group = {
  name: 'replies',
  noun: 'reply',
  summary: 'Manage the replies to a comment',
  why: 'The API cannot delete replies, and can edit only those on spaces.',
  commands: [
    command({
      name: 'list',
      operation: [api.listChangeRequestCommentReplies, api.listCommentReplies],
      summary: 'List the replies to a comment',
      why: 'Lists the replies in the order they were written.',
      args: { commentId: '<comment>' },
      columns: [replyColumns[0], replyColumns[1], { ...replyColumns[2], as: 'firstLine' }, 'id'],
      examples: { 'comments replies list k1 --space s1': 'list the replies to a comment' },
    }),
    command({
      name: 'create',
      operation: [api.createChangeRequestCommentReply, api.createCommentReply],
      summary: 'Reply to a comment',
      why: '--body takes Markdown. To close the thread as well, use docs comments update --resolve.',
      args: { commentId: '<comment>' },
      flags: { body: markdownBody },
      columns: replyColumns,
      examples: {
        'comments replies create k1 --space s1 --body "Fixed in the last revision."': 'reply to a comment',
      },
    }),
    bodyAsText(
      command({
        name: 'get',
        operation: [api.getChangeRequestCommentReply, api.getCommentReply],
        summary: 'Get a reply to a comment',
        why: 'Shows a whole reply.',
        args: { commentId: '<comment>', commentReplyId: '<reply>' },
        columns: replyColumns,
        examples: { 'comments replies get k1 r1 --space s1': 'show a reply' },
      }),
    ),
    command({
      name: 'update',
      operation: api.updateCommentReply,
      why: 'Works only for replies to comments on a space.',
      args: { commentId: '<comment>', commentReplyId: '<reply>' },
      flags: { body: markdownBody, ...reactions },
      columns: replyColumns,
      examples: {
        'comments replies update k1 r1 --space s1 --react 🎉': 'add a reaction',
      },
    }),
  ],
};

/** `get` of a comment or a reply: on a terminal its text stands below the fields, as it is meant to be read. */

function bodyAsText(command: Command): Command {
  return {
    ...command,
    async run(session, input) {
      const [op] = command.operations;
      const isRead = op !== undefined && input.options.format === undefined && isReading(session);
      if (!isRead) return runOperation(session, command, input);
      const asked = { ...input, options: { ...input.options, format: 'markdown' } };
      const answer = await readResource(session, this, asked);
      const body = isObject(answer) && isObject(answer.body) ? answer.body.markdown : undefined;
      const view = viewOf(command, op);
      if (!isObject(answer) || typeof body !== 'string') return session.printer.one(answer, view);
      const { body: _, ...rest } = answer;
      const columns = view.columns.filter(({ path }) => path !== 'body.markdown');
      await session.printer.one(rest, { ...view, columns });
      await session.printer.painted('\n');
      const { printMarkdown } = await import('../../cli/run/output.js');
      await printMarkdown(session, body);
    },
  };
}

export const comments: Group = {
  name: 'comments',
  noun: 'comment',
  summary: 'Manage comments and replies',
  why: 'Works on the comments of a space; with --change-request, on those of a change request.',
  commands: [
    command({
      name: 'list',
      operation: [api.listChangeRequestComments, api.listComments],
      summary: 'List the comments on a space or change request',
      why: 'Lists open and resolved comments; --status open lists only open ones.',
      flags: {
        targetPage: { name: 'page-id', value: '<page>' },
        authors: { name: 'author', value: '<user>' },
      },
      columns,
      examples: {
        'comments list --space s1 --status open': 'list the open comments',
        'comments list --space s1 --change-request 3 --author u1 --author u2':
          'list the comments of two authors',
      },
    }),
    command({
      name: 'create',
      operation: [api.createChangeRequestComment, api.createComment],
      summary: 'Comment on a space or change request',
      why: '--body takes Markdown; --page-id attaches the comment to a page.',
      flags: { body: markdownBody, page: { name: 'page-id', value: '<page>' } },
      columns: one,
      examples: {
        'comments create --space s1 --page-id p1 --body "Is this still true?"': 'comment on a page',
        'comments create --space s1 --change-request 3 --body @review.md': 'read a long comment from a file',
      },
    }),
    bodyAsText(
      command({
        name: 'get',
        operation: [api.getChangeRequestComment, api.getComment],
        summary: 'Get a comment on a space or change request',
        why: 'Shows the whole comment; --format markdown returns its Markdown.',
        args: { commentId: '<comment>' },
        columns: one,
        examples: { 'comments get k1 --space s1 --format markdown': 'show a comment as Markdown' },
      }),
    ),
    command({
      name: 'update',
      operation: [api.updateChangeRequestComment, api.updateComment],
      summary: 'Edit, resolve or react to a comment',
      why: 'Changes only what you pass. --resolve closes a thread, --unresolve reopens it.',
      args: { commentId: '<comment>' },
      flags: { resolved: { name: 'resolve', pair: 'unresolve' }, body: markdownBody, ...reactions },
      columns: one,
      says: ({ sentence, what, sent, textOf }) => {
        const others = ['body', 'addedReactions', 'removedReactions'];
        if (sent('resolved') === undefined || others.some((name) => sent(name) !== undefined))
          return sentence;
        return textOf('status') === 'resolved' ? `Resolved ${what}` : `Reopened ${what}`;
      },
      examples: {
        'comments update k1 --space s1 --resolve': 'resolve a comment',
        'comments update k1 --space s1 --react 👍 --unreact 👀': 'replace a reaction',
      },
    }),
    command({
      name: 'delete',
      operation: [api.deleteChangeRequestComment, api.deleteComment],
      summary: 'Delete comments on a space or change request',
      why: 'To close a thread without deleting it, use docs comments update --resolve.',
      args: { commentId: '<comment...>' },
      examples: { 'comments delete k1 k2 --space s1 --yes': 'delete two comments' },
    }),
    replies,
  ],
};
