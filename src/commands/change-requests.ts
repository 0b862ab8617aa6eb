import {
  createChangeRequest,
  getChangeRequest,
  getChangeRequestPdf,
  listChangeRequests,
  mergeChangeRequest,
  pullChangeRequest,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import type { Command, Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { downloadable } from '../cli/run/download.js';
import { runOperation } from '../cli/run/pipeline.js';
import { contextWords } from '../cli/run/subject.js';
import { DocsError } from '../errors.js';
import { shellWord } from '../settings/shell-word.js';

const columns = [
  { path: 'number', keep: true },
  { path: 'subject', keep: true },
  { path: 'status', as: 'state' },
  { path: 'createdBy.displayName', label: 'AUTHOR' },
  'updatedAt',
  'comments',
  'outdated',
  { path: 'id', keep: true },
] as const;

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
  summary: 'Change requests of a space',
  why: 'A change request proposes changes to a space. It is named by its id or by its number in the space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listChangeRequests,
      why: 'Those that are open, unless --status says otherwise.',
      flags: { contributor: { value: '<user>' } },
      columns,
      examples: [
        { run: 'change-requests list --space s1', does: 'the open ones' },
        {
          run: 'cr list --space s1 --status draft --contributor u1',
          does: 'what somebody is still working on',
        },
      ],
    }),
    command({
      name: 'create',
      operation: createChangeRequest,
      why: 'It begins as a draft; docs change-requests update --status open asks for a review.',
      columns,
      examples: [
        { run: 'change-requests create --space s1 --subject "Fix the setup guide"', does: 'a new draft' },
      ],
    }),
    command({
      name: 'get',
      operation: getChangeRequest,
      why: 'Its subject and state, who made it, how much it is discussed, and whether the space has moved on since.',
      args: { changeRequestId: '<change-request>' },
      columns,
      examples: [{ run: 'change-requests get 5 --space s1', does: 'the fifth of a space' }],
    }),
    command({
      name: 'update',
      operation: updateChangeRequest,
      why: '--status open asks for a review, draft takes that back, archived puts it away. docs change-requests merge merges.',
      args: { changeRequestId: '<change-request>' },
      columns,
      examples: [
        { run: 'change-requests update 5 --space s1 --status open', does: 'ask for a review' },
        { run: 'change-requests update 5 --space s1 --subject "Setup guide"', does: 'another subject' },
      ],
    }),
    failOnConflicts(
      command({
        name: 'merge',
        operation: mergeChangeRequest,
        args: { changeRequestId: '<change-request>' },
        why: 'Where both sides changed the same pages, nothing is merged and the exit code is 7.',
        danger: 'confirm',
        columns: [{ path: 'result', as: 'state' }, 'revision'],
        id: 'revision',
        examples: [
          { run: 'change-requests merge 5 --space s1 --yes', does: 'make it the content of the space' },
        ],
      }),
    ),
    failOnConflicts(
      command({
        name: 'pull',
        operation: pullChangeRequest,
        args: { changeRequestId: '<change-request>' },
        why: 'Where both sides changed the same pages, nothing is pulled and the exit code is 7.',
        columns: [{ path: 'result', as: 'state' }, 'revision'],
        id: 'revision',
        examples: [{ run: 'change-requests pull 5 --space s1', does: 'bring an outdated one up to date' }],
      }),
    ),
    downloadable(
      command({
        name: 'pdf',
        operation: getChangeRequestPdf,
        why: 'Prints the address of the PDF; --download saves it.',
        args: { changeRequestId: '<change-request>' },
        flags: { page: { name: 'page-id', value: '<page>' }, only: { pair: false } },
        columns: ['url'],
        id: 'url',
        examples: [
          { run: 'change-requests pdf 5 --space s1', does: 'the address of a PDF of all of it' },
          {
            run: 'change-requests pdf 5 --space s1 --page-id p1 --only --download guide.pdf',
            does: 'save one page',
          },
        ],
      }),
      {
        url: ({ url }) => url,
        name: (_, { args }) => `change-request-${args['change-request']}.pdf`,
        id: (_, { args }) => String(args['change-request']),
      },
    ),
  ],
};
