import type { Kind } from '../kind.js';
import { type KindName, kindNames } from '../model.js';
import { collections } from './collections.js';
import { customFields } from './fields.js';
import { groups } from './groups.js';
import { memberships } from './memberships.js';
import { openapi } from './openapi.js';
import { organization } from './organization.js';
import { people } from './people.js';
import { saml } from './saml.js';
import { sections } from './sections.js';
import { siteSpaces } from './site-spaces.js';
import { sites } from './sites.js';
import { spaces } from './spaces.js';
import { teams } from './teams.js';
import { translations } from './translations.js';

const byName: Readonly<Record<KindName, Kind>> = {
  fields: customFields,
  people,
  teams,
  memberships,
  collections,
  spaces,
  openapi,
  translations,
  sites,
  groups,
  sections,
  'site-spaces': siteSpaces,
  saml,
  organization,
};

/** In the order of `kindNames`. */
export const kinds: readonly Kind[] = kindNames.map((name) => byName[name]);

export function kindOf(name: KindName): Kind {
  return byName[name];
}
