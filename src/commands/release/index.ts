import { listCollectionSpaces } from '../../api/resources/collections.js';
import { getContent } from '../../api/resources/content.js';
import { getPublishedSite } from '../../api/resources/published-sites.js';
import {
  addSectionToGroup,
  createSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { getSite, updateSite } from '../../api/resources/sites.js';
import { duplicateSpace, getSpace, updateSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, fullOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { defaultPattern, defaultWait } from './site.js';

const cut = manual({
  name: 'cut',
  summary: 'Create a version of a section or space of a site',
  why:
    'Duplicates the spaces, puts the copies on the site beside the originals, and verifies them by ' +
    'reading; only then does --make-default change the page that visitors see first. If run again, it completes the ' +
    'missing steps and copies nothing twice.',
  args: {
    '<version>': {
      description: 'Name of the version, such as 2.1',
      asTyped: true,
      check: async () => (await import('./cut.js')).checkVersion,
    },
  },
  options: [
    option('--from <section|space>', 'Source of the version: id, title or path on the site', {
      asTyped: true,
    }),
    option('--make-default', 'Make the verified version the default, instead of its source'),
    option('--title <pattern>', 'Title of a copy, with {title} of the original and {version}', {
      default: defaultPattern,
      asTyped: true,
    }),
    option('--path <path>', 'Path of the version on the site; default: the version', {
      schema: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    option('--use <space>...', 'Use this space, left by an earlier cut, as the copy'),
    option('--wait [time]', 'How long to wait for each change to show on the platform', {
      default: defaultWait,
      duration: true,
    }),
    fullOption,
    concurrencyOption,
    contextOption('siteId'),
    contextOption('organizationId'),
  ],
  operations: [
    ...[getSite, listSections, listSiteSpaces, getContent, getSpace, listCollectionSpaces],
    ...[duplicateSpace, updateSpace, createSection, createSiteSpace, updateSection, updateSiteSpace],
    ...[addSectionToGroup, moveSection, moveSiteSpace, getPublishedSite, updateSite],
  ],
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict', 'not-found'],
  examples: {
    'sites release cut 2.1 --site w1 --from API --dry-run':
      'show the requests that a version of a space needs',
    'sites release cut 2.1 --site w1 --from API --make-default --yes':
      'cut it, and show it to visitors first',
    'sites release cut 2.1 --site w1 --from Guides --wait 5m --yes':
      'cut a version of a section, on a slow day',
  },
  danger: 'confirm',
  async run(session, input, { groups }) {
    await (await import('./cut.js')).cutRelease(session, input, groups);
  },
});

export const release: Group = {
  name: 'release',
  noun: 'release',
  summary: 'Create a version of the docs on a site',
  guide: 'docs-team release-a-version',
  why:
    'A version is a copy that stays unchanged while the original moves on, or a copy that replaces the ' +
    'original.',
  commands: [cut],
};
