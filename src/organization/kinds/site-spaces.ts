import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import type { Resource } from '../../jobs/request.js';
import type { Cannot, CreationContext, Kind } from '../kind.js';
import type { DesiredItem } from '../model.js';
import { fieldsFrom, idNamed, liveItem, siteOf } from './declare.js';
import { inSites, siteSpacesOf } from './read-structure.js';

const fields = fieldsFrom(updateSiteSpace, { path: { unique: 'siblings' }, condition: {} });
const name = 'site-spaces';
const one = 'site space';

/** Spaces of the library on a site, each at most once. */
export const siteSpaces: Kind = {
  name,
  one,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'space' },
  parents: ['sites', 'sections'],
  key: 'own',
  parameter: 'siteSpaceId',
  scope: 'sites',
  names: 'spaces',
  fields,
  reads: [listSiteSpaces],
  list: (reading) =>
    inSites(reading, { name, one }, [listSiteSpaces], siteSpacesOf, ({ resource, place }) =>
      liveItem({ name, fields }, resource, { ...place, natural: String((resource.space as Resource).id) }),
    ),
  create: {
    op: createSiteSpace,
    unless,
    sends: ['spaceId', 'sectionId'],
    more: ({ key, parent }, context) => ({
      spaceId: idNamed('spaces', key, context),
      ...(parent?.startsWith('sections/') && { sectionId: context.idOf(parent) }),
    }),
  },
  update: updateSiteSpace,
  remove: deleteSiteSpace,
  order: {
    op: moveSiteSpace,
    with: [name],
    neighbour: (kind, siteSpace) => (kind === name ? { type: 'site-space', siteSpace } : undefined),
    anew: 'It is removed from the site and added to the other section; in between readers do not find it.',
  },
  cannot: {
    'move to another section': {
      message: 'No operation moves a space to another section of its site, so it is removed and added again.',
    },
  },
};

/** A site has spaces either at its root or in sections. */
function unless(item: DesiredItem, { liveChildren }: CreationContext): Cannot | undefined {
  if (!item.parent?.startsWith('sites/')) return undefined;
  // A group without sections is at no place.
  const inSections = liveChildren(siteOf(item)).some(({ kind, index }) => kind !== name && index >= 0);
  if (!inSections) return undefined;
  const message = 'The site has sections, so no space can be at its root.';
  return { message, hint: ({ key }) => `Name ${key} under "spaces" of a section.` };
}
