import type { AnyOperation } from '../operation.js';
import * as adaptiveSchemas from './adaptive-schemas.js';
import * as changeRequestCommentReplies from './change-request-comment-replies.js';
import * as changeRequestComments from './change-request-comments.js';
import * as changeRequestContent from './change-request-content.js';
import * as changeRequests from './change-requests.js';
import * as collections from './collections.js';
import * as commentReplies from './comment-replies.js';
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
import * as sectionGroups from './section-groups.js';
import * as sections from './sections.js';
import * as siteSpaces from './site-spaces.js';
import * as sites from './sites.js';
import * as spaceFields from './space-fields.js';
import * as spaces from './spaces.js';
import * as sso from './sso.js';
import * as teamMembers from './team-members.js';
import * as teams from './teams.js';
import * as translations from './translations.js';

/** One line per resource. Everything else is derived from the declarations. */
const resources = [
  orgs,
  invites,
  members,
  teams,
  teamMembers,
  saml,
  sso,
  translations,
  customFields,
  openapi,
  openapiVersions,
  collections,
  spaces,
  spaceFields,
  content,
  comments,
  commentReplies,
  changeRequests,
  changeRequestContent,
  changeRequestComments,
  changeRequestCommentReplies,
  sites,
  adaptiveSchemas,
  publishedSites,
  sections,
  sectionGroups,
  siteSpaces,
];

/** All operations of the platform, in the order of their resources. */
export const operations: readonly AnyOperation[] = resources
  .flatMap((resource) => Object.values(resource) as unknown[])
  .filter(isOperation);

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'method' in value && 'returns' in value;
}
