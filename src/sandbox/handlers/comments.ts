import {
  createComment,
  deleteComment,
  getComment,
  listComments,
  updateComment,
} from '../../api/resources/comments.js';
import {
  commentList,
  deletedComment,
  postComment,
  readComment,
  updatedComment,
} from '../discussions/comment-answers.js';
import { handle } from '../handle.js';

export const handlers = [
  handle(listComments, commentList),
  handle(createComment, postComment),
  handle(getComment, readComment),
  handle(updateComment, updatedComment),
  handle(deleteComment, deletedComment),
];
