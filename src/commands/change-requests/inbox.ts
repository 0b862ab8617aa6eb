import { spaceListOperations } from '../../api/organization-spaces.js';
import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { pingOrg } from '../../api/resources/orgs.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/standing-flags.js';
import { closed, flag, maybe, orNull, stateOf, text } from '../../output/printed-shapes.js';
import { reasons } from '../../workflows/inbox/reasons.js';
import { watchedRequests } from './watched.js';

const WaitingRequest = closed({
  id: text,
  number: orNull(Type.Number()),
  subject: text,
  status: stateOf('open', 'draft'),
  space: closed({ id: text, title: text }),
  author: orNull(closed({ id: text, displayName: maybe, email: maybe })),
  reasons: Type.Array(stateOf(...reasons), { description: 'Why it waits, the most urgent first' }),
  unanswered: orNull(
    Type.Integer({ description: 'Threads that wait for an answer; null where comments were not read' }),
  ),
  comments: orNull(Type.Integer({ description: 'Unresolved comments' })),
  outdated: orNull(flag),
  updatedAt: orNull(text),
  urls: closed({ app: maybe }),
});

/** `docs change-requests inbox`. */
export const inbox = manual({
  name: 'inbox',
  summary: 'List the change requests that wait for you',
  guide: 'docs-team see-what-waits-for-you',
  why:
    'Yours are listed if they are drafts, outdated, ready to merge, or have comments that you have not answered; ' +
    'those of others if you may merge them, or somebody answered you in a comment. What could not be read is ' +
    'named and exits 3.',
  options: [
    option('--reason <reason>...', 'Only those that wait for this reason', {
      choices: reasons,
      closed: true,
    }),
    option('--as <user>', 'What waits for this member; default: the owner of the token', { kind: 'member' }),
    option('--limit <n>', 'Maximum number of items; default: all', { number: 'count' }),
    contextOption('organizationId'),
  ],
  operations: [
    ...spaceListOperations,
    pingOrg,
    listChangeRequests,
    listChangeRequestComments,
    listChangeRequestCommentReplies,
  ],
  plannable: false,
  returns: Type.Array(WaitingRequest),
  columns: [
    { path: 'reasons', keep: true },
    { path: 'space.title', label: 'SPACE' },
    { path: 'number', label: 'NO', keep: true },
    { path: 'subject', keep: true },
    'updatedAt',
    { path: 'author.displayName', label: 'AUTHOR' },
    'unanswered',
    { path: 'status', as: 'state' },
    { path: 'id', as: 'id' },
    { path: 'space.id', as: 'id' },
    { path: 'urls.app', as: 'url' },
  ],
  exits: ['partial'],
  watch: watchedRequests,
  examples: {
    'change-requests inbox': 'list what waits for you in all spaces',
    'cr inbox --reason unanswered --reason outdated': 'list those that others wait for you to move on',
    'cr inbox --as u1 --json': 'list what waits for somebody else',
  },
  async run(session, input, { view }) {
    await (await import('./inbox-run.js')).printInbox(session, input, view);
  },
});
