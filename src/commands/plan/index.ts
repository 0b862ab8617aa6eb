import { Type } from '../../api/type.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { htmlOption, option, savePlanOption } from '../../cli/declare/flags.js';
import { ShownApprovals } from '../../plans/approvals-schema.js';
import { PlanSchema } from '../../plans/schema.js';
import { reads } from './operations.js';
import { folderOptions, fullOption, planFile, pruneOption, takeOption } from './options.js';

/** The values of `--only`. */
const onlys = ['change', 'drift'] as const;

const make: Command = manual({
  name: 'plan',
  summary: 'Show what docs apply would change, from files',
  why:
    'Compares the files with the platform and with what was applied last, and shows changes, drift (what somebody ' +
    'changed by hand), conflicts, and what no operation can do; sends nothing but GET. JSON is the plan as ' +
    '--save-plan writes it, rows and --fields are its operations, and -o markdown is for a pull request.',
  options: [
    option('--only <which>', 'Only changes in the files, or only drift', { choices: onlys, closed: true }),
    savePlanOption,
    htmlOption,
    option('--exit-code', 'Exit 17 if there is anything in the plan'),
    pruneOption,
    takeOption,
    fullOption,
    option('-e, --editor [file]', 'Edit org.yaml, or another file of the folder, first', {
      path: { use: 'writes' },
    }),
    ...folderOptions(),
  ],
  operations: reads,
  returns: PlanSchema,
  formats: ['markdown'],
  exits: ['findings'],
  examples: {
    plan: 'compare the folder org with the platform',
    'plan --save-plan plan.json': 'keep the plan, so that exactly this can be applied',
    'plan --html plan.html': 'also write it as a page, before and after',
    'plan -o markdown --exit-code': 'comment on a pull request, and exit 17 if something would change',
    'plan --only drift --fields kind,key,change': 'list what was changed by hand',
  },
  async run(session, input) {
    const { makeFolderPlan } = await import('./make.js');
    if (input.options.editor !== undefined)
      await (await import('./edit-file.js')).editOrganizationFile(session, input);
    await makeFolderPlan(session, input, { command: 'plan', exitCode: input.options.exitCode === true });
  },
});

const show = manual({
  name: 'show',
  summary: 'Show a saved plan',
  why:
    'Works offline and for every plan, also one that is applied, expired or out of date; says whether it was ' +
    'applied on this machine, and by which job; and under a policy, who approved it and what is missing.',
  args: { '<file>': planFile('reads') },
  options: [fullOption, htmlOption],
  returns: Type.Object({ ...PlanSchema.properties, approval: Type.Optional(ShownApprovals) }),
  formats: ['markdown'],
  examples: {
    'plan show plan.json': 'show what a plan changes',
    'plan show plan.json -o markdown': 'write a comment for a pull request',
    'plan show plan.json --html plan.html': 'write a page for its review',
    'plan show plan.json --json --jq .counts': 'count its operations by action',
  },
  local: true,
  async run(session, input) {
    await (await import('./show.js')).showPlan(session, input);
  },
});

export const plan: Group = {
  name: 'plan',
  noun: 'plan',
  summary: 'Make and show plans of changes',
  guide: 'plans',
  why: 'A plan is a file that says exactly what will be sent: made once, reviewed, applied once.',
  own: make,
  commands: [show],
};
