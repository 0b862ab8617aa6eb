import * as api from '../../api/resources/change-requests.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { ContentChange, Reviewed } from '../../change-requests/change.js';
import * as reads from '../../change-requests/operations.js';
import { StaleRow, usualSpans } from '../../change-requests/stale.js';
import { downloadable } from '../../cli/run/download.js';
import {
  type Command,
  command,
  concurrencyOption,
  contextOption,
  fullOption,
  type Group,
  manual,
  type Option,
  option,
  paceOption,
  partsOptions,
  report,
  shardOption,
  Type,
  type Watched,
} from '../../cli/run/report.js';
import { contextWords } from '../../cli/run/view.js';
import { runOperation } from '../../cli/run/whole-run.js';
import {
  AppliedItem,
  closed,
  flag,
  inboxReasons,
  maybe,
  orNull,
  stateOf,
  text,
} from '../../output/printed-shapes.js';

const forms = ['md', 'stat', 'html'];
const form = (name: string, description: string, more: Partial<Option> = {}) =>
  option(`--${name}`, description, { conflicts: forms.filter((other) => other !== name), ...more });

/** Columns of what a change request changes. */
const changeColumns = [
  { path: 'change', keep: true },
  'kind',
  { path: 'title', keep: true },
  'path',
  { path: 'words.added', label: 'ADDED' },
  { path: 'words.removed', label: 'REMOVED' },
  { path: 'id', as: 'id' },
] as const;

const diff = report({
  name: 'diff',
  summary: 'Show the changes of a change request, word by word',
  why:
    'Compares its pages and files with the current content of the space, reading only texts that may ' +
    'differ. Names pages that could not be read, and then exits 3.',
  args: { '<change-request>': 'Change request, by id or number' },
  options: [
    form('stat', 'Print one line for each page'),
    form('md', 'Print Markdown for a pull request', { hidden: true }),
    form('html', 'Print one page of HTML', { hidden: true }),
    option('--page-id <page>...', 'Only this page', { kind: 'page' }),
    concurrencyOption,
    contextOption('spaceId'),
  ],
  operations: reads.diffReads,
  returns: Type.Array(ContentChange),
  media: ['markdown', 'html'],
  columns: changeColumns,
  examples: {
    'change-requests diff 3 --space s1': 'show the words that a change request adds and removes',
    'change-requests diff 3 --space s1 --stat': 'show how much of each page changes',
    'change-requests diff 3 --space s1 -o markdown': 'print a comment for a pull request',
    'change-requests diff 3 --space s1 --out changes.html': 'save a page to send to a reviewer',
    "change-requests diff 3 --space s1 --jq '.[] | select(.from) | .path'": 'list the pages that moved',
  },
  load: async () => (await import('./diff.js')).diffReport,
});

/** Columns of change requests of one space. */
const columns = [
  { path: 'number', keep: true },
  { path: 'subject', keep: true },
  { path: 'status', as: 'state', lead: true },
  { path: 'createdBy.displayName', label: 'AUTHOR', lead: true },
  'updatedAt',
  'comments',
  'outdated',
  { path: 'id', keep: true },
] as const;

const moves = { field: 'status', moving: ['draft', 'open'] };

/** `--watch` of a change request: until it is merged or archived. */
const watchedRequest: Watched = { ...moves, final: ['archived', 'merged'] };

/** Of a list, which is never final: until Ctrl-C. */
const watchedRequests: Watched = moves;

