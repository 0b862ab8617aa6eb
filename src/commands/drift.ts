import { manual } from '../cli/declare/define.js';
import { PlanSchema } from '../plans/schema.js';
import { reads } from './plan/operations.js';
import { folderOptions, fullOption } from './plan/options.js';

export const drift = manual({
  name: 'drift',
  summary: 'Find what was changed by hand since the last apply',
  guide: 'organization-as-code',
  why:
    'The same as docs plan --only drift --exit-code: compares every field that it can read, named in the files or ' +
    'not, with the last pull or apply, which docs.lock.json records. Run it nightly; docs pull --only drift writes ' +
    'what was changed by hand into the files, docs apply reverts it.',
  options: [fullOption, ...folderOptions()],
  operations: reads,
  returns: PlanSchema,
  exits: ['findings'],
  examples: {
    drift: 'show what was changed by hand',
    'drift --fields kind,key,change': 'list it, one item a line',
  },
  async run(session, input) {
    const { makeFolderPlan } = await import('./plan/make.js');
    await makeFolderPlan(session, input, { command: 'drift', only: 'drift', exitCode: true });
  },
});
