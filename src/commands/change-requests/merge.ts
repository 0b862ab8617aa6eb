import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import {
  listChangeRequestPageLinks,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import { getChangeRequest, mergeChangeRequest } from '../../api/resources/change-requests.js';
import type { Command } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { failOnConflicts } from './conflicts.js';

/** `docs change-requests merge`. */
const merging = command({
  name: 'merge',
  operation: mergeChangeRequest,
  done: 'merged',
  says: ({ sentence, named, path }) => `${sentence} into ${named('space', path('spaceId'))}`,
  args: { changeRequestId: '<change-request>' },
  why:
    'If both sides changed the same pages, nothing is merged and the exit code is 7. Where a condition does not ' +
    'hold right before merging, nothing is sent and the exit code is 17.',
  guard: async () => (await import('./merge-guard.js')).guardMerge,
  guardFlags: [
    option('--if-links-clean', 'Merge only if no page of the change request has a broken link'),
    option('--if-not-outdated', 'Merge only if it has the latest content of the space'),
    option('--if-no-open-comments', 'Merge only if every comment on it is resolved'),
  ],
  guardReads: [
    getChangeRequest,
    listChangeRequestPages,
    listChangeRequestPageLinks,
    listChangeRequestComments,
  ],
  danger: 'confirm',
  columns: [{ path: 'result', as: 'state' }, 'revision'],
  id: 'revision',
  examples: {
    'change-requests merge 3 --space s1 --yes': 'merge a change request into its space',
    'cr merge 3 --space s1 --if-links-clean --if-not-outdated --if-no-open-comments --yes':
      'merge it from a pipeline, only if it is ready',
  },
});

export const merge: Command = {
  ...failOnConflicts(merging),
  exits: ['findings', 'partial'],
};
