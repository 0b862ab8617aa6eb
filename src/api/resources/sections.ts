import { gives, reveals } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { choice, id, nullable, reference, references, refersTo, shape, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { condition, SiteSpace, sitePath } from './site-spaces.js';
import { between, shareKey } from './spaces.js';

/** Sections of a site (spec C, "Site section" and "Site sections"). */

export const SiteSection = shape({
  object: Type.Literal('site-section'),
  id,
  title: Type.String({ minLength: 2, maxLength: 128 }),
  description: Type.Optional(Type.String({ maxLength: 256 })),
  default: Type.Optional(Type.Boolean()),
  path: Type.String({ minLength: 1, maxLength: 100 }),
  condition: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  sectionGroup: Type.Optional(refersTo('section-group', Type.String())),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  siteSpaces: Type.Array(SiteSpace),
  urls: Type.Optional(urls(['published'])),
});
export type SiteSection = Static<typeof SiteSection>;

const sections = '/v1/orgs/{organizationId}/sites/{siteId}/sections';
const section = `${sections}/{siteSectionId}` as const;

/** Name of an icon beside the title of a section or section group. */
const iconName = Type.Optional(nullable(Type.String({ maxLength: 50 }), 'Name of the icon; null removes it'));

export const listSections = operation('sections.list', 'GET', sections, {
  summary: 'List the sections of a site',
  query: { shareKey },
  returns: page(SiteSection),
});

export const createSection = operation('sections.create', 'POST', sections, {
  summary: 'Add a section to a site',
  body: body({
    spaceId: reference('First space of the section, by id'),
    title: Type.Optional(Type.String({ minLength: 2, maxLength: 64, description: 'Title' })),
  }),
  success: 201,
  returns: one(SiteSection),
  needs: 'create',
  exposes: { spaceId: gives('public') },
});

export const updateSection = operation('sections.update', 'PATCH', section, {
  summary: 'Update a section of a site',
  body: body({
    title: Type.Optional(Type.String({ minLength: 2, maxLength: 128, description: 'Title' })),
    path: sitePath,
    defaultSiteSpace: Type.Optional(reference('Site space shown by default, by id')),
    condition,
    icon: iconName,
    description: Type.Optional(nullable(Type.String({ maxLength: 256 }), 'Description; null removes it')),
  }),
  returns: one(SiteSection),
  needs: 'create',
  exposes: { condition: reveals('section') },
});

export const deleteSection = operation('sections.delete', 'DELETE', section, {
  summary: 'Delete a section of a site; its spaces stay',
  success: 205,
  returns: nothing,
  needs: 'create',
});

const neighbour = Type.Optional(body({ type: Type.Literal('site-section'), siteSection: reference() }));

export const moveSection = operation('sections.move', 'POST', `${section}/move`, {
  summary: 'Move a section of a site to another position',
  body: body({ position: between(neighbour) }),
  returns: one(SiteSection),
  needs: 'create',
});

/** Groups of sections of a site (spec C, "Site section group" and "Site section groups"). */

const title = Type.String({ minLength: 1, maxLength: 100, description: 'Title' });

export const SectionGroup = shape({
  object: Type.Literal('site-section-group'),
  id,
  title,
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  sections: Type.Array(SiteSection),
});
export type SectionGroup = Static<typeof SectionGroup>;

const groups = '/v1/orgs/{organizationId}/sites/{siteId}/section-groups';
const group = `${groups}/{siteSectionGroupId}` as const;
const member = `${group}/sections/{siteSectionId}` as const;

export const listSectionGroups = operation('section-groups.list', 'GET', groups, {
  summary: 'List the section groups of a site',
  returns: page(SectionGroup),
});

export const createSectionGroup = operation('section-groups.create', 'POST', groups, {
  summary: 'Create a section group',
  body: body({
    title,
    icon: iconName,
    sections: Type.Optional(references('Section to add to the group, by id')),
  }),
  success: 201,
  returns: one(SectionGroup),
  needs: 'create',
});

export const updateSectionGroup = operation('section-groups.update', 'PATCH', group, {
  summary: 'Update a section group',
  body: body({ title: Type.Optional(title), icon: iconName }),
  returns: one(SectionGroup),
  needs: 'create',
});

export const deleteSectionGroup = operation('section-groups.delete', 'DELETE', group, {
  summary: 'Delete a section group; its sections stay',
  success: 205,
  returns: nothing,
  needs: 'create',
});

export const addSectionToGroup = operation('section-groups.add', 'POST', `${group}/sections`, {
  summary: 'Add a section to a section group',
  body: body({ sectionId: reference('Section to add, by id') }),
  success: 201,
  returns: one(SectionGroup),
  needs: 'create',
});

export const removeSectionFromGroup = operation('section-groups.remove', 'DELETE', member, {
  summary: 'Remove a section from a section group',
  success: 205,
  returns: nothing,
  needs: 'create',
});

/** A nextItem in the new order: a section or a group (platform-facts, "Shapes"). */
const nextItem = body({
  type: choice(['site-section', 'site-section-group']),
  id: reference(),
});

export const moveSectionGroup = operation('section-groups.move', 'POST', `${group}/move`, {
  summary: 'Move a section group to another position',
  body: body({ position: between(nextItem) }),
  returns: one(SectionGroup),
  needs: 'create',
});
