import { linkStatuses } from '../../access/links/reference.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import * as requests from '../../api/resources/change-request-content.js';
import { listPages } from '../../api/resources/content.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import type { Group, Option } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/standing-flags.js';
import { Finding, reportFormats } from '../../workflows/link-check/finding.js';

const statuses = { choices: linkStatuses, closed: true };

const options: readonly Partial<Option>[] = [
  option('--space <space>...', 'Only this space'),
  option('--collection <collection>...', 'Only the spaces of this collection'),
  option('--site <site>...', 'Only the spaces of this site'),
  contextOption('changeRequestId'),
  option('--status <status>...', 'What to look for; default: broken', statuses),
  option('--fail-on <status>...', 'Look for it, and exit 17 if found', statuses),
  option('--baseline <path>', 'Report only findings that are not in this file', { path: { use: 'writes' } }),
  option('--update-baseline', 'Write the findings to the baseline'),
  option('--report <format>', 'Print a report instead of the list', { choices: reportFormats, closed: true }),
  option('--report-file <path>', 'Write the report to a file instead', { path: { use: 'writes' } }),
  option('--concurrency <n>', 'Spaces read at the same time', { number: 'count', default: 8 }),
  contextOption('organizationId'),
];

const check = manual({
  name: 'check',
  summary: 'List broken links across spaces',
  why:
    'Without a flag, checks the spaces of all collections and sites, and those that up to three ' +
    'administrators can access. Spaces and lists that could not be read are named and exit 3; with ' +
    '--fail-on, findings exit 17 either way.',
  options,
  operations: [
    ...spaceListOperations,
    getSpace,
    listSpaceLinks,
    listPages,
    requests.listChangeRequestPages,
    requests.listChangeRequestPageLinks,
  ],
  returns: Type.Array(Finding),
  columns: [
    { path: 'status', as: 'state' },
    { path: 'space.title', label: 'SPACE' },
    { path: 'page.title', label: 'PAGE' },
    'link',
    { path: 'space.id', as: 'id' },
    { path: 'page.id', as: 'id' },
  ],
  id: 'fingerprint',
  exits: ['partial', 'findings'],
  examples: {
    'links check': 'list broken links by space and page',
    'links check --site w1 --fail-on broken': 'fail a pipeline on broken links',
    'links check --baseline links.json --fail-on broken --report sarif --report-file links.sarif':
      'report only new findings to code scanning',
    'links check --baseline links.json --update-baseline': 'accept the current findings',
    'links check --space s1 --change-request 5 --report markdown': 'write a comment for a pull request',
  },
  async run(session, input, { view }) {
    await (await import('./check.js')).checkLinks(session, input, view);
  },
});

export const links: Group = {
  name: 'links',
  noun: 'link',
  summary: 'Find broken links across spaces',
  why: 'Use it in a nightly job or a pipeline: it checks every space and prints one list.',
  commands: [check],
};
