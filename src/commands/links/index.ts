import { Finding, fixStatuses, LinkFix, reportFormats } from '../../access/links/finding.js';
import { graphGrains, LinkGraph } from '../../access/links/graph-builder.js';
import { linkStatuses } from '../../access/links/reference.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import * as requests from '../../api/resources/change-requests.js';
import {
  createChangeRequest,
  getChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import { getContent, getPage, listPages } from '../../api/resources/content.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import {
  concurrencyOption,
  contextOption,
  fullOption,
  type Group,
  htmlOption,
  manual,
  type Option,
  option,
  outOption,
  paceOption,
  partsOptions,
  report,
  shardOption,
  Type,
} from '../../cli/run/report.js';
import { AppliedItem } from '../../output/printed-shapes.js';

const scope: readonly Partial<Option>[] = [
  option('-s, --space <space>...', 'Only the links of this space'),
  option('--collection <collection>...', 'Only the links of the spaces in this collection'),
  option('--site <site>...', 'Only the links of the spaces on this site'),
];

const open = fixStatuses.filter((status) => status !== 'fixed');

/** `docs links fix`. */
const fix = manual({
  name: 'fix',
  summary: 'Find new targets for broken links, and propose them',
  why:
    'Looks up each target by id, from its address or --backup; then by title, from the backup, the link ' +
    'text or the name in its path. Only reads, unless --out writes the corrected pages or ' +
    '--as-change-request proposes them for review.',
  options: [
    ...scope,
    option('--backup <folder>', 'Backup in which to look up former targets', { path: { use: 'reads' } }),
    option(
      '--match-titles',
      'Use targets found by title; default: with --out or --as-change-request, ask on a terminal',
    ),
    option('--out <folder>', 'Write the corrected pages, an archive per space', { path: { use: 'writes' } }),
    option('--as-change-request', 'Propose the corrections, one change request per space'),
    option('--import-base <url>', 'Address where the archives of --out are hosted; a dry run does without'),
    option('--fail-on <status>...', 'Exit 17 if links in this state remain', {
      choices: open,
      closed: true,
    }),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...new Set([
      ...[...spaceListOperations, getSpace, listSpaceLinks, listPages, getContent, getPage],
      ...[listChangeRequests, getChangeRequest, requests.getChangeRequestContent],
      ...[requests.getChangeRequestPage, requests.listChangeRequestPageLinks],
      ...[createChangeRequest, requests.importChangeRequestContent, updateChangeRequest],
    ]),
  ],
  returns: Type.Union([Type.Array(LinkFix), Type.Array(AppliedItem)]),
  columns: [
    { path: 'status', as: 'state' },
    'by',
    { path: 'space.title', label: 'SPACE' },
    { path: 'page.title', label: 'PAGE' },
    { path: 'link', lead: true },
    { path: 'target.url', label: 'NEW TARGET', lead: true },
    'why',
  ],
  id: 'fingerprint',
  exits: ['partial', 'findings'],
  examples: {
    'links fix': 'list broken links with the targets found for them',
    'links fix --match-titles --out fixes': 'write the corrected pages, to host for an import',
    'links fix --match-titles --as-change-request --import-base https://files.example.com/fixes':
      'propose the corrections, one change request per space',
    'links fix --fail-on ambiguous --fail-on left': 'fail a pipeline on links that nothing can fix',
  },
  danger: 'confirm',
  changesWith: ['as-change-request', 'out'],
  plansWith: 'import-base',
  applies: async () => (await import('./fix-apply.js')).applyFixes,
  async run(session, input, { view, groups }) {
    await (await import('./fix-run.js')).fixLinks(session, input, view, groups);
  },
});

const statuses = { choices: linkStatuses, closed: true };

