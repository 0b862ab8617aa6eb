import type { AnyOperation } from '../../api/operation.js';
import { createChangeRequestCommentReply } from '../../api/resources/change-request-comment-replies.js';
import {
  createChangeRequestComment,
  deleteChangeRequestComment,
  getChangeRequestComment,
  updateChangeRequestComment,
} from '../../api/resources/change-request-comments.js';
import { importChangeRequestContent } from '../../api/resources/change-request-content.js';
import {
  createChangeRequest,
  getChangeRequest,
  listChangeRequests,
  mergeChangeRequest,
  pullChangeRequest,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import {
  createCommentReply,
  getCommentReply,
  updateCommentReply,
} from '../../api/resources/comment-replies.js';
import { createComment, deleteComment, getComment, updateComment } from '../../api/resources/comments.js';
import { importContent } from '../../api/resources/content.js';
import { getSpace } from '../../api/resources/spaces.js';
import type { Change, NoWayBack, Resource, Rule, Rules, WayBack } from '../rule.js';
import { creates, deletes, likeness, never, picked, readFields, requestFor, sets } from './builders.js';

const noReply = 'the platform has no operation that deletes a reply';
const noRevision = 'the platform has no operation that sets an earlier revision back';

const settings = sets(updateChangeRequest, { get: getChangeRequest });

/** A change request that was merged cannot get that status again. */
const requestChange: Rule = {
  ...settings,
  back(change) {
    if (change.before?.status === 'merged') return { undo: 'none', why: 'nothing makes it merged again' };
    return settings.back?.(change) ?? { undo: 'none', why: 'its state before is not known' };
  },
};

/** Change requests, comments, replies and imported content. */
export const discussions: Rules = {
  [createChangeRequest.id]: {
    ...creates({ remove: updateChangeRequest, parameter: 'changeRequestId' }),
    forecast: () => ({ undo: 'best-effort', why: archiving }),
    ...likeness(listChangeRequests, ({ subject }, body) => subject === body.subject, { status: 'draft' }),
    back: archive,
  },
  [updateChangeRequest.id]: requestChange,
  [mergeChangeRequest.id]: never(`what was merged is the content of the space; ${noRevision}`, {
    read: readFields(getChangeRequest, ['status']),
    wanted: () => ({ status: 'merged' }),
    oneWay: true,
    refusedBy: conflicts,
  }),
  [pullChangeRequest.id]: {
    ...unrepeatable(`what was pulled in stays; ${noRevision}`, getChangeRequest),
    refusedBy: conflicts,
  },
  [importContent.id]: unrepeatable(`what was imported stays; ${noRevision}`, getSpace),
  [importChangeRequestContent.id]: unrepeatable(`what was imported stays; ${noRevision}`, getChangeRequest),

  [createComment.id]: posted(deleteComment),
  [createChangeRequestComment.id]: posted(deleteChangeRequestComment),
  [updateComment.id]: edited(updateComment, getComment),
  [updateChangeRequestComment.id]: edited(updateChangeRequestComment, getChangeRequestComment),
  [deleteComment.id]: withdrawn(getComment),
  [deleteChangeRequestComment.id]: withdrawn(getChangeRequestComment),
  [createCommentReply.id]: never(noReply),
  [createChangeRequestCommentReply.id]: never(noReply),
  [updateCommentReply.id]: edited(updateCommentReply, getCommentReply),
};

/** Conflicts come as a success of the platform that changed nothing. */
function conflicts(answer: unknown): string | undefined {
  const { result } = (answer ?? {}) as { result?: unknown };
  return result === 'conflicts' ? 'Both sides changed the same pages; nothing was changed.' : undefined;
}

const archiving = 'a change request can be archived, not deleted';

function archive({ input, answer }: Change): WayBack | NoWayBack {
  const made = answer as Resource | undefined;
  if (typeof made?.id !== 'string') {
    return { undo: 'none', why: 'the answer of the platform was lost, so its id is not known' };
  }
  const path = { ...input.path, changeRequestId: made.id };
  const request = requestFor(updateChangeRequest, path, { status: 'archived' });
  return { undo: 'best-effort', why: archiving, request, expect: picked(made, ['status']) };
}

/** A change of the content: where the revision is still the one before, it was not done. */
function unrepeatable(why: string, get: AnyOperation): Rule {
  return never(why, { read: readFields(get, ['revision']), wanted: () => undefined, before: 'many' });
}

function posted(remove: AnyOperation): Rule {
  return creates({
    remove,
    parameter: 'commentId',
    left: (answer) => commentState(answer),
  });
}

/** The text and the replies of a comment: what a deletion loses. */
function commentState(comment: Resource) {
  return {
    ...picked(comment, ['replies']),
    markdown: (comment.body as { markdown?: string })?.markdown ?? null,
  };
}

function withdrawn(get: AnyOperation): Rule {
  return deletes({
    read: async (reads, { path = {} }) => {
      const { input } = requestFor(get, path);
      const comment = await reads.one(get, { ...input, query: { format: 'markdown' } });
      return comment === null ? null : commentState(comment);
    },
    why: 'nobody can post it again in the name of its author, and its replies are gone',
  });
}

function edited(op: AnyOperation, get: AnyOperation): Rule {
  const reactions = 'whether you had reacted before is not told, so reactions stay';
  return sets(op, {
    get,
    query: { format: 'markdown' },
    from: { resolved: ({ status }) => status === 'resolved' },
    unread: { addedReactions: reactions, removedReactions: reactions },
  });
}
