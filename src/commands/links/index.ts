import {
  listChangeRequestPageLinks,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listPages } from '../../api/resources/content.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import type { Group, Option } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/standing-flags.js';
import { Finding, linkStatuses, reportFormats } from '../../workflows/link-check/finding.js';

/** `docs links`: the links of many spaces at once. */

const statuses = { value: '<status>', variadic: true, choices: linkStatuses, closed: true } as const;

const options: readonly Partial<Option>[] = [
  { name: 'space', value: '<space>', variadic: true, description: 'Only this space' },
  {
    name: 'collection',
    value: '<collection>',
    variadic: true,
    description: 'Only the spaces of this collection',
  },
  { name: 'site', value: '<site>', variadic: true, description: 'Only the spaces of this site' },
  contextOption('changeRequestId'),
  { ...statuses, name: 'status', description: 'What to look for (default: broken)' },
  { ...statuses, name: 'fail-on', description: 'Look for it, and exit 17 if it is found' },
  { name: 'baseline', value: '<path>', description: 'Report only findings that are not in this file' },
  { name: 'update-baseline', boolean: true, description: 'Write the findings to the baseline' },
  {
    name: 'report',
    value: '<format>',
    choices: reportFormats,
    closed: true,
    description: 'Print a report instead of the list',
  },
  { name: 'report-file', value: '<path>', description: 'Write the report to a file instead' },
  { name: 'concurrency', value: '<n>', number: true, description: 'Spaces read at once', default: 8 },
  contextOption('organizationId'),
];

const check = manual({
  name: 'check',
  summary: 'List broken links across spaces',
  why:
    'Without a flag, checks every space in the collections and sites of the organization; name any other ' +
    'space with --space. Spaces that could not be read are listed and exit 3; with --fail-on, findings ' +
    'exit 17 either way.',
  options,
  operations: [
    listCollections,
    listCollectionSpaces,
    listSites,
    listSiteSpaces,
    getSpace,
    listSpaceLinks,
    listPages,
    listChangeRequestPages,
    listChangeRequestPageLinks,
  ],
  returns: Type.Array(Finding),
  exits: ['partial', 'findings'],
  examples: [
    { run: 'links check', does: 'list broken links by space and page' },
    { run: 'links check --site w1 --fail-on broken', does: 'fail a pipeline on broken links' },
    {
      run: 'links check --baseline links.json --fail-on broken --report sarif --report-file links.sarif',
      does: 'report only new findings to code scanning',
    },
    { run: 'links check --baseline links.json --update-baseline', does: 'accept the current findings' },
    {
      run: 'links check --space s1 --change-request 5 --report markdown',
      does: 'write a comment for a pull request',
    },
  ],
  async run(session, input) {
    await (await import('./check.js')).checkLinks(session, input);
  },
});

export const links: Group = {
  name: 'links',
  noun: 'link',
  summary: 'Find broken links across spaces',
  why: 'Use it in a nightly job or a pipeline: it checks every space and prints one list.',
  commands: [check],
};
