import { spaceListOperations } from '../../api/organization-spaces.js';
import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import {
  createChangeRequestComment,
  listChangeRequestComments,
} from '../../api/resources/change-request-comments.js';
import {
  getChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import { pingOrg } from '../../api/resources/orgs.js';
import { getSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { StaleRow, usualSpans } from '../../workflows/stale/row.js';
import { fullOption } from '../plan/options.js';

/** `docs change-requests stale`. */
export const stale = manual({
  name: 'stale',
  summary: 'Warn about stale change requests, then archive them',
  why:
    'Comments on open change requests that nothing happened on, and with --archive closes those that were warned ' +
    'and stayed silent, all as one job. Undo deletes the comments and restores the status, but the platform ' +
    'then counts the change request as updated.',
  options: [
    option('--older-than <time>', 'How long nothing has happened on them', { default: usualSpans.olderThan }),
    option('--warn <time>', 'How long the author has to react', { default: usualSpans.warn }),
    option('--archive', 'Archive those whose time is up'),
    option('--drafts', 'Drafts too'),
    option('--space <space>...', 'Only in this space'),
    option(
      '--exempt <change-request>...',
      'Leave it alone: id, <space>/<number>, URL, or @file with one a line',
      { asTyped: true, reads: 'at' },
    ),
    option('--exempt-author <user>...', 'Leave the change requests of this member alone', { emails: true }),
    option('--message <text>', 'Text of the warning, or @file; may use {author}, {date}, {days}, {subject}', {
      longText: true,
      reads: 'at',
      conflicts: ['list'],
    }),
    option('--as <user>', 'Count the warnings of this member; default: the owner of the token', {
      emails: true,
    }),
    option('--list', 'List what would be done and what is left alone; change nothing'),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...spaceListOperations,
    ...[
      getSpace,
      listChangeRequests,
      getChangeRequest,
      listChangeRequestComments,
      listChangeRequestCommentReplies,
    ],
    ...[pingOrg, createChangeRequestComment, updateChangeRequest],
  ],
  returns: Type.Union([Type.Array(StaleRow), Type.Array(AppliedItem)]),
  columns: [
    { path: 'space.title', label: 'SPACE' },
    { path: 'number', keep: true },
    { path: 'subject', keep: true },
    { path: 'author.displayName', label: 'AUTHOR' },
    'age',
    { path: 'action', as: 'state', keep: true },
    'archiveAfter',
    'why',
    'id',
  ],
  empty: 'No stale change requests.',
  exits: ['partial', 'conflict'],
  examples: {
    'change-requests stale --older-than 60d --list': 'list stale change requests and what would be done',
    'change-requests stale --older-than 60d --warn 14d --dry-run': 'show the comments that would be posted',
    'change-requests stale --older-than 60d --warn 14d --archive --yes':
      'warn, and archive what was warned two weeks ago and stayed silent',
  },
  danger: 'confirm',
  async run(session, input, { groups, view }) {
    await (await import('./stale-run.js')).staleRequests(session, input, { groups, view });
  },
});
