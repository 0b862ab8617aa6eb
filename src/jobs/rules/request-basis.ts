import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import type { ChangeRequest } from '../../api/resources/change-requests.js';
import { getChangeRequest } from '../../api/resources/change-requests.js';
import type { Comment } from '../../api/resources/comments.js';
import { isObject } from '../../is-object.js';
import { canonical, sha256 } from '../held.js';
import { type Resource, requestFor } from '../request.js';
import type { Basis } from '../rule.js';
import type { State } from '../state.js';
import { picked } from './builders.js';

/** What commands rest on that act on a change request because nothing happened on it. */

const own = ['revision', 'subject', 'status', 'updatedAt'] as const;

/** The query that lists the comments of all statuses as `discussionOf` takes them. */
export const discussionQuery = { status: 'all', format: 'markdown' } as const;

export const requestBasis: Basis = {
  fields: [...own, 'discussion'],
  async read(reads, { path }) {
    const { input } = requestFor(getChangeRequest, path);
    const request = await reads.one(getChangeRequest, input);
    const comments = await reads.all(listChangeRequestComments, { ...input, query: discussionQuery });
    return request && comments && basisState(request, comments);
  },
};

/** The same from what was read already. */
export function basisOfRequest(request: ChangeRequest, comments: readonly Comment[]): State {
  return basisState(request, comments);
}

function basisState(request: Resource, comments: readonly Resource[]): State {
  return { ...picked(request, own), discussion: `sha256:${sha256(canonical(comments.map(traceOf)))}` };
}

/** All of a comment that somebody may change. Replies can be neither edited nor deleted, so their number does. */
function traceOf(comment: Resource): unknown {
  const fields = picked(comment, ['id', 'postedAt', 'editedAt', 'status', 'resolvedAt', 'replies', 'body']);
  const reactions = Array.isArray(comment.reactions) ? comment.reactions.map(reactionOf) : [];
  return { ...fields, reactions };
}

function reactionOf(reaction: unknown): unknown {
  return isObject(reaction) ? picked(reaction, ['emoji', 'count']) : reaction;
}