const options: readonly Partial<Option>[] = [
  option('-s, --space <space>...', 'Only this space'),
  option('--collection <collection>...', 'Only the spaces of this collection'),
  option('--site <site>...', 'Only the spaces of this site'),
  { ...contextOption('changeRequestId'), conflicts: ['shard', 'merge'] },
  option('--status <status>...', 'Links to list; default: broken', statuses),
  option('--fail-on <status>...', 'Look for it, and exit 17 if found', statuses),
  option('--baseline <path>', 'Report only findings that are not in this file', {
    path: { use: 'writes', with: 'update-baseline' },
  }),
  option('--update-baseline', 'Write the findings to the baseline', { conflicts: ['shard'] }),
  option('--report <format>', 'Print a report instead of the list', {
    choices: reportFormats,
    closed: true,
    hidden: true,
  }),
  option('--report-file <path>', 'Write the report to a file instead', {
    path: { use: 'writes' },
    hidden: true,
  }),
  outOption,
  htmlOption,
  shardOption,
  ...partsOptions(),
  option('--concurrency <n>', 'Spaces read at the same time', { number: 'count', default: 8 }),
  paceOption,
  contextOption('organizationId'),
];

const check = report({
  name: 'check',
  summary: 'List broken links across spaces',
  why:
    'Without a flag, checks the spaces of all collections and sites, and those that up to three admins can ' +
    'access. Names spaces and lists that could not be read, and then exits 3; with --fail-on, findings ' +
    'exit 17 either way.',
  options,
  operations: [
    ...spaceListOperations,
    getSpace,
    listSpaceLinks,
    listPages,
    requests.listChangeRequestPages,
    requests.listChangeRequestPageLinks,
  ],
  media: ['html', ...reportFormats],
  returns: Type.Array(Finding),
  columns: [
    { path: 'status', as: 'state' },
    { path: 'space.title', label: 'SPACE' },
    { path: 'page.title', label: 'PAGE', lead: true },
    { path: 'link', lead: true },
    { path: 'space.id', as: 'id' },
    { path: 'page.id', as: 'id' },
  ],
  id: 'fingerprint',
  exits: ['partial', 'findings'],
  here: { keeps: ['last-runs'] },
  examples: {
    'links check': 'list broken links by space and page',
    'links check --site w1 --fail-on broken': 'fail a pipeline on broken links',
    'links check --baseline links.json --fail-on broken --out links.sarif':
      'report only new findings to code scanning',
    'links check --html links.html': 'also write them as a page, with a graph of all links',
    'links check --baseline links.json --update-baseline': 'accept the current findings',
    'links check --shard 1/2 --parts parts': 'check one half of the spaces, to join both later',
    'links check --space s1 --change-request 3 -o markdown': 'write a comment for a pull request',
  },
  load: async () => (await import('./check.js')).checkReport,
});

const graph = report({
  name: 'graph',
  summary: 'Print a graph of the links between spaces',
  why:
    'Shows which spaces, sites, pages and files link to each other, by reference or by address; links to ' +
    'other websites are left out. Marks spaces that could not be read as unknown, and then exits 3.',
  options: [
    ...scope,
    option('--by <what>', 'Draw spaces with counts, or their pages', {
      choices: graphGrains,
      closed: true,
      default: 'space',
    }),
    option('--to <space>...', 'Only links from elsewhere to this space'),
    option('--from <space>...', 'Only links from this space to elsewhere', {
      conflicts: ['space', 'collection', 'site'],
    }),
    option('--concurrency <n>', 'Spaces read at the same time', { number: 'count', default: 8 }),
    contextOption('organizationId'),
  ],
  operations: [...spaceListOperations, getSpace, listSpaceLinks, listPages],
  media: ['dot', 'mermaid'],
  returns: LinkGraph,
  examples: {
    'links graph': 'list which spaces link to which',
    'links graph -o dot | dot -Tsvg > links.svg': 'draw all spaces with Graphviz',
    'links graph --to s1 --by page': 'list the pages elsewhere that link into a space',
    'links graph --site w1 -o mermaid > links.mmd': 'draw the spaces of a site with Mermaid',
    "links graph --jq '.nodes[] | select(.isolated) | .title'":
      'list spaces without links to others, and on no site',
  },
  load: async () => (await import('./graph.js')).graphReport,
});

export const links: Group = {
  name: 'links',
  noun: 'link',
  summary: 'Find broken links across spaces',
  guide: 'links',
  why: 'Use it in a nightly job or a pipeline: it checks every space and prints one list.',
  commands: [check, graph, fix],
};
