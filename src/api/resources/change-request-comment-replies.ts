import { format } from '../shapes.js';
import { replyOperations } from './comment-replies.js';

/** Replies to comments on change requests (spec B, "Change request comments"). */

const replies = {
  prefix: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
  id: 'change-request-comment-replies',
  on: 'a change request',
} as const;

export const {
  list: listChangeRequestCommentReplies,
  create: createChangeRequestCommentReply,
  get: getChangeRequestCommentReply,
} = replyOperations(replies, { format });
