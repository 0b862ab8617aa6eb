import {
  createChangeRequestComment,
  deleteChangeRequestComment,
  getChangeRequestComment,
  listChangeRequestComments,
  updateChangeRequestComment,
} from '../../api/resources/change-request-comments.js';
import {
  commentList,
  deletedComment,
  postComment,
  readComment,
  updatedComment,
} from '../discussions/comment-answers.js';
import { handle } from '../handle.js';

/** As on spaces, whatever the status of the change request. */
export const handlers = [
  handle(listChangeRequestComments, commentList),
  handle(createChangeRequestComment, postComment),
  handle(getChangeRequestComment, readComment),
  handle(updateChangeRequestComment, updatedComment),
  handle(deleteChangeRequestComment, deletedComment),
];
