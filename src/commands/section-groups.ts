import * as api from '../api/resources/sections.js';
import { isObject } from '../base/values.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideGroup } from './shared/declarations.js';

const columns = ['title', { path: 'sections.title', label: 'SECTIONS', lead: true }, 'icon', 'id'] as const;

export const sectionGroups: Group = {
  name: 'section-groups',
  noun: 'section group',
  summary: 'Manage the section groups of a site',
  why: 'A section group is a heading for several sections. Deleting a group keeps its sections.',
  commands: [
    command({
      name: 'list',
      operation: api.listSectionGroups,
      why: 'Lists the groups in the order that readers see.',
      columns,
      examples: { 'section-groups list --site w1': 'list the section groups of a site' },
    }),
    command({
      name: 'create',
      operation: api.createSectionGroup,
      why: 'Adds a heading to the navigation; --section puts sections below it.',
      flags: { icon: { value: '<name>' }, sections: { name: 'section', value: '<section>' } },
      columns,
      examples: {
        'section-groups create --site w1 --title Products --section x1 --section x2':
          'create a group of two sections',
      },
    }),
    command({
      name: 'update',
      operation: api.updateSectionGroup,
      why: 'Changes the title and icon that readers see.',
      args: { siteSectionGroupId: '<group>' },
      flags: { icon: { value: '<name>' } },
      columns,
      examples: {
        'section-groups update g1 --site w1 --title Products --icon boxes': 'change the title and icon',
        'section-groups update g1 --site w1 --unset icon': 'remove the icon',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteSectionGroup,
      why: 'Its sections stay on the site, outside of any group.',
      args: { siteSectionGroupId: '<group...>' },
      examples: { 'section-groups delete g1 --site w1 --yes': 'delete a group, keep its sections' },
    }),
    command({
      name: 'add',
      operation: api.addSectionToGroup,
      done: 'added',
      says: ({ named, sent, answered, what }) => {
        const sections = [answered('sections')].flat().filter(isObject);
        const added = sections.find(({ id }) => id === sent('sectionId'));
        return `Added ${named('section', sent('sectionId'), added?.title)} to ${what}`;
      },
      why: 'Readers then find the section below the heading of the group.',
      args: { siteSectionGroupId: '<group>', sectionId: '<section>' },
      columns,
      examples: { 'section-groups add g1 x1 --site w1': 'add a section to a group' },
    }),
    command({
      name: 'remove',
      operation: api.removeSectionFromGroup,
      why: 'The section stays on the site, outside of any group.',
      args: { siteSectionGroupId: '<group>', siteSectionId: '<section...>' },
      done: 'removed',
      says: ({ sentence, named, path }) =>
        `${sentence} from ${named('section group', path('siteSectionGroupId'))}`,
      examples: { 'section-groups remove g1 x1 x2 --site w1 --yes': 'remove two sections from a group' },
    }),
    command({
      name: 'move',
      operation: api.moveSectionGroup,
      why: 'Changes the order that readers see. A neighbour is a group or a section.',
      args: { siteSectionGroupId: '<group>' },
      flags: besideGroup,
      columns,
      examples: {
        'section-groups move g1 --site w1 --before x3': 'move a group before another one',
        'section-groups move g1 --site w1 --after x3': 'move a group after a section',
      },
    }),
  ],
};
