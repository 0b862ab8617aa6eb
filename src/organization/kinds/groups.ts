import {
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  updateSectionGroup,
} from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { topLevel } from '../../jobs/rules/section-places.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, liveItem, readFor } from './declare.js';

const fields = fieldsFrom(updateSectionGroup, { title: { required: true }, icon: {} });
const name = 'groups';

export const groups: Kind = {
  name,
  one: 'section group',
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'group', children: 'sections' },
  parents: ['sites'],
  key: 'own',
  parameter: 'siteSectionGroupId',
  scope: 'sites',
  fields,
  leftOut: { sections: 'sections stand in their group' },
  reads: [listSectionGroups, listSections],
  async *list(reading) {
    yield* readFor(await reading.all('sites'), (site) => groupsOf(reading, site));
  },
  create: { op: createSectionGroup },
  update: updateSectionGroup,
  remove: deleteSectionGroup,
  order: {
    op: moveSectionGroup,
    with: ['groups', 'sections'],
    neighbour: (kind, id) => ({ type: kind === name ? 'site-section-group' : 'site-section', id }),
  },
};

/** The list of sections shows where a group stands among them, and no list where one without sections does. */
async function groupsOf({ reads, organizationId }: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const path = { organizationId, siteId: parent.id };
  const [found, sections] = await Promise.all([
    reads.all(listSectionGroups, { path }),
    reads.all(listSections, { path }),
  ]);
  const order = topLevel(sections ?? []).map(({ id }) => id);
  return (found ?? []).map((group) => {
    const inGroup = (group.sections ?? []) as { id: string }[];
    const resource = { ...group, sections: inGroup.map(({ id }) => ({ id })) };
    return liveItem({ name, fields }, resource, { parent, index: order.indexOf(String(group.id)) });
  });
}