/** `docs change-requests stale`. */
const stale = manual({
  name: 'stale',
  summary: 'Comment on stale change requests, then archive them',
  guide: 'docs-team archive-stale-change-requests',
  why:
    'Comments on open change requests without recent activity and, with --archive, archives those that ' +
    'stay inactive after the comment, all as one job. Reopening by undo counts as activity, so those are ' +
    'skipped for another --older-than.',
  options: [
    option('--older-than <time>', 'Minimum time without activity', { default: usualSpans.olderThan }),
    option('--warn <time>', 'Time between the comment and archiving', { default: usualSpans.warn }),
    option('--archive', 'Archive those still inactive when the time after the comment is up'),
    option('--drafts', 'Include drafts'),
    option('-s, --space <space>...', 'Only change requests of this space'),
    option(
      '--exempt <change-request>...',
      'Skip this one: id, <space>/<number>, URL, or @file with one per line',
      { asTyped: true, reads: 'at' },
    ),
    option('--exempt-author <user>...', 'Skip the change requests of this member', { emails: true }),
    option('--message <text>', 'Text of the comment, with {author}, {date}, {days} and {subject} filled in', {
      longText: true,
      reads: 'at',
      conflicts: ['list'],
    }),
    option('--as <user>', 'Member whose earlier comments count; default: the owner of the token', {
      emails: true,
    }),
    option('--list', 'List the planned and skipped changes; change nothing', { conflicts: ['save-plan'] }),
    fullOption,
    shardOption,
    ...partsOptions(),
    concurrencyOption,
    paceOption,
    contextOption('organizationId'),
  ],
  operations: reads.staleOperations,
  returns: Type.Union([Type.Array(StaleRow), Type.Array(AppliedItem)]),
  columns: [
    { path: 'space.title', label: 'SPACE', lead: true },
    { path: 'number', keep: true },
    { path: 'subject', keep: true },
    { path: 'author.displayName', label: 'AUTHOR', lead: true },
    { path: 'age', keep: true },
    { path: 'action', as: 'state', keep: true },
    'archiveAfter',
    'why',
    'id',
  ],
  empty: 'No stale change requests.',
  exits: ['partial', 'conflict'],
  examples: {
    'change-requests stale --older-than 60d --list': 'list stale change requests and the planned changes',
    'change-requests stale --list --shard 1/2 --parts parts':
      'list those of one half of the spaces, to join both later',
    'change-requests stale --older-than 60d --warn 14d --dry-run': 'show the comments that would be posted',
    'change-requests stale --older-than 60d --warn 14d --archive --yes':
      'comment, and archive those still inactive two weeks after a comment',
  },
  danger: 'confirm',
  async run(session, input, around) {
    await (await import('./stale.js')).staleRequests(session, input, around);
  },
});

const WaitingRequest = closed({
  id: text,
  number: orNull(Type.Number()),
  subject: text,
  status: stateOf('open', 'draft'),
  space: closed({ id: text, title: text }),
  author: orNull(closed({ id: text, displayName: maybe, email: maybe })),
  reasons: Type.Array(stateOf(...inboxReasons), { description: 'Why it waits, the most urgent first' }),
  unanswered: orNull(
    Type.Integer({ description: 'Threads that wait for an answer; null if comments were not read' }),
  ),
  comments: orNull(Type.Integer({ description: 'Unresolved comments' })),
  outdated: orNull(flag),
  updatedAt: orNull(text),
  urls: closed({ app: maybe }),
});

/** `docs change-requests inbox`. */
const inbox = report({
  name: 'inbox',
  summary: 'List the change requests that wait for you',
  guide: 'docs-team see-what-waits-for-you',
  why:
    'Lists your change requests that are drafts, outdated, ready to merge or have unanswered comments, and ' +
    'those of others that you may merge or in which someone answered you. Names anything that could not be ' +
    'read, and then exits 3.',
  options: [
    option('--reason <reason>...', 'Only those that wait for this reason', {
      choices: inboxReasons,
      closed: true,
    }),
    option('--as <user>', 'Show the inbox of this member; default: the owner of the token', {
      kind: 'member',
    }),
    option('-L, --limit <n>', 'Maximum number of items; default: all', { number: 'count' }),
    contextOption('organizationId'),
  ],
  operations: reads.inboxReads,
  plannable: false,
  returns: Type.Array(WaitingRequest),
  columns: [
    { path: 'reasons', keep: true },
    { path: 'space.title', label: 'SPACE', lead: true },
    { path: 'number', label: 'NO', keep: true },
    { path: 'subject', keep: true },
    'updatedAt',
    { path: 'author.displayName', label: 'AUTHOR', lead: true },
    'unanswered',
    { path: 'status', as: 'state' },
    { path: 'id', as: 'id' },
    { path: 'space.id', as: 'id' },
    { path: 'urls.app', as: 'url' },
  ],
  watch: watchedRequests,
  examples: {
    'change-requests inbox': 'list your open tasks in all spaces',
    'cr inbox --reason unanswered --reason outdated': 'list those that others wait for you to move on',
    'cr inbox --as u1 --json': 'list the open tasks of another member',
  },
  load: async () => (await import('./inbox.js')).inboxReport,
});

