import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import {
  addSectionToGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../../api/resources/section-groups.js';
import { createSection, listSections, moveSection, updateSection } from '../../api/resources/sections.js';
import {
  createSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { createSite, listSites, updateSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import type { Resource } from '../../jobs/request.js';
import { defaultSiteSpace } from '../../jobs/rules/sections.js';
import { proxy } from '../../jobs/rules/sites.js';
import type { Cannot, CreationContext, Kind } from '../kind.js';
import type { DesiredItem } from '../model.js';
import { fieldsFrom, idNamed, liveItem, propertiesOf, referenceTo, registered, siteOf } from './declare.js';
import { groupsOf, inSites, sectionsOf, siteSpacesOf, sitesWithInside } from './read-structure.js';

/** Sites, and what they are made of. */

const noOtherType: Cannot = {
  message: 'No operation changes the type of a site.',
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
    published: 'no operation of the files publishes a site; docs drift does not show whether it is published',
  },
  reads: [listSites, listSections, listSiteSpaces, getAdaptiveSchema],
  list: (reading) => sitesWithInside(reading, site),
  cannot: {
    'change type': noOtherType,
    'clear schema': { message: 'No operation removes the adaptive schema of a site.' },
    publish: { message: 'No operation publishes a site, so a new one is not published.' },
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
    const message = 'No operation creates a section without a space.';
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
      message: 'No operation moves a space to another section of its site, so it is removed and added again.',
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
