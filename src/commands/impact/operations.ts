import type { ImpactAction } from '../../access/impact/change.js';
import type { AnyOperation } from '../../api/operation.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import { getChangeRequestComment } from '../../api/resources/change-request-comments.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { getCollection } from '../../api/resources/collections.js';
import { getComment } from '../../api/resources/comments.js';
import { listPages } from '../../api/resources/content.js';
import { getCustomField, listCustomFields } from '../../api/resources/custom-fields.js';
import { getInvite } from '../../api/resources/invites.js';
import { getMember, listMemberTeams } from '../../api/resources/members.js';
import { getOpenApiSpec, listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { getSamlProvider, listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { getSite } from '../../api/resources/sites.js';
import { listSpaceFields } from '../../api/resources/space-fields.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { getTranslation, listTranslations } from '../../api/resources/translations.js';

/** What each command may read, for the reference. */

const published = [getSite, listSections, listSectionGroups, listPages, listSpaceLinks];

const reads: Readonly<Record<ImpactAction, readonly AnyOperation[]>> = {
  delete: [
    ...spaceListOperations,
    getSpace,
    getCollection,
    ...published,
    listChangeRequests,
    listSpaceFields,
    getOrg,
    getTeam,
    listTeamMembers,
    getMember,
    listMemberTeams,
    getCustomField,
    getOpenApiSpec,
    listOpenApiSpecs,
    getSamlProvider,
    listSamlProviders,
    getTranslation,
    getInvite,
    getComment,
    getChangeRequestComment,
  ],
  move: [...spaceListOperations, getSpace, getCollection, getSite, listSections, listSectionGroups],
  transfer: [
    ...spaceListOperations,
    getOrg,
    getSpace,
    getCollection,
    ...published,
    listChangeRequests,
    listSpaceFields,
    listCustomFields,
    listOpenApiSpecs,
    listTeams,
    listTeamMembers,
    listMemberTeams,
  ],
  rename: [
    ...spaceListOperations,
    getOrg,
    listOrgs,
    getSpace,
    getCollection,
    ...published,
    getTeam,
    listTeams,
    getCustomField,
    listCustomFields,
    getSamlProvider,
    listSamlProviders,
    getTranslation,
    listTranslations,
  ],
};

export function readsOf(action: ImpactAction): readonly AnyOperation[] {
  return reads[action];
}
