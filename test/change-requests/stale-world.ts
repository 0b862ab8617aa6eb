import type { Comment, CommentReply } from '../../src/api/resources/comments.js';
import type { User } from '../../src/api/shapes.js';
import { type Discussion, markerLine, type Terms } from '../../src/change-requests/stale.js';
import type { SpaceRequest } from '../../src/snapshot/change-requests.js';

/** Change requests and discussions for the tests of decisions. Times are days before now. */

export const nowMs = Date.parse('2026-11-23T09:00:00.000Z');
export const dayMs = 86_400_000;
export const ago = (days: number) => new Date(nowMs - days * dayMs).toISOString();
export const user = (id: string): User => ({ object: 'user', id, displayName: id, urls: { location: '' } });

export const terms: Terms = {
  ...{ nowMs, olderThanMs: 60 * dayMs, warnMs: 14 * dayMs, archive: true, warner: 'lead' },
};

export function request(more: Partial<SpaceRequest> = {}): SpaceRequest {
  return {
    ...{ object: 'change-request', id: 'cr1', number: 5, status: 'open', subject: 'Fix the setup guide' },
    ...{ createdBy: user('ada'), createdAt: ago(100), updatedAt: ago(90) },
    ...{ revision: 'r1', revisionInitial: 'r0', comments: 0, outdated: false },
    urls: { app: 'https://app.example.com/o/o1/s/s1/~/changes/5', location: 'https://api.example.com/cr1' },
    space: { id: 's1', title: 'Handbook' },
    ...more,
  };
}

let next = 0;
export function comment(days: number, more: Partial<Comment> = {}): Comment {
  next += 1;
  return {
    ...{ object: 'comment', id: `c${next}`, postedBy: user('ada'), postedAt: ago(days), reactions: [] },
    ...{ body: { markdown: 'Well.' }, urls: { location: '' }, replies: 0, target: {}, status: 'open' },
    permissions: { view: true, edit: true, reply: true, delete: true },
    ...more,
  };
}

/** A warning that was posted so many days ago, about a change request as it was then. */
export function warning(days: number, about: SpaceRequest, more: Partial<Comment> = {}): Comment {
  const at = nowMs - days * dayMs;
  const archiveAfter = new Date(at + terms.warnMs).toISOString().slice(0, 10);
  const markdown = `Hello\n\n${markerLine(about, at, archiveAfter)}`;
  return comment(days, { postedBy: user('lead'), body: { markdown }, ...more });
}

export function discussion(
  comments: readonly Comment[] = [],
  replies: readonly (readonly [string, readonly CommentReply[]])[] = [],
): Discussion {
  return { comments, replies: new Map(replies) };
}

export function reply(days: number, more: Partial<CommentReply> = {}): CommentReply {
  const { id, postedBy, postedAt, reactions, body, urls, permissions } = comment(days);
  return { object: 'comment-reply', id, postedBy, postedAt, reactions, body, urls, permissions, ...more };
}
