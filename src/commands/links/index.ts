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
import { Finding, linkStatuses } from '../../workflows/link-check/finding.js';
import { reportFormats } from '../../workflows/link-check/reports/report.js';

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
  { ...statuses, name: 'status', description: 'What to look for; broken unless given' },
  { ...statuses, name: 'fail-on', description: 'Look for it, and exit 17 where it is found' },
  { name: 'baseline', value: '<path>', description: 'Report only what this file does not know' },
  { name: 'update-baseline', boolean: true, description: 'Write what is found to the baseline' },
  {
    ...{ name: 'report', value: '<format>', choices: reportFormats, closed: true },
    description: 'Print a report instead of the list',
  },
  { name: 'report-file', value: '<path>', description: 'Write the report to a file instead' },
  { name: 'concurrency', value: '<n>', number: true, description: 'Spaces read at once', default: 8 },
  contextOption('organizationId'),
];

const check = manual({
  name: 'check',
  summary: 'Find broken links in all spaces',
  why:
    'Without a flag, in every space that the collections and sites of the organization hold; one that is in ' +
    'neither is not found, so name it with --space. Of a collection, the spaces in it, not those of collections ' +
    'inside it. What could not be read is listed and exits 3; with --fail-on, findings exit 17 all the same.',
  options,
  operations: [
    ...[listCollections, listCollectionSpaces, listSites, listSiteSpaces, getSpace],
    ...[listSpaceLinks, listPages, listChangeRequestPages, listChangeRequestPageLinks],
  ],
  returns: Type.Array(Finding),
  exits: ['partial', 'findings'],
  examples: [
    { run: 'links check', does: 'broken links of the organization, by space and page' },
    { run: 'links check --site w1 --fail-on broken', does: 'a gate in a pipeline' },
    {
      run: 'links check --baseline links.json --fail-on broken --report sarif --report-file links.sarif',
      does: 'only what is new, for code scanning',
    },
    { run: 'links check --baseline links.json --update-baseline', does: 'accept what there is' },
    {
      run: 'links check --space s1 --change-request 5 --report markdown',
      does: 'a comment for a pull request',
    },
  ],
  async run(session, input) {
    const [{ requestOf }, { checkLinks }] = await Promise.all([
      import('../../workflows/link-check/request.js'),
      import('../../workflows/link-check/check.js'),
    ]);
    await checkLinks(session, await requestOf(session, input));
  },
});

export const links: Group = {
  name: 'links',
  noun: 'link',
  summary: 'Links of many spaces: find broken ones',
  why: 'For a nightly job: what no longer leads anywhere, in every space, in one list.',
  commands: [check],
};
