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
import { getMember } from '../../api/resources/members.js';
import { pingOrg } from '../../api/resources/orgs.js';
import { getSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import {
  concurrencyOption,
  contextOption,
  option,
  paceOption,
  partsOptions,
  shardOption,
} from '../../cli/declare/standing-flags.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { StaleRow, usualSpans } from '../../workflows/stale/row.js';
import { fullOption } from '../plan/options.js';

/** `docs change-requests stale`. */
export const stale = manual({
  name: 'stale',
  summary: 'Comment on stale change requests, then archive them',
  guide: 'docs-team archive-stale-change-requests',
  why:
    'Comments on open change requests without recent activity and, with --archive, archives those where nothing ' +
    'happened after that, all as one job. What undo opens again counts as updated, so it is left alone for another ' +
    '--older-than.',
  options: [
    option('--older-than <time>', 'Minimum time without activity', { default: usualSpans.olderThan }),
    option('--warn <time>', 'Time between the comment and archiving', { default: usualSpans.warn }),
    option('--archive', 'Archive those whose time after the comment is up'),
    option('--drafts', 'Include drafts'),
    option('--space <space>...', 'Only change requests of this space'),
    option(
      '--exempt <change-request>...',
      'Leave this one alone: id, <space>/<number>, URL, or @file with one a line',
      { asTyped: true, reads: 'at' },
    ),
    option('--exempt-author <user>...', 'Leave the change requests of this member alone', { emails: true }),
    option('--message <text>', 'Text of the comment, with {author}, {date}, {days} and {subject} filled in', {
      longText: true,
      reads: 'at',
      conflicts: ['list'],
    }),
    option('--as <user>', 'Member whose earlier comments count; default: the owner of the token', {
      emails: true,
    }),
    option('--list', 'List what would be done and what is left alone; change nothing'),
    fullOption,
    shardOption,
    ...partsOptions(),
    concurrencyOption,
    paceOption,
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
    ...[getMember, pingOrg, createChangeRequestComment, updateChangeRequest],
  ],
  returns: Type.Union([Type.Array(StaleRow), Type.Array(AppliedItem)]),
  columns: [
    { path: 'space.title', label: 'SPACE' },
    { path: 'number', keep: true },
    { path: 'subject', keep: true },
    { path: 'author.displayName', label: 'AUTHOR' },
    { path: 'age', keep: true },
    { path: 'action', as: 'state', keep: true },
    'archiveAfter',
    'why',
    'id',
  ],
  empty: 'No stale change requests.',
  exits: ['partial', 'conflict'],
  examples: {
    'change-requests stale --older-than 60d --list': 'list stale change requests and what would be done',
    'change-requests stale --list --shard 1/2 --parts parts':
      'list those of one half of the spaces, to join both later',
    'change-requests stale --older-than 60d --warn 14d --dry-run': 'show the comments that would be posted',
    'change-requests stale --older-than 60d --warn 14d --archive --yes':
      'warn, and archive what was warned two weeks ago and stayed silent',
  },
  danger: 'confirm',
  async run(session, input, { groups, view }) {
    await (await import('./stale-run.js')).staleRequests(session, input, { groups, view });
  },
});
