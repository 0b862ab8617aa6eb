import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, failFastOption } from '../../cli/declare/flags.js';
import { UndoneItem } from '../../output/printed-shapes.js';
import { jobArgument } from './argument.js';

export const undo = manual({
  name: 'undo',
  summary: 'Undo a job',
  guide: 'bulk undo',
  why:
    'Restores each item to its state before the job if the API allows it; --dry-run shows what is exact, ' +
    'best effort or impossible, and why. Items changed since fail unless you name them; the undo is ' +
    'itself a job.',
  args: {
    ...jobArgument('undoable-jobs', async () => (await import('./offers.js')).undoableJobs),
    '[id...]': {
      description: 'Only these items, even if they were changed since',
      completes: 'job-items',
    },
  },
  options: [concurrencyOption, failFastOption],
  returns: Type.Array(UndoneItem),
  exits: ['partial'],
  examples: {
    'undo last --dry-run': 'show which items of the last job can be undone',
    'undo last --yes': 'undo a whole job',
    'undo last m1 m2': 'undo two items, even if they were changed since',
  },
  danger: 'change',
  carrier: true,
  plannable: true,
  async run(session, input) {
    await (await import('../../cli/run/undo-job.js')).undoJob(session, input);
  },
});
