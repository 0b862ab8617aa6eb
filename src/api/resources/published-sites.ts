import { one, operation } from '../operation.js';
import { known, partial, shape } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { SiteSection } from './sections.js';
import { SiteSpace } from './site-spaces.js';
import { Site } from './sites.js';
import { shareKey } from './spaces.js';

/** A site as visitors see it (spec C, "Published site"). */

const color = shape({ light: Type.String(), dark: Type.String() });

const styling = partial({
  theme: Type.String(),
  primaryColor: color,
  infoColor: color,
  successColor: color,
  warningColor: color,
  dangerColor: color,
  tint: shape({ color }),
  corners: Type.String(),
  links: Type.String(),
  font: Type.Unknown(),
  icons: Type.String(),
  sidebar: partial({ background: Type.String(), list: Type.String() }),
  search: Type.String(),
});

/** The fields from `favicon` on are not specified. */
const customization = partial({
  title: Type.String(),
  styling,
  internationalization: partial({ locale: Type.String() }),
  favicon: Type.Unknown(),
});

/** A site is made of sections, or of site spaces where it has none. */
const structure = Type.Union([
  shape({ type: Type.Literal('sections'), structure: Type.Array(SiteSection) }),
  shape({ type: known(['siteSpaces']), structure: Type.Array(SiteSpace) }),
]);

export const PublishedSite = shape({
  object: Type.Literal('published-content-site'),
  site: Site,
  structure,
  customizations: shape({ site: customization }),
});
export type PublishedSite = Static<typeof PublishedSite>;

const published = '/v1/orgs/{organizationId}/sites/{siteId}/published';

export const getPublishedSite = operation('sites.published', 'GET', published, {
  summary: 'Get the published structure of a site',
  query: { shareKey },
  returns: one(PublishedSite),
});
