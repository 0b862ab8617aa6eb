import * as api from '../../api/resources/change-requests.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { downloadable } from '../../cli/run/download.js';
import { columns } from './columns.js';
import { failOnConflicts } from './conflicts.js';
import { diff } from './diff.js';
import { inbox } from './inbox.js';
import { list } from './list.js';
import { merge } from './merge.js';
import { review } from './review.js';
import { stale } from './stale.js';
import { watchedRequest } from './watched.js';

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
