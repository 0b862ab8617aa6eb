import { body, nothing, one, operation, page } from '../operation.js';
import { id, nullable, reference, refersTo, shape, urls } from '../shapes.js';
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
export const iconName = Type.Optional(
  nullable(Type.String({ maxLength: 50 }), 'Name of the icon; null removes it'),
);

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
