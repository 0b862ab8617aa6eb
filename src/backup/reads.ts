import type { AnyOperation } from '../api/operation.js';
import { getAdaptiveSchema } from '../api/resources/adaptive-schemas.js';
import * as requests from '../api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../api/resources/collections.js';
import {
  listChangeRequestCommentReplies,
  listChangeRequestComments,
  listCommentReplies,
  listComments,
} from '../api/resources/comments.js';
import { getContent, getFile, getPage } from '../api/resources/content.js';
import { listCustomFields, listSpaceFields } from '../api/resources/custom-fields.js';
import { listMemberSpaces, listMembers, listTeamMembers } from '../api/resources/members.js';
import { getLatestOpenApiContent, listOpenApiSpecs, listOpenApiVersions } from '../api/resources/openapi.js';
import { getOrg } from '../api/resources/orgs.js';
import { listSamlProviders, listSsoLogins } from '../api/resources/saml.js';
import { listSectionGroups, listSections } from '../api/resources/sections.js';
import { listSiteSpaces } from '../api/resources/site-spaces.js';
import { listSites } from '../api/resources/sites.js';
import { getSpace } from '../api/resources/spaces.js';
import { listTeams } from '../api/resources/teams.js';
import { listTranslations } from '../api/resources/translations.js';
import { operationsOf } from '../model/operations.js';
import { storedLists } from '../model/stored.js';

/** What a backup is read with, for the reference and for policies. */

const ofSpaces = [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listMemberSpaces];

/** What a run and a verification read. */
const compared: readonly AnyOperation[] = [
  ...[getOrg, listMembers, ...ofSpaces, listCustomFields, listTranslations, listSamlProviders, listSsoLogins],
  ...[listTeams, listTeamMembers, listOpenApiSpecs, listOpenApiVersions, getLatestOpenApiContent],
  ...[listSections, listSectionGroups, getAdaptiveSchema, getSpace, listSpaceFields, getContent, getPage],
  ...[listComments, listCommentReplies, requests.listChangeRequests, requests.getChangeRequestContent],
  ...[requests.getChangeRequestPage, listChangeRequestComments, listChangeRequestCommentReplies],
];

/** What a verification reads: also what lists what else the registry says is stored. */
export const verifyReads: readonly AnyOperation[] = [
  ...new Set([...compared, ...operationsOf(storedLists.flatMap(({ lists }) => lists.slice(0, 1)))]),
];

/** What a run reads. */
export const backupReads: readonly AnyOperation[] = [
  ...verifyReads,
  ...[getFile, requests.getChangeRequest, requests.getChangeRequestFile],
];
