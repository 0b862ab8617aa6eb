import { addSectionToGroup, removeSectionFromGroup } from '../../api/resources/section-groups.js';
import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import { defaultSiteSpace } from '../../jobs/rules/sections.js';
import type { Cannot, CreationContext, Field, Kind } from '../kind.js';
import type { DesiredItem } from '../model.js';
import { fieldsFrom, idNamed, liveItem, referenceTo, siteOf } from './declare.js';
import { inSites, sectionsOf } from './read-structure.js';

const fields: readonly Field[] = fieldsFrom(updateSection, {
  title: {},
  path: { unique: 'site' },
  icon: {},
  description: {},
  condition: {},
  defaultSiteSpace: {
    key: 'default',
    refers: 'site-spaces',
    last: true,
    show: (section) => referenceTo('site-spaces', defaultSiteSpace(section)),
  },
});
const name = 'sections';
const one = 'section';

export const sections: Kind = {
  name,
  one,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'section', children: 'spaces' },
  parents: ['sites', 'groups'],
  key: 'own',
  parameter: 'siteSectionId',
  scope: 'sites',
  fields,
  reads: [listSections],
  list: (reading) =>
    inSites(reading, { name, one }, [listSections], sectionsOf, ({ resource, place }) =>
      liveItem({ name, fields }, resource, place),
    ),
  create: {
    op: createSection,
    unless,
    sends: ['spaceId'],
    more: (item, context) => ({ spaceId: idNamed('spaces', first(item, context)?.key ?? '', context) }),
    also: (item, context) =>
      [first(item, context)].flatMap((space) => (space ? [{ item: space, path: 'siteSpaces.0.id' }] : [])),
  },
  update: updateSection,
  remove: deleteSection,
  order: {
    op: moveSection,
    with: ['groups', 'sections'],
    neighbour: (kind, siteSection) => (kind === name ? { type: 'site-section', siteSection } : undefined),
    enter: { kind: 'groups', op: addSectionToGroup, body: (sectionId) => ({ sectionId }) },
    leave: { kind: 'groups', op: removeSectionFromGroup },
  },
};

function first(item: DesiredItem, { children }: CreationContext): DesiredItem | undefined {
  return children(item)[0];
}

/** A section is created with its first space; the first section of a site takes the spaces of the root over. */
function unless(item: DesiredItem, context: CreationContext): Cannot | undefined {
  if (first(item, context) === undefined) {
    const message = 'No operation creates a section without a space.';
    return { message, hint: ({ key }) => `Name a space under "spaces" of the section ${key}.` };
  }
  if (!context.liveChildren(siteOf(item)).some(({ kind }) => kind === 'site-spaces')) return undefined;
  const message = 'The first section of a site takes over all spaces at its root.';
  return { message, hint: () => 'Create it with "docs sections create", then run "docs pull".' };
}
