import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import {
  addSectionToGroup,
  createSection,
  listSectionGroups,
  listSections,
  moveSection,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSection,
  updateSectionGroup,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { createSite, listSites, updateSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import type { Resource } from '../../jobs/reads.js';
import { defaultSiteSpace, proxy, topLevel } from '../../jobs/rules/shown.js';
import type {
  Cannot,
  CreationContext,
  DesiredItem,
  Kind,
  LiveItem,
  LiveReading,
  LiveReference,
} from '../model.js';
import {
  allOf,
  fieldsFrom,
  idNamed,
  liveItem,
  propertiesOf,
  referenceTo,
  registered,
  siteOf,
  unlessRefused,
} from './declare.js';

/** Sites, and what they are made of. */

const noOtherType: Cannot = {
  message: 'The API cannot change the type of a site.',
  hint: ({ key }) => `Change the type of ${key} in the app, then run "docs pull".`,
};

const site = {
  ...registered('site'),
  fields: [
    ...fieldsFrom(createSite, { type: { fixed: noOtherType.message } }),
    ...fieldsFrom(updateSite, {
      title: {},
      visibility: {},
      basename: { unique: 'organization' },
      adaptiveContent: {
        schema: Type.Boolean(defined({ description: propertiesOf(updateSite).adaptiveContent?.description })),
        show: ({ adaptiveContent }) =>
          (adaptiveContent as { enabled?: boolean } | undefined)?.enabled ?? false,
        send: (enabled) => ({ adaptiveContent: { enabled } }),
      },
      proxy: { unique: 'organization', show: proxy },
      defaultSiteSection: {
        key: 'default',
        refers: 'sections',
        orElse: 'site-spaces',
        sends: ['defaultSiteSpace'],
        last: true,
        apart: true,
        show: ({ shownFirst }) => shownFirst,
        send: (id, kind) => (kind === 'site-spaces' ? { defaultSiteSpace: id } : { defaultSiteSection: id }),
      },
    }),
    ...fieldsFrom(setAdaptiveSchema, {
      jsonSchema: {
        key: 'schema',
        setBy: { op: setAdaptiveSchema, body: (jsonSchema) => ({ jsonSchema }) },
        apart: true,
        show: ({ adaptiveSchema }) =>
          adaptiveSchema && ((adaptiveSchema as { jsonSchema?: unknown }).jsonSchema ?? null),
        file: ({ key }) => `${key}.schema.json`,
      },
    }),
  ],
};

export const sites: Kind = {
  ...site,
  spot: { file: 'sites/*.yaml', under: 'site', children: 'structure' },
  parents: ['root'],
  key: 'own',
  leftOut: {
    spaces: 'the structure of the site lists its spaces',
    published: 'the API cannot publish a site; docs plan drift does not show whether it is published',
  },
  reads: [listSites, listSections, listSiteSpaces, getAdaptiveSchema],
  list: (reading) => sitesWithInside(reading, site),
  cannot: {
    'change type': noOtherType,
    'clear schema': { message: 'The API cannot remove the adaptive schema of a site.' },
    publish: { message: 'The API cannot publish a site, so a new one is not published.' },
  },
};

const group = {
  ...registered('section-group'),
  fields: fieldsFrom(updateSectionGroup, { title: { required: true }, icon: {} }),
};

export const groups: Kind = {
  ...group,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'group', children: 'sections' },
  parents: ['sites'],
  key: 'own',
  scope: 'sites',
  leftOut: { sections: 'the structure of the site lists the sections of each group' },
  reads: [listSectionGroups, listSections],
  list: (reading) =>
    inSites(reading, group, [listSectionGroups], groupsOf, ({ resource, place }) =>
      liveItem(group, resource, place),
    ),
  order: {
    op: moveSectionGroup,
    with: ['groups', 'sections'],
    neighbour: (kind, id) => ({ type: kind === 'groups' ? 'site-section-group' : 'site-section', id }),
  },
};

const section = {
  ...registered('section'),
  fields: fieldsFrom(updateSection, {
    title: {},
    path: { unique: 'site' },
    icon: {},
    description: {},
    condition: {},
    defaultSiteSpace: {
      key: 'default',
      refers: 'site-spaces',
      last: true,
      show: (one) => referenceTo('site-spaces', defaultSiteSpace(one)),
    },
  }),
};

export const sections: Kind = {
  ...section,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'section', children: 'spaces' },
  parents: ['sites', 'groups'],
  key: 'own',
  scope: 'sites',
  reads: [listSections],
  list: (reading) =>
    inSites(reading, section, [listSections], sectionsOf, ({ resource, place }) =>
      liveItem(section, resource, place),
    ),
  create: {
    op: createSection,
    unless: cannotCreateSection,
    sends: ['spaceId'],
    more: (item, context) => ({ spaceId: idNamed('spaces', first(item, context)?.key ?? '', context) }),
    also: (item, context) =>
      [first(item, context)].flatMap((space) => (space ? [{ item: space, path: 'siteSpaces.0.id' }] : [])),
  },
  order: {
    op: moveSection,
    with: ['groups', 'sections'],
    neighbour: (kind, siteSection) =>
      kind === 'sections' ? { type: 'site-section', siteSection } : undefined,
    enter: { kind: 'groups', op: addSectionToGroup, body: (sectionId) => ({ sectionId }) },
    leave: { kind: 'groups', op: removeSectionFromGroup },
  },
};

