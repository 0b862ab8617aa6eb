import * as search from '../content/search.js';
import type { Handler } from '../handle.js';
import type { Download } from '../server/tokens.js';
import * as changeRequests from './change-requests.js';
import * as collections from './collections.js';
import * as comments from './comments.js';
import * as content from './content.js';
import * as customFields from './custom-fields.js';
import * as openapi from './openapi.js';
import * as orgs from './orgs.js';
import * as people from './people.js';
import * as placedSpaces from './placed-spaces.js';
import * as saml from './saml.js';
import * as siteStructure from './site-structure.js';
import * as sites from './sites.js';
import * as spaces from './spaces.js';
import * as translations from './translations.js';

/** The exports of a file of handlers. */
export interface ResourceModule {
  handlers: readonly Handler[];
  /** Downloads served without a token. */
  downloads?: readonly Download[];
}

/** By the names that `routes.ts` loads them by. */
export const modules = {
  ...{ changeRequests, collections, comments, content, customFields, openapi, orgs },
  ...{ people, placedSpaces, saml, search, siteStructure, sites, spaces, translations },
} satisfies Record<string, ResourceModule>;

const all: readonly ResourceModule[] = Object.values(modules);

export const handlers: readonly Handler[] = all.flatMap((module) => module.handlers);
export const downloads: readonly Download[] = all.flatMap((module) => module.downloads ?? []);

export { pendingWork } from '../pending.js';
