import * as api from '../../api/resources/change-requests.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { downloadable } from '../../cli/run/download.js';
import { contextWords } from '../../cli/run/error-subject.js';
import { runOperation } from '../../cli/run/pipeline.js';
import { DocsError } from '../../errors.js';
import { shellWord } from '../../settings/shell-word.js';
import { columns } from './columns.js';
import { inbox } from './inbox.js';
import { list } from './list.js';

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
      const message = 'The change request and the main content changed the same pages; nothing was changed.';
      throw new DocsError('conflict', 'conflicts', message, {
        outcome: 'refused',
        hint: `docs change-requests get ${words.join(' ')}`,
      });
    },
  };
}

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
      examples: { 'change-requests create --space s1 --subject "Fix the setup guide"': 'create a draft' },
    }),
    command({
      name: 'get',
      operation: api.getChangeRequest,
      why: 'Shows the subject, status, author and comments, and whether it is behind the space.',
      args: { changeRequestId: '<change-request>' },
      columns,
      examples: { 'change-requests get 5 --space s1': 'show a change request by its number' },
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
        'change-requests update 5 --space s1 --status open': 'ask for a review',
        'change-requests update 5 --space s1 --subject "Setup guide"': 'change the subject',
      },
    }),
    failOnConflicts(
      command({
        name: 'merge',
        operation: api.mergeChangeRequest,
        done: 'merged',
        args: { changeRequestId: '<change-request>' },
        why: 'If both sides changed the same pages, nothing is merged and the exit code is 7.',
        danger: 'confirm',
        columns: [{ path: 'result', as: 'state' }, 'revision'],
        id: 'revision',
        examples: { 'change-requests merge 5 --space s1 --yes': 'merge a change request into its space' },
      }),
    ),
    failOnConflicts(
      command({
        name: 'pull',
        operation: api.pullChangeRequest,
        done: 'pulled',
        args: { changeRequestId: '<change-request>' },
        why: 'If both sides changed the same pages, nothing is pulled and the exit code is 7.',
        columns: [{ path: 'result', as: 'state' }, 'revision'],
        id: 'revision',
        examples: { 'change-requests pull 5 --space s1': 'update a change request that is behind the space' },
      }),
    ),
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
          'change-requests pdf 5 --space s1': 'print the address of a PDF of all pages',
          'change-requests pdf 5 --space s1 --page-id p1 --only --download guide.pdf':
            'save a PDF of one page',
        },
      }),
      {
        url: ({ url }) => url,
        name: (_, { args }) => `change-request-${args['change-request']}.pdf`,
        id: (_, { args }) => String(args['change-request']),
      },
    ),
  ],
};