/** A change request with the space that it belongs to. */
const SpaceRequest = Type.Object({
  ...api.ChangeRequest.properties,
  space: closed({ id: text, title: text }),
});

const further = [
  option('--all-spaces', 'List change requests of all spaces, the oldest update first', {
    conflicts: ['space', 'page'],
  }),
  option('--updated-before <time>', 'Only those last updated before this date or span ago: 2026-01-31, 60d'),
  option('--updated-after <time>', 'Only those updated since this date or within this span: 2026-01-31, 7d'),
  contextOption('organizationId'),
];

const inSpace = command({
  name: 'list',
  operation: api.listChangeRequests,
  why:
    'Lists open change requests unless --status says otherwise. With --all-spaces, skips spaces whose ' +
    'counters show none, names spaces that could not be read, and then exits 3.',
  flags: { contributor: { value: '<user>' } },
  columns,
  watch: watchedRequests,
  examples: {
    'change-requests list --space s1': 'list the open change requests',
    'cr list --space s1 --status draft --contributor u1': 'list the drafts of a contributor',
    'cr list --all-spaces --limit 5': 'list the five that waited longest in all spaces',
    'cr list --all-spaces --updated-before 60d -o csv': 'list those not updated for 60 days',
    "cr list --all-spaces --jq '.[] | [.space.id, .id] | @tsv'": 'print the ids that a loop needs',
  },
});

/** `docs change-requests list`: of one space, as the platform lists them, or of all. */
const list: Command = {
  ...inSpace,
  options: [...inSpace.options, ...further],
  returns: Type.Array(SpaceRequest),
  exits: ['partial'],
  async run(session, input, around) {
    const { allSpaces, updatedBefore, updatedAfter } = input.options;
    if ([allSpaces, updatedBefore, updatedAfter].every((typed) => typed === undefined))
      return runOperation(session, inSpace, input);
    const { listRequests } = await import('./list.js');
    await listRequests(inSpace, SpaceRequest, { session, input, ...around });
  },
};

/** `docs change-requests merge`. */
const merging = command({
  name: 'merge',
  operation: api.mergeChangeRequest,
  done: 'merged',
  says: ({ sentence, named, path }) => `${sentence} into ${named('space', path('spaceId'))}`,
  args: { changeRequestId: '<change-request>' },
  why:
    'If both sides changed the same pages, nothing is merged and the exit code is 7. If a condition is not ' +
    'met right before merging, nothing is sent and the exit code is 17.',
  guard: async () => (await import('./merge-guard.js')).guardMerge,
  guardFlags: [
    option('--if-links-clean', 'Merge only if no page of the change request has a broken link'),
    option('--if-not-outdated', 'Merge only if it has the latest content of the space'),
    option('--if-no-open-comments', 'Merge only if every comment on it is resolved'),
  ],
  guardReads: reads.mergeReads,
  danger: 'confirm',
  columns: [{ path: 'result', as: 'state' }, 'revision'],
  id: 'revision',
  examples: {
    'change-requests merge 3 --space s1 --yes': 'merge a change request into its space',
    'cr merge 3 --space s1 --if-links-clean --if-not-outdated --if-no-open-comments --yes':
      'merge it from a pipeline, only if it is ready',
  },
});

const merge: Command = {
  ...failOnConflicts(merging),
  exits: ['findings', 'partial'],
};

