import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { concurrencyOption, failFastOption, option } from '../cli/declare/flags.js';
import { AppliedItem } from '../output/printed-shapes.js';
import { changes, reads } from './plan/operations.js';
import { folderOptions, fullOption, pruneOption, takeOption } from './plan/options.js';

export const apply = manual({
  name: 'apply',
  summary: 'Apply a plan, or the files of a folder',
  guide: 'plans',
  why:
    'With a plan, makes exactly its requests, once, and stops each operation whose object has changed since; ' +
    'without, makes the plan of the folder, shows it and asks. It is a job: docs jobs resume continues it, and ' +
    'docs undo takes it back.',
  args: {
    '[plan]': {
      description: 'Plan, as --save-plan wrote it; default: the plan of the folder',
      path: { use: 'reads' },
    },
  },
  options: [
    pruneOption,
    takeOption,
    option(
      '--max-age <time>',
      'With a plan: refuse it if it is older, such as 90s or 12h; 0 for any age (default 24h)',
      { duration: true },
    ),
    option('--replan <file>', 'Write a new plan for what was stale to this file', {
      path: { use: 'writes' },
    }),
    fullOption,
    concurrencyOption,
    failFastOption,
    ...folderOptions(),
  ],
  operations: [...reads, ...changes],
  plannable: false,
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict'],
  examples: {
    apply: 'show what would change in the organization, ask, and change it',
    'apply --prune --yes': 'apply the files in a pipeline, deletions included',
    'apply plan.json': 'make exactly the changes of a plan',
    'apply --take file=teams/writers': 'let the file win where both sides changed',
  },
  danger: 'confirm',
  carrier: true,
  async run(session, input, { groups }) {
    await (await import('./plan/apply.js')).apply(session, input, groups);
  },
});
