import { Type } from '../../api/type.js';
import type { Command, LazyGroup } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import {
  concurrencyOption,
  failFastOption,
  fullOption,
  htmlOption,
  outOption,
  savePlanOption,
} from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import { report } from '../../cli/run/report.js';
import { kindNames } from '../../organization/model.js';
import { AppliedItem, closed, oneOf, text } from '../../output/printed-shapes.js';
import { PlanSchema, ShownApprovals } from '../../plans/schema.js';
import {
  beginPull,
  changes,
  folderOptions,
  planAspects,
  planFile,
  pruneOption,
  reads,
  takeOption,
} from '../shared/organization-files.js';

const adopt = manual({
  name: 'adopt',
  summary: 'Adopt items of the platform that files name',
  guide: 'organization-as-code',
  why:
    'Use it for items that docs plan could not match because several have the same title, or none has: ' +
    'writes their ids into docs.lock.json. Checks that each exists, is of the right kind, and belongs to ' +
    'no other key.',
  args: { '<item...>': 'Key and id: teams/writers=t1' },
  options: folderOptions({ use: 'writes' }),
  operations: reads,
  returns: Type.Array(closed({ id: text, item: text, title: text, status: oneOf('adopted', 'kept') })),
  columns: ['item', 'id', 'title', 'status'],
  exits: ['not-found'],
  examples: {
    'plan adopt teams/writers=t1': 'tie the team writers to one that exists',
    'plan adopt sections/acme-docs/guides=x1 --dry-run': 'check it without writing',
  },
  danger: 'change',
  effect: 'local',
  async run(session, input, { view }) {
    await (await import('./pull.js')).adoptItems(session, input, view);
  },
});

export const pull = manual({
  name: 'pull',
  summary: 'Pull the organization into files',
  guide: 'organization-as-code',
  why:
    'Writes settings, people, teams, the library and sites into a folder of YAML; later runs add the ' +
    'changes made on the platform. Keeps comments, order and references, lists edited items instead of ' +
    'overwriting them, and sends only GET requests.',
  options: [
    option('--only <which>', 'Only drift: changes made on the platform since the last apply', {
      choices: ['drift'],
      closed: true,
    }),
    option('--take <live=key>...', 'Overwrite an edited item: live=teams/writers'),
    ...folderOptions({ use: 'writes' }),
  ],
  operations: reads,
  returns: closed({
    id: text,
    status: oneOf('pulled', 'unchanged', 'partial', 'planned'),
    written: Type.Array(text),
    kept: Type.Array(closed({ item: text, file: text, line: Type.Integer(), why: text })),
    left: Type.Array(text, { description: 'Items removed from the files that are still on the platform' }),
    unread: Type.Array(closed({ kind: oneOf(...kindNames), message: text })),
  }),
  columns: ['id', 'status', 'written', 'kept'],
  examples: {
    pull: 'write the organization into the folder org',
    'pull --only drift': 'write changes made on the platform into the files',
    'pull --take live=teams/writers': 'give up an edit of a team',
  },
  danger: 'change',
  effect: 'local',
  async run(session, input, { view }) {
    const begun = await beginPull(session, input, view);
    await (await import('./pull.js')).pullFolder(session, input, begun, view);
  },
});

/** What makes the plan of a folder, and what prints it. */
function loadReport() {
  return Promise.all([import('./make.js'), import('../../cli/run/run-report.js')]);
}

const drift = manual({
  name: 'drift',
  summary: 'Find changes made on the platform since the last apply',
  guide: 'organization-as-code',
  why:
    'Same as docs plan --only drift --fail-on drift: compares every readable field, even if the files do ' +
    'not name it, with the last pull or apply recorded in docs.lock.json. Run it nightly; docs pull --only ' +
    'drift writes the drift into the files, and docs apply reverts it.',
  options: [outOption, htmlOption, fullOption, ...folderOptions()],
  operations: reads,
  returns: PlanSchema,
  formats: ['markdown', 'html'],
  exits: ['findings'],
  examples: {
    'plan drift': 'show changes made on the platform',
    'plan drift --fields kind,key,change': 'list it, one item a line',
  },
  async run(session, input, around) {
    const [{ folderPlanReport }, { runReport }] = await loadReport();
    const report = folderPlanReport({ command: 'plan drift', only: 'drift', exitCode: true });
    await runReport(report, { session, input, ...around });
  },
});