function first(item: DesiredItem, { children }: CreationContext): DesiredItem | undefined {
  return children(item)[0];
}

/** A section is created with its first space; the first section of a site takes the spaces of the root over. */
function cannotCreateSection(item: DesiredItem, context: CreationContext): Cannot | undefined {
  if (first(item, context) === undefined) {
    const message = 'The API cannot create a section without a space.';
    return { message, hint: ({ key }) => `Name a space under "spaces" of the section ${key}.` };
  }
  if (!context.liveChildren(siteOf(item)).some(({ kind }) => kind === 'site-spaces')) return undefined;
  const message = 'The first section of a site takes over all spaces at its root.';
  return { message, hint: () => 'Create it with "docs sections create", then run "docs pull".' };
}

const siteSpace = {
  ...registered('site-space'),
  fields: fieldsFrom(updateSiteSpace, { path: { unique: 'siblings' }, condition: {} }),
};

/** Spaces of the library on a site, each at most once. */
export const siteSpaces: Kind = {
  ...siteSpace,
  spot: { file: 'sites/*.yaml', list: 'structure', marker: 'space' },
  parents: ['sites', 'sections'],
  key: 'own',
  scope: 'sites',
  names: 'spaces',
  reads: [listSiteSpaces],
  list: (reading) =>
    inSites(reading, siteSpace, [listSiteSpaces], siteSpacesOf, ({ resource, place }) =>
      liveItem(siteSpace, resource, { ...place, natural: String((resource.space as Resource).id) }),
    ),
  create: {
    op: createSiteSpace,
    unless: cannotAddSpace,
    sends: ['spaceId', 'sectionId'],
    more: ({ key, parent }, context) => ({
      spaceId: idNamed('spaces', key, context),
      ...(parent?.startsWith('sections/') && { sectionId: context.idOf(parent) }),
    }),
  },
  order: {
    op: moveSiteSpace,
    with: ['site-spaces'],
    neighbour: (kind, id) => (kind === 'site-spaces' ? { type: 'site-space', siteSpace: id } : undefined),
    anew: 'It is removed from the site and added to the other section; in between readers do not find it.',
  },
  cannot: {
    'move to another section': {
      message:
        'The API cannot move a space to another section of its site, so it is removed and added again.',
    },
  },
};

/** A site has spaces either at its root or in sections. */
function cannotAddSpace(item: DesiredItem, { liveChildren }: CreationContext): Cannot | undefined {
  if (!item.parent?.startsWith('sites/')) return undefined;
  // A group without sections is at no place.
  const inSections = liveChildren(siteOf(item)).some(
    ({ kind, index }) => kind !== 'site-spaces' && index >= 0,
  );
  if (!inSections) return undefined;
  const message = 'The site has sections, so no space can be at its root.';
  return { message, hint: ({ key }) => `Name ${key} under "spaces" of a section.` };
}

/** How sites and what stands in them are read: the same lists for several kinds, each read once. */

/** A resource and where it stands. */
interface SiteChild {
  resource: Resource;
  place: { parent: LiveItem; index: number };
}

/**
 * Makes live items of what stands in each site. A site of which a list is refused has unknown parts: where the rest
 * stands would be a guess.
 * @param lists what is asked for as soon as the sites are listed, before more is read of them
 */
async function* inSites(
  reading: LiveReading,
  { name, one }: Pick<Kind, 'name' | 'one'>,
  lists: readonly SiteList[],
  read: (reading: LiveReading, site: LiveItem) => Promise<readonly SiteChild[]>,
  itemOf: (standing: SiteChild) => LiveItem,
): AsyncGenerator<readonly LiveItem[]> {
  const sites = reading.all('sites');
  for (const site of await allOf(reading, listSites)) {
    // A failure is thrown where the list is awaited.
    for (const op of lists) inSite(reading, op, site).catch(() => {});
  }
  const standings = (await sites).map((site) => {
    const what = `the ${one}s of the site ${site.title}`;
    return unlessRefused(reading, { kind: name, within: site, what }, () => read(reading, site));
  });
  for (const found of await Promise.all(standings)) yield (found ?? []).map(itemOf);
}

/** The list of sections shows where a group stands among them, and no list where one without sections does. */
async function groupsOf(reading: LiveReading, parent: LiveItem): Promise<SiteChild[]> {
  const [groups, sections] = await Promise.all([
    inSite(reading, listSectionGroups, parent),
    inSite(reading, listSections, parent),
  ]);
  const order = topOrder(sections);
  return groups.map((group) => {
    const inGroup = (group.sections ?? []) as Resource[];
    const resource = { ...group, sections: inGroup.map(({ id }) => ({ id })) };
    return { resource, place: { parent, index: order.indexOf(String(group.id)) } };
  });
}

