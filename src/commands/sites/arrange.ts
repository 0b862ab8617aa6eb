import { listPages } from '../../api/resources/content.js';
import {
  addSectionToGroup,
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../../api/resources/section-groups.js';
import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { getSite, updateSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { fullOption } from '../plan/options.js';

/** `docs sites arrange`. */
export const arrange = manual({
  name: 'arrange',
  summary: 'Arrange the sections and spaces of a site as in a text',
  why:
    'Takes the edited text of sites tree, moves as little as possible, and tells the addresses that change and ' +
    'the redirects to add. Without a text, your editor opens with the tree.',
  args: {
    '<site>': 'Site',
    '[tree]': {
      description: 'Text of the tree: @file, or - for standard input; default: your editor',
      reads: 'at',
      asTyped: true,
    },
  },
  options: [
    option('--prune', 'Remove from the site what the text has no line for; spaces stay in the library'),
    option('--redirects <file>', 'Write the redirects to add to a file, as CSV: from,to', {
      path: { use: 'writes' },
    }),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...[getSite, listSectionGroups, listSections, listSiteSpaces, getSpace, listPages],
    ...[createSectionGroup, updateSectionGroup, deleteSectionGroup, moveSectionGroup],
    ...[addSectionToGroup, removeSectionFromGroup],
    ...[createSection, updateSection, deleteSection, moveSection],
    ...[createSiteSpace, updateSiteSpace, deleteSiteSpace, moveSiteSpace, updateSite],
  ],
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict'],
  examples: {
    'sites arrange w1 @tree.txt --dry-run': 'show the moves, and the addresses that change',
    'sites arrange w1 @tree.txt --redirects redirects.csv':
      'arrange a site, and write the redirects to add in the app',
    'sites arrange w1': 'edit the tree in your editor',
  },
  danger: 'confirm',
  async run(session, input, { groups }) {
    await (await import('./arrange-run.js')).arrangeSite(session, input, groups);
  },
});
