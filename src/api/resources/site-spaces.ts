import { gives, reveals } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { id, nullable, reference, refersTo, shape, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { between, Space, shareKey } from './spaces.js';

/** Spaces of a site (spec C, "Site space" and "Site spaces"). */

export const SiteSpace = shape({
  object: Type.Literal('site-space'),
  id,
  path: Type.String({ minLength: 1, maxLength: 100 }),
  section: Type.Optional(refersTo('section', Type.String())),
  space: Type.Optional(Space),
  title: Type.String(),
  default: Type.Optional(Type.Boolean()),
  condition: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  hasAdvancedCustomizationFeature: Type.Optional(Type.Boolean()),
  urls: Type.Optional(urls(['published'])),
});
export type SiteSpace = Static<typeof SiteSpace>;

const siteSpaces = '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces';
const siteSpace = `${siteSpaces}/{siteSpaceId}` as const;

/** Path of a section or space on its site. */
export const sitePath = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'Path on the site' }),
);

/** When a visitor sees a section or space. */
export const condition = Type.Optional(
  nullable(
    Type.String({ minLength: 1, maxLength: 1024 }),
    'Expression that decides whether a visitor sees it; null removes it',
  ),
);

export const listSiteSpaces = operation('site-spaces.list', 'GET', siteSpaces, {
  summary: 'List the spaces of a site',
  query: {
    shareKey,
    default: Type.Optional(Type.Boolean({ description: 'Only the default site space, or only the others' })),
  },
  returns: page(SiteSpace),
});

export const createSiteSpace = operation('site-spaces.create', 'POST', siteSpaces, {
  summary: 'Add a space to a site',
  body: body({
    spaceId: reference('Space to add, by id'),
    sectionId: Type.Optional(
      reference('Section to add it to, by id; by default, the default section or the root'),
    ),
  }),
  success: 201,
  returns: one(SiteSpace),
  needs: 'create',
  exposes: { spaceId: gives('public') },
});

export const updateSiteSpace = operation('site-spaces.update', 'PATCH', siteSpace, {
  summary: 'Update a space of a site',
  body: body({ path: sitePath, condition }),
  returns: one(SiteSpace),
  needs: 'create',
  exposes: { condition: reveals('site space') },
});

export const deleteSiteSpace = operation('site-spaces.delete', 'DELETE', siteSpace, {
  summary: 'Remove a space from a site; the space stays',
  success: 205,
  returns: nothing,
  needs: 'create',
});

const neighbour = Type.Optional(body({ type: Type.Literal('site-space'), siteSpace: reference() }));

export const moveSiteSpace = operation('site-spaces.move', 'POST', `${siteSpace}/move`, {
  summary: 'Move a space of a site to another position',
  body: body({ position: between(neighbour) }),
  returns: one(SiteSpace),
  needs: 'create',
});
