import { spaceListOperations } from '../../api/organization-spaces.js';
import * as requests from '../../api/resources/change-request-content.js';
import {
  createChangeRequest,
  getChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import { getContent, getPage, listPages } from '../../api/resources/content.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { fixStatuses, LinkFix } from '../../workflows/link-fix/shapes.js';
import { fullOption } from '../plan/options.js';

const open = fixStatuses.filter((status) => status !== 'fixed');

/** `docs links fix`. */
export const fix = manual({
  name: 'fix',
  summary: 'Find new targets for broken links, and propose them',
  why:
    'Looks up each target by id, from its address or the backup of --backup; then by title, from that backup, or from ' +
    'the text of the link and the name in its path. Only reads, unless --out writes the corrected pages or ' +
    '--as-change-request proposes them for review.',
  options: [
    option('--space <space>...', 'Only the links of this space'),
    option('--collection <collection>...', 'Only those of the spaces of this collection'),
    option('--site <site>...', 'Only those of the spaces of this site'),
    option('--backup <folder>', 'Backup that knows former targets', { path: { use: 'reads' } }),
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
    'link',
    { path: 'target.url', label: 'NEW TARGET' },
    'why',
  ],
  id: 'fingerprint',
  exits: ['partial', 'findings'],
  examples: {
    'links fix': 'list broken links with the targets found for them',
    'links fix --match-titles --out fixes':
      'write the corrected pages, to be hosted where the platform can fetch them',
    'links fix --match-titles --as-change-request --import-base https://files.example.com/fixes':
      'propose the corrections, one change request per space',
    'links fix --fail-on ambiguous --fail-on left': 'fail a pipeline on links that nothing can fix',
  },
  danger: 'confirm',
  changesWith: ['as-change-request', 'out'],
  applies: async () => (await import('./fix-apply.js')).applyFixes,
  async run(session, input, { view, groups }) {
    await (await import('./fix-run.js')).fixLinks(session, input, view, groups);
  },
});
