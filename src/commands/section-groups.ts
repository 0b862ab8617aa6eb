import {
  addSectionToGroup,
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../api/resources/section-groups.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideGroup } from './position-flags.js';

const columns = ['title', { path: 'sections.title', label: 'SECTIONS' }, 'icon', 'id'] as const;

export const sectionGroups: Group = {
  name: 'section-groups',
  noun: 'section group',
  summary: 'Groups of sections of a site',
  why: 'A section group bundles sections under one title. Deleting one never deletes sections.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSectionGroups,
      why: 'How sections are gathered under headings, in the order that readers see them.',
      columns,
      examples: [{ run: 'section-groups list --site w1', does: 'how the sections are bundled' }],
    }),
    command({
      name: 'create',
      operation: createSectionGroup,
      why: 'A heading in the navigation; --section puts sections below it at once.',
      flags: { icon: { value: '<name>' }, sections: { name: 'section', value: '<section>' } },
      columns,
      examples: [
        {
          run: 'section-groups create --site w1 --title Products --section x1 --section x2',
          does: 'a group of two',
        },
      ],
    }),
    command({
      name: 'update',
      operation: updateSectionGroup,
      why: 'Title and icon, as readers see them.',
      args: { siteSectionGroupId: '<group>' },
      flags: { icon: { value: '<name>' } },
      columns,
      examples: [
        {
          run: 'section-groups update g1 --site w1 --title Products --icon boxes',
          does: 'another title and icon',
        },
        { run: 'section-groups update g1 --site w1 --unset icon', does: 'no icon' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSectionGroup,
      why: 'Its sections stay on the site, outside of any group.',
      args: { siteSectionGroupId: '<group...>' },
      examples: [
        { run: 'section-groups delete g1 --site w1 --yes', does: 'delete a group; its sections stay' },
      ],
    }),
    command({
      name: 'add',
      operation: addSectionToGroup,
      why: 'Readers then find it below that heading.',
      args: { siteSectionGroupId: '<group>', sectionId: '<section>' },
      columns,
      examples: [{ run: 'section-groups add g1 x1 --site w1', does: 'put a section into a group' }],
    }),
    command({
      name: 'remove',
      operation: removeSectionFromGroup,
      why: 'It stays on the site, outside of any group.',
      args: { siteSectionGroupId: '<group>', siteSectionId: '<section...>' },
      done: 'removed',
      examples: [{ run: 'section-groups remove g1 x1 x2 --site w1 --yes', does: 'take two sections out' }],
    }),
    command({
      name: 'move',
      operation: moveSectionGroup,
      why: 'Changes the order that readers see. A neighbour is a group, or a section as section:<id>.',
      args: { siteSectionGroupId: '<group>' },
      flags: besideGroup,
      columns,
      examples: [
        { run: 'section-groups move g1 --site w1 --before g2', does: 'in front of another group' },
        { run: 'section-groups move g1 --site w1 --after section:x1', does: 'behind a section' },
      ],
    }),
  ],
};
