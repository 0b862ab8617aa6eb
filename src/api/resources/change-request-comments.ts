import { commentOperations } from './comments.js';

/** Comments on change requests (spec B, "Change request comments"). */

const path = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments';

export const {
  list: listChangeRequestComments,
  create: createChangeRequestComment,
  get: getChangeRequestComment,
  update: updateChangeRequestComment,
  delete: deleteChangeRequestComment,
} = commentOperations(path, 'change-request-comments', 'a change request');
