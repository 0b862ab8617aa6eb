import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../api/resources/sections.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideSection } from './position-flags.js';

const columns = [
  'title',
  'path',
  'default',
  { path: 'sectionGroup', label: 'GROUP' },
  { path: 'siteSpaces.title', label: 'SPACES' },
  'condition',
  'urls.published',
  'id',
] as const;

export const sections: Group = {
  name: 'sections',
  noun: 'section',
  summary: 'Sections of a site',
  why: 'A section is a part of a site with spaces of its own. Deleting one never deletes spaces.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSections,
      why: 'The parts of a site, in the order that readers see them.',
      columns,
      examples: [{ run: 'sections list --site w1', does: 'how a site is divided' }],
    }),
    command({
      name: 'create',
      operation: createSection,
      why: 'A section shows a space of its own, beside those that are there.',
      flags: { spaceId: { value: '<space>' } },
      columns,
      examples: [
        { run: 'sections create --site w1 --space-id s1 --title Guides', does: 'a section of one space' },
      ],
    }),
    command({
      name: 'update',
      operation: updateSection,
      why: '--path changes the address of every page in it, --condition who gets to see it.',
      args: { siteSectionId: '<section>' },
      flags: {
        defaultSiteSpace: { value: '<site-space>' },
        condition: { value: '<expression>' },
        icon: { value: '<name>' },
        description: { value: '<text>' },
      },
      columns,
      examples: [
        {
          run: 'sections update x1 --site w1 --title Guides --path guides',
          does: 'rename it, address included',
        },
        {
          run: 'sections update x1 --site w1 --unset condition --unset icon',
          does: 'show it to all, without icon',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSection,
      why: 'Its addresses stop working. Its spaces leave the site, and stay.',
      args: { siteSectionId: '<section...>' },
      examples: [{ run: 'sections delete x1 --site w1 --yes', does: 'delete a section; its spaces stay' }],
    }),
    command({
      name: 'move',
      operation: moveSection,
      why: 'Changes the order that readers see; addresses stay.',
      args: { siteSectionId: '<section>' },
      flags: besideSection,
      columns,
      examples: [{ run: 'sections move x1 --site w1 --before x2', does: 'in front of another section' }],
    }),
  ],
};