async function sectionsOf(reading: LiveReading, site: LiveItem): Promise<SiteChild[]> {
  const [groups, sections] = await Promise.all([reading.all('groups'), inSite(reading, listSections, site)]);
  const order = topOrder(sections);
  const next = counter();
  return sections.flatMap((section) => {
    const parent = holderIn(groups, section.sectionGroup, site);
    if (parent === undefined) return hidden(reading, 'sections', section, site);
    const index = parent === site ? order.indexOf(String(section.id)) : next(parent);
    return [{ resource: withSmallSpaces(section), place: { parent, index } }];
  });
}

async function siteSpacesOf(reading: LiveReading, site: LiveItem): Promise<SiteChild[]> {
  const [sections, found] = await Promise.all([
    reading.all('sections'),
    inSite(reading, listSiteSpaces, site),
    inSite(reading, listSections, site),
  ]);
  const next = counter();
  return found.flatMap((own) => {
    const parent = holderIn(sections, own.section, site);
    if (parent === undefined) return hidden(reading, 'site-spaces', own, site);
    const place = { parent, index: next(parent) };
    if (own.space !== undefined) return [{ resource: withSmallSpace(own), place }];
    const message = `The token may not see the space ${own.title} of the site ${site.title}.`;
    reading.missed({ kind: 'site-spaces', within: site, message });
    return [];
  });
}

/** The group or section in which something stands, or the site; undefined where it is one that was not read. */
function holderIn(holders: readonly LiveItem[], id: unknown, site: LiveItem): LiveItem | undefined {
  return typeof id === 'string' ? holders.find((one) => one.id === id) : site;
}

function hidden(
  reading: LiveReading,
  kind: 'sections' | 'site-spaces',
  { title }: Resource,
  site: LiveItem,
): [] {
  const [one, holder] = kind === 'sections' ? ['section', 'group'] : ['space', 'section'];
  const message = `The token may not see the ${holder} of the ${one} ${title} of the site ${site.title}.`;
  reading.missed({ kind, within: site, message });
  return [];
}

/** A site with what other reads show of it: the schema, and what it shows first. */
async function* sitesWithInside(
  reading: LiveReading,
  kind: Pick<Kind, 'name' | 'fields'>,
): AsyncGenerator<readonly LiveItem[]> {
  const { organizationId, wants, reads } = reading;
  const inside = async (site: Resource): Promise<LiveItem> => {
    const within = { kind: kind.name, id: String(site.id) };
    const path = { organizationId, siteId: within.id };
    const unread: string[] = [];
    const field = async <T>(key: string, what: string, read: () => Promise<T>): Promise<T | undefined> => {
      if (!wants('sites', key)) return undefined;
      const missed = { kind: kind.name, field: key, within, what: `${what} of the site ${site.title}` };
      const found = await unlessRefused(reading, missed, read);
      if (found === undefined) unread.push(key);
      return found;
    };
    const [adaptiveSchema, shownFirst] = await Promise.all([
      field('schema', 'the adaptive schema', () => reads.one(getAdaptiveSchema, { path })),
      field('default', 'the default', () => readShownFirst(reading, within)),
    ]);
    return liveItem(kind, { ...site, ...defined({ adaptiveSchema, shownFirst }) }, {}, unread);
  };
  yield await Promise.all((await allOf(reading, listSites)).map(inside));
}

async function readShownFirst(reading: LiveReading, site: { id: string }): Promise<LiveReference | null> {
  const isShown = (one: Resource) => one.default === true;
  const sections = await inSite(reading, listSections, site);
  if (sections.length > 0) return referenceTo('sections', sections.find(isShown)?.id);
  const spaces = await inSite(reading, listSiteSpaces, site);
  return referenceTo('site-spaces', spaces.find(isShown)?.id);
}

type SiteList = typeof listSections | typeof listSiteSpaces | typeof listSectionGroups;

function inSite(reading: LiveReading, op: SiteList, { id }: { readonly id?: unknown }): Promise<Resource[]> {
  return allOf(reading, op, { siteId: String(id) });
}

function topOrder(sections: readonly Resource[]): string[] {
  return topLevel(sections).map(({ id }) => id);
}

/** Numbers the items of each parent from 0. */
function counter(): (parent: LiveItem) => number {
  const counts = new Map<LiveItem, number>();
  return (parent) => {
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    return index;
  };
}

function withSmallSpaces({ siteSpaces, ...section }: Resource): Resource {
  const own = (siteSpaces ?? []) as Resource[];
  return {
    ...section,
    siteSpaces: own.map(({ id, default: shown, space }) => withSmallSpace({ id, default: shown, space })),
  };
}

/** A site space with its space by the id alone. */
function withSmallSpace(own: Resource): Resource {
  return { ...own, space: { id: (own.space as Resource | undefined)?.id } };
}
