import {
  createChangeRequestCommentReply,
  getChangeRequestCommentReply,
  listChangeRequestCommentReplies,
} from '../../api/resources/change-request-comment-replies.js';
import { postReply, readReply, replyList } from '../discussions/comment-answers.js';
import { handle } from '../handle.js';

/** As on spaces; the platform cannot change a reply here. */
export const handlers = [
  handle(listChangeRequestCommentReplies, replyList),
  handle(createChangeRequestCommentReply, postReply),
  handle(getChangeRequestCommentReply, readReply),
];
