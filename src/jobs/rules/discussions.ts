import { type LooseInput, prepare } from '../../api/client.js';
import { type AnyOperation, operationsIn } from '../../api/operation.js';
import * as changeRequestsApi from '../../api/resources/change-requests.js';
import * as commentsApi from '../../api/resources/comments.js';
import * as contentApi from '../../api/resources/content.js';
import { getSpace } from '../../api/resources/spaces.js';
import { sha256 } from '../../base/hash.js';
import { isObject } from '../../base/values.js';
import { requestFor } from '../change.js';
import { type Reads, type Resource, readAt } from '../reads.js';
import type { Basis, NoWayBack, PastChange, Rule, WayBack } from '../rule.js';
import { canonical, type State, same } from '../state.js';
import {
  creates,
  deletes,
  type Family,
  idUnknown,
  likeness,
  never,
  picked,
  type RuleMaker,
  type RuleTable,
  readOne,
  sets,
  stateUnknown,
} from './builders.js';

/** What commands rest on that act on a change request because nothing happened on it. */

const own = ['revision', 'subject', 'status', 'updatedAt'] as const;

/** The query that lists the comments of all statuses as `discussionOf` takes them. */
export const discussionQuery = { status: 'all', format: 'markdown' } as const;

export const requestBasis: Basis = {
  // Not those of its own: other changes expect them, too, and read no comments for it.
  fields: ['discussion'],
  paths({ path = {} }) {
    const { path: request } = prepare(changeRequestsApi.getChangeRequest, { path });
    return [request, prepare(commentsApi.listChangeRequestComments, { path, query: discussionQuery }).path];
  },
  async read(reads, { path }) {
    const { input } = requestFor(changeRequestsApi.getChangeRequest, path);
    const request = await reads.one(changeRequestsApi.getChangeRequest, input);
    const comments = await reads.all(commentsApi.listChangeRequestComments, {
      ...input,
      query: discussionQuery,
    });
    if (request === null || comments === null) return null;
    const replies = new Map<string, readonly Resource[]>();
    for (const { id, replies: count } of comments) {
      if (typeof id !== 'string' || count === 0) continue;
      const own = await reads.all(commentsApi.listChangeRequestCommentReplies, {
        path: { ...input.path, commentId: id },
      });
      // Null where the comment was deleted in the meantime.
      replies.set(id, own ?? []);
    }
    return basisOfRequest(request, { comments, replies });
  },
};

interface Discussion {
  comments: readonly Resource[];
  /** By the id of their comment. */
  replies: ReadonlyMap<string, readonly Resource[]>;
}

/** The same from what was read already. */
export function basisOfRequest(request: object, { comments, replies }: Discussion): State {
  const traces = comments.map((comment) => ({
    ...traceOf(comment),
    replies: (replies.get(String(comment.id)) ?? []).map(traceOf),
  }));
  return { ...picked({ ...request }, own), discussion: `sha256:${sha256(canonical(traces))}` };
}

/** All of a comment, or of a reply, that somebody may change. */
function traceOf(comment: Resource): object {
  const fields = picked(comment, ['id', 'postedAt', 'editedAt', 'status', 'resolvedAt', 'body']);
  const reactions = Array.isArray(comment.reactions) ? comment.reactions.map(reactionOf) : [];
  return { ...fields, reactions };
}

function reactionOf(reaction: unknown): unknown {
  return isObject(reaction) ? picked(reaction, ['emoji', 'count']) : reaction;
}

const noReply = 'the platform cannot delete a reply';
const noRevision = 'the platform cannot restore an earlier revision';

/** The platform changes nothing of a merged change request (platform-facts). */
const requestChange: RuleMaker = (op, find) => {
  const settings = sets()(op, find);
  return {
    ...settings,
    basis: requestBasis,
    async obstacle(reads, { path }) {
      const request = await readAt(reads, changeRequestsApi.getChangeRequest, path);
      return request?.status === 'merged' ? 'the change request is merged, which ends it' : undefined;
    },
    back(change) {
      if (change.before?.status === 'merged')
        return { undo: 'none', why: 'the platform cannot set the status merged' };
      return settings.back?.(change) ?? stateUnknown;
    },
  };
};