export const apply = manual({
  name: 'apply',
  summary: 'Apply a plan, or the files of a folder',
  guide: 'plans',
  why:
    'With a plan, sends exactly its requests, once, except operations whose object has changed since; ' +
    'without one, makes a plan of the folder, shows it and asks. It runs as a job: docs jobs resume ' +
    'continues it, and docs undo undoes it.',
  args: {
    '[plan]': {
      description: 'Plan file from --save-plan; default: a plan of the folder',
      path: { use: 'reads' },
    },
  },
  options: [
    pruneOption,
    takeOption,
    option(
      '--older-than <time>',
      'With a plan: refuse it if it is older, such as 12h or 7d; 0 for any age (default 24h)',
      { formerly: ['max-age'] },
    ),
    option('--replan <file>', 'Write a new plan for the stale operations to this file', {
      path: { use: 'writes' },
    }),
    fullOption,
    concurrencyOption,
    failFastOption,
    ...folderOptions({ use: 'writes', later: true }),
  ],
  operations: [...reads, ...changes],
  plannable: false,
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict'],
  examples: {
    apply: 'show the changes to the organization, ask, and make them',
    'apply --prune --yes': 'apply the files in a pipeline, deletions included',
    'apply plan.json': 'make exactly the changes of a plan',
    'apply --take file=teams/writers': 'let the file win if both sides changed',
  },
  danger: 'confirm',
  carrier: true,
  here: { runs: ['git'], contacts: ['remote'] },
  async run(session, input, { groups }) {
    await (await import('./apply.js')).apply(session, input, groups);
  },
});

/** The values of `--only`. */
const onlys = ['change', 'drift'] as const;

const make: Command = manual({
  name: 'plan',
  summary: 'Show the changes that docs apply would make',
  why:
    'Compares the files with the platform and with the last apply, and shows changes, drift, conflicts, ' +
    'and changes that the API does not support; sends only GET requests. JSON is the plan as --save-plan ' +
    'writes it, rows and --fields are its operations, and -o markdown is for a pull request.',
  options: [
    option('--only <which>', 'Only changes in the files, or only drift', { choices: onlys, closed: true }),
    savePlanOption,
    outOption,
    htmlOption,
    option('--fail-on <what>...', 'Exit 17 if the plan has any', { choices: planAspects, closed: true }),
    option('--exit-code', 'Exit 17 if there is anything in the plan', { hidden: true }),
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
  formats: ['markdown', 'html'],
  exits: ['findings'],
  examples: {
    plan: 'compare the folder org with the platform',
    'plan --save-plan plan.json': 'keep the plan, so that exactly this can be applied',
    'plan --html plan.html': 'also write it as a page, before and after',
    'plan -o markdown --fail-on change,drift':
      'comment on a pull request, and exit 17 if something would change',
    'plan --only drift --fields kind,key,change': 'list changes made on the platform',
  },
  async run(session, input, around) {
    const [{ editFirst, folderPlanReport }, { runReport }] = await loadReport();
    await editFirst(session, input);
    const report = folderPlanReport({ command: 'plan', exitCode: input.options.exitCode === true });
    await runReport(report, { session, input, ...around });
  },
});

const show = report({
  name: 'show',
  summary: 'Show a saved plan',
  why:
    'Works offline for every plan, even one that is applied, expired or out of date. Shows whether it was ' +
    'applied on this machine and by which job and, under a policy, its approvals and those missing.',
  args: { '<file>': planFile('reads') },
  options: [fullOption],
  returns: Type.Object({ ...PlanSchema.properties, approval: Type.Optional(ShownApprovals) }),
  media: ['markdown', 'html'],
  examples: {
    'plan show plan.json': 'show the changes of a plan',
    'plan show plan.json -o markdown': 'write a comment for a pull request',
    'plan show plan.json --html plan.html': 'write a page for its review',
    'plan show plan.json --json --jq .counts': 'count its operations by action',
  },
  local: true,
  load: async () => (await import('../shared/print-plan.js')).savedPlanReport,
});

export const plan: LazyGroup = {
  name: 'plan',
  noun: 'plan',
  summary: 'Make, show and approve plans; find drift',
  guide: 'plans',
  why: 'A plan is a file that lists the exact requests: made once, reviewed, applied once.',
  own: make,
  commands: [show, adopt, drift],
};
