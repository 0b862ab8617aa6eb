import {
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  updateSectionGroup,
} from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, liveItem } from './declare.js';
import { groupsOf, inSites } from './read-structure.js';

const fields = fieldsFrom(updateSectionGroup, { title: { required: true }, icon: {} });
const name = 'groups';
const one = 'section group';

export const groups: Kind = {
  name,
  one,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'group', children: 'sections' },
  parents: ['sites'],
  key: 'own',
  parameter: 'siteSectionGroupId',
  scope: 'sites',
  fields,
  leftOut: { sections: 'the structure of the site lists the sections of each group' },
  reads: [listSectionGroups, listSections],
  list: (reading) =>
    inSites(reading, { name, one }, [listSectionGroups], groupsOf, ({ resource, place }) =>
      liveItem({ name, fields }, resource, place),
    ),
  create: { op: createSectionGroup },
  update: updateSectionGroup,
  remove: deleteSectionGroup,
  order: {
    op: moveSectionGroup,
    with: ['groups', 'sections'],
    neighbour: (kind, id) => ({ type: kind === name ? 'site-section-group' : 'site-section', id }),
  },
};