const posted = creates({ left: commentState });

const withdrawn = deletes(commentState, 'only its author could post it again, and its replies are lost', {
  query: { format: 'markdown' },
});

const reactions = 'the platform does not show earlier reactions, so reactions stay';
const edited = sets({
  query: { format: 'markdown' },
  from: { resolved: ({ status }) => status === 'resolved' },
  unread: { addedReactions: reactions, removedReactions: reactions },
});

const rules: RuleTable = {
  'change-requests.create': (op, find) => ({
    ...creates({})(op, find),
    forecast: () => ({ undo: 'best-effort', why: archiving }),
    ...likeness(changeRequestsApi.listChangeRequests, ({ subject }, body) => subject === body.subject, {
      status: 'draft',
    }),
    back: archive,
  }),
  'change-requests.update': requestChange,
  'change-requests.merge': never(`the merged changes stay in the space; ${noRevision}`, {
    read: readOne(changeRequestsApi.getChangeRequest, ['status']),
    wanted: () => ({ status: 'merged' }),
    oneWay: true,
    refusedBy: conflicts,
  }),
  'change-requests.pull': {
    ...unrepeatable(`the pulled changes stay; ${noRevision}`, changeRequestsApi.getChangeRequest),
    refusedBy: conflicts,
  },
  'content.import': unrepeatable(`the imported content stays; ${noRevision}`, getSpace),
  'change-request-content.import': {
    ...unrepeatable(`the imported content stays; ${noRevision}`, changeRequestsApi.getChangeRequest),
    took: isNextOfDraft,
  },

  'comments.create': posted,
  'change-request-comments.create': (op, find) => ({ ...posted(op, find), basis: requestBasis }),
  'comments.update': edited,
  'change-request-comments.update': edited,
  'comments.delete': withdrawn,
  'change-request-comments.delete': withdrawn,
  'comment-replies.create': never(noReply),
  'change-request-comment-replies.create': never(noReply),
  'comment-replies.update': edited,
};

export const discussions: Family = {
  operations: operationsIn(changeRequestsApi, commentsApi, contentApi),
  rules,
};

/** The platform answers a conflict with 200 and changes nothing. */
function conflicts(answer: unknown): string | undefined {
  const { result } = (answer ?? {}) as { result?: unknown };
  return result === 'conflicts' ? 'Both sides changed the same pages; nothing was changed.' : undefined;
}

const archiving = 'a change request can be archived, not deleted';

function archive({ input, answer }: PastChange): WayBack | NoWayBack {
  const made = answer as Resource | undefined;
  if (typeof made?.id !== 'string') return idUnknown;
  const path = { ...input.path, changeRequestId: made.id };
  const request = requestFor(changeRequestsApi.updateChangeRequest, path, { status: 'archived' });
  return { undo: 'best-effort', why: archiving, request, expect: picked(made, ['status']) };
}

/** A change of the content; it had no effect where the revision is still the one before. */
function unrepeatable(why: string, get: AnyOperation): Rule {
  return never(why, { read: readOne(get, ['revision']), wanted: () => undefined, before: 'many' });
}

/**
 * Whether the revision of a draft follows the one before directly. Nobody is shown a draft until the same job opens
 * it, so the one change that was made is that of the job.
 */
async function isNextOfDraft(reads: Reads, { path }: LooseInput, { revision }: Resource): Promise<boolean> {
  const request = await readAt(reads, changeRequestsApi.getChangeRequest, path);
  if (request?.status !== 'draft') return false;
  const content = await readAt(reads, changeRequestsApi.getChangeRequestContent, path);
  return content?.id === request.revision && same(content?.parents, [revision]);
}

function commentState(comment: Resource) {
  const { markdown = null } = (comment.body ?? {}) as { markdown?: string | null };
  return { ...picked(comment, ['replies']), markdown };
}
