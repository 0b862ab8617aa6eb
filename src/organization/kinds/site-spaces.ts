import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import type { Cannot, CreationContext, Kind, LiveReading } from '../kind.js';
import type { DesiredItem, LiveItem } from '../model.js';
import { fieldsFrom, idNamed, liveItem, readFor, siteOf } from './declare.js';

const fields = fieldsFrom(updateSiteSpace, { path: { unique: 'siblings' }, condition: {} });
const name = 'site-spaces';

/** Spaces of the library on a site, each at most once. */
export const siteSpaces: Kind = {
  name,
  one: 'site space',
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'space' },
  parents: ['sites', 'sections'],
  key: 'own',
  parameter: 'siteSpaceId',
  scope: 'sites',
  names: 'spaces',
  fields,
  reads: [listSiteSpaces],
  async *list(reading) {
    const sections = await reading.all('sections');
    yield* readFor(await reading.all('sites'), (site) => spacesOf(reading, site, sections));
  },
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
};

/** A site has spaces either at its root or in sections. */
function unless(item: DesiredItem, { liveChildren }: CreationContext): Cannot | undefined {
  if (!item.parent?.startsWith('sites/')) return undefined;
  if (liveChildren(siteOf(item)).every(({ kind }) => kind === name)) return undefined;
  const message = 'The site has sections, so no space can be at its root.';
  return { message, hint: ({ key }) => `Name ${key} under "spaces" of a section.` };
}

async function spacesOf(
  { reads, organizationId, missed }: LiveReading,
  site: LiveItem,
  sections: readonly LiveItem[],
): Promise<LiveItem[]> {
  const counts = new Map<LiveItem, number>();
  const all = (await reads.all(listSiteSpaces, { path: { organizationId, siteId: site.id } })) ?? [];
  return all.flatMap((own) => {
    const parent = sections.find(({ id }) => id === own.section) ?? site;
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    const space = (own.space as { id?: string } | undefined)?.id;
    if (space !== undefined)
      return liveItem({ name, fields }, { ...own, space: { id: space } }, { parent, index, natural: space });
    missed(`The token may not see the space ${own.title} of the site ${site.title}.`);
    return [];
  });
}
