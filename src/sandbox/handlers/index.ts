import type { Handler } from '../handle.js';
import type { PendingWork } from '../pending.js';
import type { Download } from '../server/downloads.js';
import * as adaptiveSchemas from './adaptive-schemas.js';
import * as changeRequests from './change-requests.js';
import * as collections from './collections.js';
import * as comments from './comments.js';
import * as content from './content.js';
import * as customFields from './custom-fields.js';
import * as invites from './invites.js';
import * as members from './members.js';
import * as openapi from './openapi.js';
import * as openapiVersions from './openapi-versions.js';
import * as orgs from './orgs.js';
import * as publishedSites from './published-sites.js';
import * as saml from './saml.js';
import * as search from './search.js';
import * as sectionGroups from './section-groups.js';
import * as sections from './sections.js';
import * as siteSpaces from './site-spaces.js';
import * as sites from './sites.js';
import * as spaces from './spaces.js';
import * as teamMembers from './team-members.js';
import * as teams from './teams.js';
import * as translations from './translations.js';

/** The exports of a file of handlers. */
interface ResourceModule {
  handlers: readonly Handler[];
  /** Work that falls due by the clock. */
  pending?: readonly PendingWork[];
  /** Downloads served without a token. */
  downloads?: readonly Download[];
}

/** One line per resource. */
const resources: readonly ResourceModule[] = [
  orgs,
  invites,
  members,
  teams,
  teamMembers,
  spaces,
  content,
  changeRequests,
  search,
  collections,
  customFields,
  saml,
  translations,
  openapi,
  openapiVersions,
  sites,
  adaptiveSchemas,
  publishedSites,
  sections,
  sectionGroups,
  siteSpaces,
  comments,
];

export const handlers: readonly Handler[] = resources.flatMap((resource) => resource.handlers);
export const pendingWork: readonly PendingWork[] = resources.flatMap((resource) => resource.pending ?? []);
export const downloads: readonly Download[] = resources.flatMap((resource) => resource.downloads ?? []);
