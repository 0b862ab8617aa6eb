import type { AnyOperation } from '../api/operation.js';
import { listChangeRequests } from '../api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../api/resources/collections.js';
import * as api from '../api/resources/members.js';
import { getOrg, pingOrg } from '../api/resources/orgs.js';
import { listSiteSpaces } from '../api/resources/site-spaces.js';
import { listSites } from '../api/resources/sites.js';
import { listTeams } from '../api/resources/teams.js';

/** What a review and an offboarding of members read and send, for the reference and for policies. */

export const reviewOperations: readonly AnyOperation[] = [
  ...[api.listMembers, getOrg, listTeams, api.listTeamMembers, api.listMemberSpaces],
  ...[api.getMember, api.listMemberTeams],
  ...[pingOrg, api.updateMember, api.setTeamMember, api.deleteTeamMember, api.deleteMember],
];

export const offboardOperations: readonly AnyOperation[] = [
  ...[api.getMember, api.listMembers, getOrg, pingOrg, api.listMemberTeams, api.listTeamMembers],
  api.listMemberSpaces,
  ...[listCollections, listCollectionSpaces, listSites, listSiteSpaces, listChangeRequests],
  ...[api.setTeamMember, api.deleteTeamMember, api.deleteMember],
];
