import { state } from './001-state.js';
import { organizations } from './002-organizations.js';
import { teams } from './003-teams.js';
import { spaces } from './004-spaces.js';
import { collectionPaths } from './010-collection-paths.js';
import { saml } from './011-saml.js';
import { translations } from './012-translations.js';
import { openapi } from './013-openapi.js';
import { content } from './020-content.js';
import { changeRequests } from './021-change-requests.js';
import { sites } from './030-sites.js';
import { comments } from './031-comments.js';

/** A change to the database's structure. Never edit a released one; add another. */
export interface Migration {
  /** Unique and permanent: the database records applied migrations by name. */
  name: string;
  sql: string;
}

/**
 * In the order they are applied. Tables whose names begin with `local_` belong to one database alone
 * and are not exported; every other table is.
 */
export const migrations: readonly Migration[] = [
  state,
  organizations,
  teams,
  spaces,
  collectionPaths,
  saml,
  translations,
  openapi,
  content,
  changeRequests,
  sites,
  comments,
];
