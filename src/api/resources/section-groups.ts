import { body, nothing, one, operation, page } from '../operation.js';
import { choice, id, reference, references, shape } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { iconName, SiteSection } from './sections.js';
import { between } from './spaces.js';

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

/** A neighbour in the new order: a section or a group (platform-facts, "Shapes"). */
const neighbour = body({
  type: choice(['site-section', 'site-section-group']),
  id: reference(),
});

export const moveSectionGroup = operation('section-groups.move', 'POST', `${group}/move`, {
  summary: 'Move a section group to another position',
  body: body({ position: between(neighbour) }),
  returns: one(SectionGroup),
  needs: 'create',
});
