import * as search from '../content/search.js';
import type { Handler, PendingWork } from '../handle.js';
import type { Download } from '../server/tokens.js';
import * as changeRequests from './change-requests.js';
import * as collections from './collections.js';
import * as comments from './comments.js';
import * as content from './content.js';
import * as customFields from './custom-fields.js';
import * as openapi from './openapi.js';
import * as orgs from './orgs.js';
import * as people from './people.js';
import * as saml from './saml.js';
import * as siteStructure from './site-structure.js';
import * as sites from './sites.js';
import * as spaces from './spaces.js';
import * as translations from './translations.js';

/** The exports of a file of handlers. */
interface ResourceModule {
  handlers: readonly Handler[];
  /** Work that falls due by the clock. */
  pending?: readonly PendingWork[];
  /** Downloads served without a token. */
  downloads?: readonly Download[];
}

const modules: readonly ResourceModule[] = [
  ...[changeRequests, collections, comments, content, customFields, openapi, orgs],
  ...[people, saml, search, siteStructure, sites, spaces, translations],
];

export const handlers: readonly Handler[] = modules.flatMap((module) => module.handlers);
export const pendingWork: readonly PendingWork[] = modules.flatMap((module) => module.pending ?? []);
export const downloads: readonly Download[] = modules.flatMap((module) => module.downloads ?? []);
