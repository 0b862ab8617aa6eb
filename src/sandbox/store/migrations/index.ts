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
import { positions } from './032-positions.js';
import { rareFields } from './033-rare-fields.js';
import { told } from './034-told.js';
import { toldContent } from './035-told-content.js';
import { tickets } from './036-tickets.js';

/**
 * SQL by permanent name, in the order it is applied; the database records applied migrations by name. Never
 * edit a released one; add another. Tables named `local_…` belong to one database and are not exported.
 */
export const migrations: Readonly<Record<string, string>> = {
  '001-state': state,
  '002-organizations': organizations,
  '003-teams': teams,
  '004-spaces': spaces,
  '010-collection-paths': collectionPaths,
  '011-saml': saml,
  '012-translations': translations,
  '013-openapi': openapi,
  '020-content': content,
  '021-change-requests': changeRequests,
  '030-sites': sites,
  '031-comments': comments,
  '032-positions': positions,
  '033-rare-fields': rareFields,
  '034-told': told,
  '035-told-content': toldContent,
  '036-tickets': tickets,
};
