import * as api from '../api/resources/sections.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideSection } from './shared/declarations.js';

const columns = [
  'title',
  { path: 'path', lead: true },
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
  summary: 'Manage the sections of a site',
  why: 'A section is a part of a site with spaces of its own. Deleting a section keeps its spaces.',
  commands: [
    command({
      name: 'list',
      operation: api.listSections,
      why: 'Lists the sections in the order that readers see.',
      columns,
      examples: { 'sections list --site w1': 'list the sections of a site' },
    }),
    command({
      name: 'create',
      operation: api.createSection,
      why: 'A section publishes a space beside the existing ones.',
      flags: { spaceId: { value: '<space>' } },
      columns,
      examples: {
        'sections create --site w1 --space-id s3 --title Handbook': 'add a section with one space',
      },
    }),
    command({
      name: 'update',
      operation: api.updateSection,
      why: '--path changes the address of every page in the section, --condition who can see it.',
      args: { siteSectionId: '<section>' },
      flags: {
        defaultSiteSpace: { value: '<site-space>' },
        condition: { value: '<expression>' },
        icon: { value: '<name>' },
        description: { value: '<text>', edited: true },
      },
      columns,
      examples: {
        'sections update x1 --site w1 --title Guides --path guides': 'change the title and path of a section',
        'sections update x1 --site w1 --unset condition --unset icon':
          'show a section to everyone and remove its icon',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteSection,
      why: 'Its addresses stop working. Its spaces leave the site but are not deleted.',
      args: { siteSectionId: '<section...>' },
      examples: { 'sections delete x1 --site w1 --yes': 'delete a section, keep its spaces' },
    }),
    command({
      name: 'move',
      operation: api.moveSection,
      why: 'Changes the order that readers see; addresses stay.',
      args: { siteSectionId: '<section>' },
      flags: besideSection,
      columns,
      examples: { 'sections move x1 --site w1 --before x2': 'move a section before another one' },
    }),
  ],
};
