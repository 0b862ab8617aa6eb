import {
  createChangeRequestComment,
  deleteChangeRequestComment,
  getChangeRequestComment,
  listChangeRequestComments,
  updateChangeRequestComment,
} from '../../api/resources/change-request-comments.js';
import {
  createComment,
  deleteComment,
  getComment,
  listComments,
  updateComment,
} from '../../api/resources/comments.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
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
      aliases: ['ls'],
      operation: [listChangeRequestComments, listComments],
      summary: 'List the comments on a space or change request',
      why: 'Lists open and resolved comments; --status open lists only open ones.',
      flags: {
        targetPage: { name: 'page-id', value: '<page>' },
        authors: { name: 'author', value: '<user>' },
      },
      columns,
      examples: [
        { run: 'comments list --space s1 --status open', does: 'list the open comments' },
        {
          run: 'comments list --space s1 --change-request 5 --author u1 --author u2',
          does: 'list the comments of two authors',
        },
      ],
    }),
    command({
      name: 'create',
      operation: [createChangeRequestComment, createComment],
      summary: 'Comment on a space or change request',
      why: '--body takes Markdown; --page-id attaches the comment to a page.',
      flags: { body: markdownBody, page: { name: 'page-id', value: '<page>' } },
      columns: one,
      examples: [
        {
          run: 'comments create --space s1 --page-id p1 --body "Is this still true?"',
          does: 'comment on a page',
        },
        {
          run: 'comments create --space s1 --change-request 5 --body @review.md',
          does: 'read a long comment from a file',
        },
      ],
    }),
    command({
      name: 'get',
      operation: [getChangeRequestComment, getComment],
      summary: 'Get a comment on a space or change request',
      why: 'Shows the whole comment; --format markdown returns its Markdown.',
      args: { commentId: '<comment>' },
      columns: one,
      examples: [{ run: 'comments get k1 --space s1 --format markdown', does: 'show a comment as Markdown' }],
    }),
    command({
      name: 'update',
      operation: [updateChangeRequestComment, updateComment],
      summary: 'Edit, resolve or react to a comment',
      why: 'Changes only what you pass. --resolve closes a thread, --no-resolve opens it again.',
      args: { commentId: '<comment>' },
      flags: { resolved: { name: 'resolve', pair: 'unresolve' }, body: markdownBody, ...reactions },
      columns: one,
      examples: [
        { run: 'comments update k1 --space s1 --resolve', does: 'resolve a comment' },
        { run: 'comments update k1 --space s1 --react 👍 --unreact 👀', does: 'replace a reaction' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: [deleteChangeRequestComment, deleteComment],
      summary: 'Delete comments on a space or change request',
      why: 'To close a thread and keep what was said, use docs comments update --resolve.',
      args: { commentId: '<comment...>' },
      examples: [{ run: 'comments delete k1 k2 --space s1 --yes', does: 'delete two comments' }],
    }),
    replies,
  ],
};
