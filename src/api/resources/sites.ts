import { isEmpty, opens, switches } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { choice, id, known, meant, nullable, partial, reference, shape, timestamp, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Docs sites of an organization (spec C, "Site" and "Sites"). */

const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;

export const Site = shape({
  object: Type.Literal('site'),
  id,
  type: known(siteTypes),
  title: Type.String({ minLength: 2, maxLength: 128 }),
  icon: Type.Optional(
    Type.Union([
      shape({ icon: shape({ light: Type.String(), dark: Type.String() }) }),
      known([]),
      Type.Null(),
    ]),
  ),
  hostname: Type.Optional(
    Type.String({
      maxLength: 512,
      pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$',
    }),
  ),
  basename: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  proxy: Type.Optional(shape({ origin: Type.String(), target: Type.String() })),
  visibility: meant('visibility', choice(visibilities)),
  published: Type.Boolean(),
  siteSpaces: Type.Number(),
  createdAt: timestamp,
  adaptiveContent: Type.Optional(shape({ enabled: Type.Boolean() })),
  ads: Type.Optional(partial({ status: meant('state', known(['pending'])), submittable: Type.Boolean() })),
  features: Type.Optional(
    Type.Array(shape({ id: known(['sites-sections']), plan: known(['basic']), frozen: Type.Boolean() })),
  ),
  urls: Type.Optional(urls(['location', 'app', 'published'])),
});
export type Site = Static<typeof Site>;

const sites = '/v1/orgs/{organizationId}/sites';
const site = `${sites}/{siteId}` as const;

const title = Type.Optional(Type.String({ minLength: 2, maxLength: 128, description: 'Title' }));
const visibility = Type.Optional(
  choice(
    visibilities,
    'public: anyone, indexed; unlisted: anyone, not indexed; share-link: anyone with the link; visitor-auth: anyone authenticated by a JWT',
  ),
);

export const listSites = operation('sites.list', 'GET', sites, {
  summary: 'List the sites of an organization',
  query: {
    space: Type.Optional(Type.String({ description: 'Only sites with this space, by id' })),
    title: Type.Optional(Type.String({ description: 'Only sites with this title' })),
    published: Type.Optional(Type.Boolean({ description: 'Only published or only unpublished sites' })),
  },
  returns: page(Site),
});

export const createSite = operation('sites.create', 'POST', sites, {
  summary: 'Create a site',
  body: body({
    type: Type.Optional(known(siteTypes, 'Type', { default: 'basic' })),
    title,
    visibility,
    spaces: Type.Optional(
      Type.Union([Type.Array(reference()), known(['sample', 'empty'])], {
        description: 'Spaces to add, by id, or the kind of space to create',
      }),
    ),
  }),
  success: 201,
  returns: one(Site),
  needs: 'create',
  exposes: {
    // The specification has no default, and platforms publish without one. A new site has no readers to warn about yet.
    visibility: { ...opens, absent: 'public', tells: undefined },
    spaces: { is: 'public', isNarrow: (value) => typeof value === 'string' || isEmpty(value) },
  },
});

export const getSite = operation('sites.get', 'GET', site, { summary: 'Get a site', returns: one(Site) });

export const updateSite = operation('sites.update', 'PATCH', site, {
  summary: 'Update a site',
  body: body({
    title,
    visibility,
    basename: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Basename' })),
    adaptiveContent: Type.Optional(body({ enabled: Type.Boolean() }, 'Adapt content to the visitor')),
    defaultSiteSpace: Type.Optional(
      reference('Site space shown at the root, or in the default section, by id'),
    ),
    defaultSiteSection: Type.Optional(reference('Section shown by default, by id')),
    proxy: Type.Optional(
      nullable(
        Type.String({ maxLength: 512, pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$' }),
        'Domain and subdirectory to serve the site from; null removes it',
      ),
    ),
  }),
  returns: one(Site),
  exposes: {
    visibility: opens,
    // Without it, conditions may hide nothing.
    adaptiveContent: switches('public', { wide: false, within: 'enabled' }),
  },
});

export const deleteSite = operation('sites.delete', 'DELETE', site, {
  summary: 'Delete a site; its spaces stay',
  success: 205,
  returns: nothing,
});
