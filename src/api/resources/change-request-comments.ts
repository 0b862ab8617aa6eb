import { commentReads, commentWrites } from './comments.js';

/** Comments on change requests (spec B, "Change request comments"). */

const comments = {
  prefix: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments',
  id: 'change-request-comments',
  on: 'a change request',
} as const;

export const { list: listChangeRequestComments, get: getChangeRequestComment } = commentReads(comments);
export const {
  create: createChangeRequestComment,
  update: updateChangeRequestComment,
  delete: deleteChangeRequestComment,
} = commentWrites(comments);