const review = report({
  name: 'review',
  summary: 'Show a change request with its comments, then decide',
  why:
    'Shows its changes page by page and its comments; on a terminal it then asks whether to comment, merge ' +
    'or open it in the browser. Elsewhere it only prints.',
  args: { '<change-request>': 'Change request, by id or number' },
  options: [concurrencyOption, contextOption('spaceId')],
  operations: reads.reviewReads,
  returns: Type.Array(Reviewed),
  columns: changeColumns,
  exits: ['conflict'],
  // It asks once its own pager has closed.
  unpaged: true,
  examples: {
    'change-requests review 3 --space s1': 'read a change request, then comment on it or merge it',
    'change-requests review 3 --space s1 --jq \'.[] | select(.comments[].status == "open") | .title\'':
      'list the pages with open comments',
  },
  load: async () => (await import('./diff.js')).reviewReport,
});

export const changeRequests: Group = {
  name: 'change-requests',
  aliases: ['cr'],
  noun: 'change request',
  summary: 'Manage the change requests of a space',
  why: 'A change request proposes changes to a space. Name it by its id or its number in the space.',
  commands: [
    list,
    inbox,
    command({
      name: 'create',
      operation: api.createChangeRequest,
      why: 'Creates a draft. To ask for a review, use docs change-requests update --status open.',
      columns,
      says: ({ sentence, textOf }) => [sentence, textOf('urls.app')],
      examples: { 'change-requests create --space s1 --subject "Fix the setup guide"': 'create a draft' },
    }),
    command({
      name: 'get',
      operation: api.getChangeRequest,
      why: 'Shows the subject, status, author and comments, and whether it is behind the space.',
      args: { changeRequestId: '<change-request>' },
      columns,
      watch: watchedRequest,
      examples: {
        'change-requests get 3 --space s1': 'show a change request by its number',
        'change-requests get 3 --space s1 --watch': 'watch it until it is merged or archived',
      },
    }),
    command({
      name: 'update',
      operation: api.updateChangeRequest,
      why:
        '--status open asks for a review, draft withdraws it, archived closes the change request. To ' +
        'merge, use docs change-requests merge.',
      args: { changeRequestId: '<change-request>' },
      columns,
      examples: {
        'change-requests update 3 --space s1 --status open': 'ask for a review',
        'change-requests update 3 --space s1 --subject "Setup guide"': 'change the subject',
      },
    }),
    merge,
    failOnConflicts(
      command({
        name: 'pull',
        operation: api.pullChangeRequest,
        done: 'pulled',
        says: ({ what, named, path }) =>
          `Updated ${what} with the latest content of ${named('space', path('spaceId'))}`,
        args: { changeRequestId: '<change-request>' },
        why: 'If both sides changed the same pages, nothing is pulled and the exit code is 7.',
        columns: [{ path: 'result', as: 'state' }, 'revision'],
        id: 'revision',
        examples: { 'change-requests pull 3 --space s1': 'update a change request that is behind the space' },
      }),
    ),
    stale,
    downloadable(
      command({
        name: 'pdf',
        operation: api.getChangeRequestPdf,
        why: 'Prints the address of the PDF; --download saves the file.',
        args: { changeRequestId: '<change-request>' },
        flags: { page: { name: 'page-id', value: '<page>' }, only: { pair: false } },
        columns: ['url'],
        id: 'url',
        examples: {
          'change-requests pdf 3 --space s1': 'print the address of a PDF of all pages',
          'change-requests pdf 3 --space s1 --page-id p1 --only --download guide.pdf':
            'save a PDF of one page',
        },
      }),
      {
        url: ({ url }) => url,
        name: (_, { args }) => `change-request-${args['change-request']}.pdf`,
        id: (_, { args }) => String(args['change-request']),
      },
    ),
    diff,
    review,
  ],
};

/** Conflicts come as a success of the platform that changed nothing; a script must not go on. */
function failOnConflicts(merging: Command): Command {
  return {
    ...merging,
    async run(session, input) {
      const answer = (await runOperation(session, this, input)) as { result?: unknown } | undefined;
      if (answer?.result !== 'conflicts') return;
      const { platform } = session.io;
      const id = shellWord(String(input.args['change-request']), platform);
      const words = [id, ...contextWords(this, input, platform), '--fields urls.app'];
      const message = 'the change request and the main content changed the same pages; nothing was changed';
      throw new DocsError('conflict', 'conflicts', message, {
        outcome: 'refused',
        hint: `docs change-requests get ${words.join(' ')}`,
      });
    },
  };
}
