import type { AnyOperation } from '../../api/operation.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { getCollection } from '../../api/resources/collections.js';
import { getChangeRequestComment, getComment } from '../../api/resources/comments.js';
import { listPages } from '../../api/resources/content.js';
import { getCustomField, listCustomFields, listSpaceFields } from '../../api/resources/custom-fields.js';
import { getInvite, getMember, listMemberTeams, listTeamMembers } from '../../api/resources/members.js';
import { getOpenApiSpec, listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { getSamlProvider, listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups, listSections } from '../../api/resources/sections.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { getTranslation, listTranslations } from '../../api/resources/translations.js';
import { operationsOf } from '../../model/operations.js';
import { allResources } from '../../model/resources.js';
import { actionsOf, type ImpactAction } from './shapes.js';

/** What the impact of a change is read with, for the reference and for policies. */

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

/** All that the impact of an action may read, with what reads one thing of each kind. */
export function impactReads(action: ImpactAction): readonly AnyOperation[] {
  const things = allResources.filter((resource) => actionsOf(resource).includes(action));
  return [...new Set([...reads[action], ...operationsOf(things.flatMap(({ gets }) => gets))])];
}
