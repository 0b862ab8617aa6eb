import * as requestApi from '../../api/resources/comments.js';
import * as api from '../../api/resources/comments.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { bodyAsText } from './body-text.js';
import { markdownBody, reactions } from './flags.js';
import { replies } from './replies.js';

const columns = [
  { path: 'postedBy.displayName', label: 'AUTHOR', keep: true },
  { path: 'body.markdown', label: 'COMMENT', as: 'firstLine', keep: true },
  { path: 'status', as: 'state' },
  { path: 'postedAt', label: 'POSTED' },
  { path: 'target.page.title', label: 'PAGE' },
  'replies',
  { path: 'id', keep: true },
] as const;

const one = columns.map((column) =>
  column === columns[1] ? ({ path: 'body.markdown', label: 'COMMENT' } as const) : column,
);

export const comments: Group = {
  name: 'comments',
  noun: 'comment',
  summary: 'Manage comments and replies',
  why: 'Works on the comments of a space; with --change-request, on those of a change request.',
  commands: [
    command({
      name: 'list',
      operation: [requestApi.listChangeRequestComments, api.listComments],
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
      operation: [requestApi.createChangeRequestComment, api.createComment],
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
        operation: [requestApi.getChangeRequestComment, api.getComment],
        summary: 'Get a comment on a space or change request',
        why: 'Shows the whole comment; --format markdown returns its Markdown.',
        args: { commentId: '<comment>' },
        columns: one,
        examples: { 'comments get k1 --space s1 --format markdown': 'show a comment as Markdown' },
      }),
    ),
    command({
      name: 'update',
      operation: [requestApi.updateChangeRequestComment, api.updateComment],
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
      operation: [requestApi.deleteChangeRequestComment, api.deleteComment],
      summary: 'Delete comments on a space or change request',
      why: 'To close a thread and keep what was said, use docs comments update --resolve.',
      args: { commentId: '<comment...>' },
      examples: { 'comments delete k1 k2 --space s1 --yes': 'delete two comments' },
    }),
    replies,
  ],
};
