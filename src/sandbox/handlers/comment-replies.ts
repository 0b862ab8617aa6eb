import {
  createCommentReply,
  getCommentReply,
  listCommentReplies,
  updateCommentReply,
} from '../../api/resources/comment-replies.js';
import { postReply, readReply, replyList, updatedReply } from '../discussions/comment-answers.js';
import { handle } from '../handle.js';

export const handlers = [
  handle(listCommentReplies, replyList),
  handle(createCommentReply, postReply),
  handle(getCommentReply, readReply),
  handle(updateCommentReply, updatedReply),
];
