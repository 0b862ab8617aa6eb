import { format } from '../shapes.js';
import { replyOperations } from './comment-replies.js';

/** Replies to comments on change requests (spec B, "Change request comments"). */

const path = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies';

export const {
  list: listChangeRequestCommentReplies,
  create: createChangeRequestCommentReply,
  get: getChangeRequestCommentReply,
} = replyOperations(path, 'change-request-comment-replies', 'a change request', { format });
