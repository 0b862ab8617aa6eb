import type { AnyOperation } from '../api/operation.js';
import { spaceListOperations } from '../api/organization-spaces.js';
import * as api from '../api/resources/change-requests.js';
import {
  createChangeRequestComment,
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../api/resources/comments.js';
import { getContent, getPage } from '../api/resources/content.js';
import { getMember } from '../api/resources/members.js';
import { pingOrg } from '../api/resources/orgs.js';
import { getSpace } from '../api/resources/spaces.js';

/** What the commands on change requests read and send, for the reference and for policies. */

const discussionReads = [listChangeRequestComments, listChangeRequestCommentReplies];

/** For what a change request changes. */
export const diffReads: readonly AnyOperation[] = [
  ...[api.getChangeRequest, getSpace, getContent],
  ...[api.getChangeRequestContent, getPage, api.getChangeRequestPage],
];

/** For the same with its discussion. */
export const reviewReads: readonly AnyOperation[] = [...diffReads, ...discussionReads];

/** For the conditions of a merge. */
export const mergeReads: readonly AnyOperation[] = [
  ...[api.getChangeRequest, api.listChangeRequestPages, api.listChangeRequestPageLinks],
  listChangeRequestComments,
];

/** For what waits for a member. */
export const inboxReads: readonly AnyOperation[] = [
  ...spaceListOperations,
  ...[pingOrg, api.listChangeRequests, ...discussionReads],
];

/** For finding, warning and archiving those that are left alone. */
export const staleOperations: readonly AnyOperation[] = [
  ...spaceListOperations,
  ...[getSpace, api.listChangeRequests, api.getChangeRequest, ...discussionReads],
  ...[getMember, pingOrg, createChangeRequestComment, api.updateChangeRequest],
];
